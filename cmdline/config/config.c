/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "config/filter.h"
#include "config/parser.h"
#include "os/file.h"
#include "report/report.h"

const char *const content_suffix[CONTENT_SUFFIX_COUNT] = { "", ".tmp", ".lock", ".log", ".side", ".side.tmp" };

#define SIZE_LIMIT	(16 * 1024 * 1024)	/* no configuration is larger; a disk given by mistake is */
#define BLOCK_SIZE	(256 * 1024)
#define TEMP_SLEEP	5			/* minutes */

#ifndef SYSCONFDIR
#define SYSCONFDIR "/etc"
#endif

/* That of the build if it is there, else that of the system. */
static const char *default_path(void)
{
	static const char built[] = SYSCONFDIR "/snapraid.conf";
	int fd = os_open_read(built);

	if (fd < 0 && errno == ENOENT)
		return "/etc/snapraid.conf";
	os_close(fd);
	return built;
}

static struct config *config_new(const char *path)
{
	struct config *config = mem_zalloc(sizeof *config);

	config->path = mem_strdup(path);
	config->filter = filter_new();
	config->block_size = BLOCK_SIZE;
	config->hash_size = HASH_BYTES_MAX;
	config->keep_metadata = true;
	config->temp_sleep_minutes = TEMP_SLEEP;
	return config;
}

/* One line of `size` bytes, which may be changed. */
static int parse_line(struct parser *parser, char *text, size_t size)
{
	const char *word;

	if (memchr(text, '\0', size) != NULL) {
		report(EV_CONFIG_NUL, parser->path, parser->line);
		return -1;
	}
	while (size > 0 && strchr(" \t\r", text[size - 1]) != NULL)
		--size;
	text[size] = '\0';
	text += strspn(text, " \t");
	if (*text == '\0' || *text == '#')
		return 0;
	word = text;
	text += strcspn(text, " \t");
	if (*text != '\0') {
		*text++ = '\0';
		text += strspn(text, " \t");
	}
	return keyword_parse(parser, word, text);
}

static int parse_text(struct parser *parser, struct buf *text)
{
	static const char mark[] = "\xef\xbb\xbf";	/* some editors put it before the first line */
	char *at, *end;

	buf_char(text, '\n');	/* the last line may lack it */
	at = text->data;
	end = at + text->size;
	if (text->size > 3 && memcmp(at, mark, 3) == 0)
		at += 3;
	while (at < end) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		++parser->line;
		if (parse_line(parser, at, (size_t)(newline - at)) < 0)
			return -1;
		at = newline + 1;
	}
	return config_check(parser);
}

struct config *config_load(const char *path)
{
	struct buf text = { 0 };
	struct parser parser = { 0 };
	int rc = -1;

	if (path == NULL)
		path = default_path();
	report(EV_CONF_FILE, path);
	parser.config = config_new(path);
	parser.path = path;
	if (os_read_file(path, SIZE_LIMIT, &text) < 0)
		report(errno == ENOENT ? EV_CONFIG_MISSING : EV_CONFIG_READ, path, strerror(errno));
	else
		rc = parse_text(&parser, &text);
	while (parser.config->level_count < LEVEL_MAX &&
	       parser.config->level[parser.config->level_count].split_count > 0)
		++parser.config->level_count;
	free(parser.content_line);
	buf_done(&text);
	if (rc < 0) {
		config_free(parser.config);
		return NULL;
	}
	return parser.config;
}

static void free_disks(struct config_disk *disk, unsigned count)
{
	for (unsigned i = 0; i < count; ++i) {
		free(disk[i].name);
		free(disk[i].dir);
		free(disk[i].smartctl);
	}
	free(disk);
}

void config_free(struct config *config)
{
	if (config == NULL)
		return;
	free_disks(config->disk, config->disk_count);
	free_disks(config->extra, config->extra_count);
	for (level_t level = 0; level < LEVEL_MAX; ++level) {
		for (unsigned i = 0; i < config->level[level].split_count; ++i)
			free(config->level[level].path[i]);
		free(config->level[level].smartctl);
	}
	for (unsigned i = 0; i < config->content_count; ++i)
		free(config->content[i]);
	free(config->content);
	for (unsigned i = 0; i < config->smart_ignore_count; ++i) {
		free(config->smart_ignore[i].name);
		for (unsigned k = 0; k < config->smart_ignore[i].count; ++k)
			free(config->smart_ignore[i].word[k]);
	}
	free(config->smart_ignore);
	filter_free(config->filter);
	free(config->pool);
	free(config->share);
	free(config->path);
	free(config);
}

const char *config_level_name(const struct config *config, level_t level)
{
	static const char *const name[LEVEL_MAX] = {
		"parity", "2-parity", "3-parity", "4-parity", "5-parity", "6-parity",
	};

	return level == 2 && config->z_parity ? "z-parity" : name[level];
}
