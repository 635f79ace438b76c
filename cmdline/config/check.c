/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with the configuration as a whole, as far as the file alone can tell. */
#include <string.h>

#include "config/parser.h"
#include "report/report.h"

static int check_levels(const struct parser *parser)
{
	const struct config *config = parser->config;
	level_t missing = 0;

	while (missing < LEVEL_MAX && config->level[missing].split_count > 0)
		++missing;
	for (level_t level = missing; level < LEVEL_MAX; ++level) {
		if (config->level[level].split_count > 0) {
			report(EV_CONFIG_GAP, parser->path, config->level[level].line,
			       config_level_name(config, level), config_level_name(config, missing));
			return -1;
		}
	}
	if (missing == 0) {
		report(EV_CONFIG_NO_PARITY, parser->path);
		return -1;
	}
	if (config->z_parity && missing > 3) {
		report(EV_CONFIG_Z_LEVELS, parser->path, config->level[3].line, config_level_name(config, 3));
		return -1;
	}
	return 0;
}

/* A file that the program writes. Two uses of one path would overwrite each other. */
struct use {
	const char *path;
	const char *kind;	/* "content", "parity", "2-parity" */
	unsigned line;
};

static int check_paths(const struct parser *parser)
{
	const struct config *config = parser->config;
	struct use use[LEVEL_MAX * SPLIT_MAX];
	unsigned count = 0;

	for (level_t level = 0; level < LEVEL_MAX; ++level)
		for (unsigned i = 0; i < config->level[level].split_count; ++i)
			use[count++] = (struct use){
				.path = config->level[level].path[i],
				.kind = config_level_name(config, level),
				.line = config->level[level].line,
			};
	for (unsigned i = 0; i < count; ++i) {
		for (unsigned j = 0; j < i; ++j) {
			if (strcmp(use[i].path, use[j].path) == 0) {
				report(EV_CONFIG_SAME_PATH, parser->path, use[i].line, use[i].kind,
				       use[i].path, use[j].kind, use[j].line);
				return -1;
			}
		}
	}
	for (unsigned i = 0; i < config->content_count; ++i) {
		for (unsigned j = 0; j < count; ++j) {
			if (strcmp(config->content[i], use[j].path) == 0) {
				report(EV_CONFIG_SAME_PATH, parser->path, parser->content_line[i], "content",
				       use[j].path, use[j].kind, use[j].line);
				return -1;
			}
		}
		for (unsigned j = 0; j < i; ++j) {
			if (strcmp(config->content[i], config->content[j]) == 0) {
				report(EV_CONFIG_SAME_PATH, parser->path, parser->content_line[i], "content",
				       config->content[i], "content", parser->content_line[j]);
				return -1;
			}
		}
	}
	return 0;
}

int config_check(const struct parser *parser)
{
	if (check_levels(parser) < 0 || check_paths(parser) < 0)
		return -1;
	if (parser->config->content_count == 0) {
		report(EV_CONFIG_NO_CONTENT, parser->path);
		return -1;
	}
	return 0;
}
