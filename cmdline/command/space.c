/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/space.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"
#include "os/fs.h"

/* How a split, or a disk, is logged: `number` 0 is the first. */
static void log_split(bool data, const char *name, unsigned number, const char *dir, const struct os_space *space)
{
	struct os_fs fs;

	if (!report_has_log() || os_fs_probe(dir, &fs) < 0)
		return;
	if (data)
		report(EV_FSINFO_DATA_SPLIT, name, space->total_bytes, space->free_bytes, fs.kind, fs.label);
	else if (number == 0)
		report(EV_FSINFO_PARITY_FIRST, name, space->total_bytes, space->free_bytes, fs.kind, fs.label);
	else
		report(EV_FSINFO_PARITY_SPLIT, name, number, space->total_bytes, space->free_bytes, fs.kind, fs.label);
	os_fs_done(&fs);
}

static void refresh_disk(const struct array *array, struct disk *disk)
{
	struct os_space space;

	if (os_space(disk->dir, &space) < 0)
		return;
	disk->total_blocks = space.total_bytes / array->block_size;
	disk->free_blocks = space.free_bytes / array->block_size;
	log_split(true, disk->name, 0, disk->dir, &space);
	report(EV_FSINFO_DATA, disk->name, space.total_bytes, space.free_bytes);
}

/* Only the last split in use grows, and then those behind it. */
static bool may_grow(const struct level *level, unsigned s)
{
	for (unsigned later = s + 1; later < level->split_count; ++later)
		if (level->split[later].size_bytes != 0 && level->split[later].size_bytes != SPLIT_SIZE_UNKNOWN)
			return false;
	return true;
}

/* Is the file system of that directory none of those before? It counts as seen now. */
static bool is_another(const char *dir, dev_t seen[SPLIT_MAX], unsigned *count)
{
	struct stat st;

	if (stat(dir, &st) < 0)
		return true;
	for (unsigned i = 0; i < *count; ++i)
		if (seen[i] == st.st_dev)
			return false;
	seen[(*count)++] = st.st_dev;
	return true;
}

/* What is free is told of each split; what the level can grow by may be less. If a split cannot be asked, what the last
 * run has found stays. */
static void refresh_level(const struct array *array, struct level *level)
{
	struct os_space space, sum = { 0, 0 };
	uint64_t growth = 0;
	dev_t seen[SPLIT_MAX];
	unsigned seen_count = 0, asked = 0;

	for (unsigned s = 0; s < level->split_count; ++s) {
		char *dir = path_dir(level->split[s].path);

		if (os_space(dir, &space) == 0) {
			asked++;
			sum.total_bytes += space.total_bytes;
			sum.free_bytes += space.free_bytes;
			if (may_grow(level, s) && is_another(dir, seen, &seen_count))
				growth += space.free_bytes;
			log_split(false, level->name, s, dir, &space);
		}
		free(dir);
	}
	if (asked < level->split_count)
		return;
	level->total_blocks = sum.total_bytes / array->block_size;
	level->free_blocks = growth / array->block_size;
	report(EV_FSINFO_PARITY, level->name, sum.total_bytes, sum.free_bytes);
}

/* The file may be a link to another file system. 0: it does not say. */
static uint64_t split_total_bytes(const struct split *split)
{
	char *dir = path_dir(split->path);
	struct os_space space;
	bool known = os_space(split->path, &space) == 0 || os_space(dir, &space) == 0;

	free(dir);
	return known ? space.total_bytes : 0;
}

/* 0: one of its file systems does not say. */
static uint64_t level_total_bytes(const struct level *level)
{
	uint64_t total = 0;

	for (unsigned s = 0; s < level->split_count; ++s) {
		uint64_t bytes = split_total_bytes(&level->split[s]);

		if (bytes == 0)
			return 0;
		total += bytes;
	}
	return total;
}

stripe_t space_growth_most(const struct session *session)
{
	const struct array *array = session->array;
	stripe_t most = STRIPE_COUNT_MAX;

	for (level_t l = 0; l < array->level_count; ++l) {
		uint64_t total = level_total_bytes(&array->level[l]);

		if (total > 0 && total / array->block_size < most)
			most = total / array->block_size;
	}
	return most;
}

static void log_extra(const struct config *config)
{
	struct os_space space;

	for (unsigned e = 0; e < config->extra_count && report_has_log(); ++e)
		if (os_space(config->extra[e].dir, &space) == 0)
			report(EV_FSINFO_EXTRA, config->extra[e].name, space.total_bytes, space.free_bytes);
}

void space_refresh(struct session *session)
{
	struct array *array = session->array;

	for (unsigned d = 0; d < array->disk_count; ++d)
		refresh_disk(array, array->disk[d]);
	for (level_t l = 0; l < array->level_count; ++l)
		refresh_level(array, &array->level[l]);
	log_extra(session->config);
}
