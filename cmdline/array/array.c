/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array/sweep.h"

struct array *array_new(uint32_t block_size, unsigned hash_size)
{
	struct array *array = mem_zalloc(sizeof(*array));

	array->block_size = block_size;
	array->hash_size = hash_size;
	array->info = info_map_new();
	array->arena = arena_new();
	array->metas = meta_table_new(array->arena);
	return array;
}

static void level_done(struct level *level)
{
	for (unsigned i = 0; i < level->split_count; i++) {
		free(level->split[i].path);
		free(level->split[i].uuid);
		free(level->split[i].uuid_now);
	}
}

void array_free(struct array *array)
{
	if (array == NULL)
		return;
	for (unsigned i = 0; i < array->disk_count; i++)
		disk_free(array->disk[i]);
	free(array->disk);
	for (unsigned i = 0; i < array->level_count; i++)
		level_done(&array->level[i]);
	bitmap_free(array->unfinished);
	info_map_free(array->info);
	meta_table_free(array->metas);
	arena_free(array->arena);
	free(array);
}

struct disk *array_add_disk(struct array *array, const char *name, const char *dir)
{
	struct disk *disk = disk_new(name, dir, array->hash_size, array->arena);

	assert(array->disk_count < COLUMN_MAX);
	array->disk = mem_realloc(array->disk, (array->disk_count + 1) * sizeof(struct disk *));
	array->disk[array->disk_count++] = disk;
	return disk;
}

void array_set_hash_size(struct array *array, unsigned hash_size)
{
	array->hash_size = hash_size;
	for (unsigned i = 0; i < array->disk_count; i++) {
		struct disk *disk = array->disk[i];

		assert(extent_map_end(disk->map) == 0);
		extent_map_free(disk->map);
		disk->map = extent_map_new(hash_size, array->arena);
	}
}

struct disk *array_find_disk(const struct array *array, const char *name)
{
	for (unsigned i = 0; i < array->disk_count; i++)
		if (strcmp(array->disk[i]->name, name) == 0)
			return array->disk[i];
	return NULL;
}

struct disk *array_disk_at(const struct array *array, column_t column)
{
	for (unsigned i = 0; i < array->disk_count; i++)
		if (array->disk[i]->column == column)
			return array->disk[i];
	return NULL;
}

bool array_map_disks(struct array *array)
{
	column_t column = 0;

	for (unsigned i = 0; i < array->disk_count; i++) {
		struct disk *disk = array->disk[i];

		if (disk->column != COLUMN_NONE)
			continue;
		while (array_disk_at(array, column) != NULL)
			column++;
		if (column >= COLUMN_MAX)
			return false;
		disk->column = column;
	}
	return true;
}

column_t array_column_end(const struct array *array)
{
	column_t end = 0;

	for (unsigned i = 0; i < array->disk_count; i++)
		if (array->disk[i]->column != COLUMN_NONE && array->disk[i]->column >= end)
			end = array->disk[i]->column + 1;
	return end;
}

static bool state_is_blk(enum block_state state)
{
	return state == BLOCK_BLK;
}

/* The highest block of any disk in such a state, + 1. */
static stripe_t array_end_of(const struct array *array, bool (*wanted)(enum block_state state))
{
	stripe_t end = 0;

	for (unsigned i = 0; i < array->disk_count; i++) {
		const struct extent *extent = extent_last(array->disk[i]->map);

		while (extent != NULL && !wanted(extent->state))
			extent = extent_prev(extent);
		if (extent != NULL && extent->at + extent->count > end)
			end = extent->at + extent->count;
	}
	return end;
}

stripe_t array_stripe_count(const struct array *array)
{
	return array_end_of(array, block_has_file);
}

stripe_t array_used_count(const struct array *array)
{
	return array_end_of(array, state_is_blk);
}

struct bitmap *array_file_stripes(const struct array *array)
{
	struct bitmap *map = bitmap_new();
	struct sweep sweep;

	sweep_begin(&sweep, array);
	while (sweep_next(&sweep))
		if (sweep.file > 0)
			bitmap_set_run(map, sweep.at, sweep.count);
	return map;
}

struct bitmap *array_unsynced_stripes(const struct array *array)
{
	struct bitmap *map = bitmap_new();
	struct sweep sweep;

	sweep_begin(&sweep, array);
	while (sweep_next(&sweep))
		if (sweep_is_unsynced(&sweep))
			bitmap_set_run(map, sweep.at, sweep.count);
	return map;
}

stripe_t array_unsynced_count(const struct array *array)
{
	struct sweep sweep;
	stripe_t count = 0;

	sweep_begin(&sweep, array);
	while (sweep_next(&sweep))
		count += sweep_is_unsynced(&sweep) ? sweep.count : 0;
	return count;
}

struct bitmap *array_bad_stripes(const struct array *array)
{
	struct bitmap *map = bitmap_new();
	stripe_t end = info_map_end(array->info);
	struct info info;

	for (stripe_t at = 0, run; at < end; at += run) {
		run = info_run(array->info, at, end - at);
		if (info_get(array->info, at, &info) && info.bad)
			bitmap_set_run(map, at, run);
	}
	return map;
}

void array_note_unfinished(struct array *array)
{
	if (array->was_unsynced)
		array->unfinished = array_unsynced_stripes(array);
}

const struct hash_key *array_hash_at(const struct array *array, stripe_t at)
{
	struct info info;

	return info_get(array->info, at, &info) && info.rehash ? &array->past_hash : &array->hash;
}

struct run {
	stripe_t at, count;
};

void array_forget_unused(struct array *array)
{
	struct run *run = NULL;
	size_t count = 0, room = 0;
	struct sweep sweep;

	/* Found first and dropped then: a sweep bears no change of the array. */
	sweep_begin(&sweep, array);
	while (sweep_next(&sweep)) {
		if (sweep.file > 0 || (sweep.unsynced == 0 && !sweep.has_info))
			continue;
		mem_grow(&run, count, &room, sizeof(*run));
		run[count++] = (struct run){ sweep.at, sweep.count };
	}
	for (size_t i = 0; i < count; i++) {
		for (unsigned d = 0; d < array->disk_count; d++)
			extent_forget_deleted_run(array->disk[d]->map, run[i].at, run[i].count);
		info_clear_run(array->info, run[i].at, run[i].count);
	}
	free(run);
}
