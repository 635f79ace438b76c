/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a configuration file. */
#include <string.h>

#include "base/mem.h"
#include "config/config.h"
#include "config/filter.h"
#include "fuzz.h"

static bool is_power_of_two(uint32_t number)
{
	return number != 0 && (number & (number - 1)) == 0;
}

static void check_levels(const struct config *config)
{
	PROMISED(config->level_count >= 1 && config->level_count <= LEVEL_MAX);
	for (level_t level = 0; level < LEVEL_MAX; ++level) {
		const struct config_level *at = &config->level[level];

		PROMISED((at->split_count > 0) == (level < config->level_count) && at->split_count <= SPLIT_MAX);
		for (unsigned i = 0; i < at->split_count; ++i)
			PROMISED(at->path[i][0] != '\0');
	}
}

static void check_disks(const struct config *config)
{
	PROMISED(config->disk_count <= COLUMN_MAX);
	for (unsigned i = 0; i < config->disk_count; ++i) {
		const struct config_disk *disk = &config->disk[i];
		size_t size = strlen(disk->dir);

		PROMISED(disk->name[0] != '\0' && strpbrk(disk->name, " \t\n") == NULL);
		PROMISED(size > 0 && disk->dir[size - 1] == '/' && (size == 1 || disk->dir[size - 2] != '/'));
		for (unsigned j = 0; j < i; ++j)
			PROMISED(strcmp(disk->name, config->disk[j].name) != 0);
	}
}

static bool is_bounded(const struct threshold *threshold)
{
	return !threshold->given || (threshold->at >= 1 && (!threshold->percent || threshold->at <= 100));
}

static void check_numbers(const struct config *config)
{
	PROMISED(is_power_of_two(config->block_size) && config->block_size >= BLOCK_SIZE_MIN &&
		 config->block_size <= BLOCK_SIZE_MAX);
	PROMISED(is_power_of_two(config->hash_size) && config->hash_size >= 2 && config->hash_size <= HASH_BYTES_MAX);
	PROMISED(config->content_count > 0);
	PROMISED(is_bounded(&config->removed) && is_bounded(&config->updated));
	for (unsigned i = 0; i < config->smart_ignore_count; ++i)
		PROMISED(config->smart_ignore[i].count >= 1 && config->smart_ignore[i].count <= 4);
}

/* A file is kept out by a rule that can be named, or by there being only includes. */
static void check_filter(const struct filter *filter)
{
	static const char *const path[] = { "a", ".hidden", "dir/a.tmp", "deep/er/and/deep/er/\xff\n.unrecoverable" };
	const char *rule;

	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); ++i) {
		filter_wants_file(filter, path[i], &rule);
		PROMISED(rule == NULL || strncmp(rule, "include ", 8) == 0 || strncmp(rule, "exclude ", 8) == 0);
		PROMISED(filter_wants_dir(filter, path[i], &rule) || strncmp(rule, "exclude ", 8) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *path = fuzz_file("conf", data, size);
	struct config *config;

	fuzz_begin();
	config = config_load(path);
	if (config != NULL) {
		check_levels(config);
		check_disks(config);
		check_numbers(config);
		check_filter(config->filter);
	}
	config_free(config);
	free(path);
	return 0;
}
