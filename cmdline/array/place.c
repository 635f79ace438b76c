/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void place_begin(struct place *place, struct array *array, struct disk *disk, stripe_t end)
{
	*place = (struct place){ array, disk, end, holes_new(disk->map, end, array->unfinished),
				 array->unfinished == NULL };
}

/* What the parity of an unfinished stripe holds may have gone since. If this sync does not finish either, each block that
 * came to the stripe now is one more that a level has or has not, and one more not to be known once it is lost, too. */
static void make_room(struct place *place, block_t count)
{
	if (place->any || holes_room(place->holes) >= count)
		return;
	holes_free(place->holes);
	place->holes = holes_new(place->disk->map, place->end, NULL);
	place->any = true;
}

void place_end(struct place *place)
{
	holes_free(place->holes);
}

/* A stripe that lost its last file keeps its parity, and its DELETED blocks are not recorded: an empty place
 * of it is not known to be zeros there. */
static bool is_forgotten(const struct array *array, stripe_t at)
{
	struct info info;

	return at < array->loaded_count && !info_get(array->info, at, &info);
}

/* What was at these stripes before, as the parity still has it. `deleted` NULL: they are EMPTY. */
static void past_hashes(const struct place *place, const struct extent *deleted, const struct run *run, uint8_t *hash)
{
	unsigned size = place->array->hash_size;

	if (deleted != NULL)
		memcpy(hash, extent_hash(place->disk->map, deleted, run->at), (size_t)run->count * size);
	else
		for (stripe_t i = 0; i < run->count; i++)
			(is_forgotten(place->array, run->at + i) ? past_set_unknown
								 : past_set_zero)(hash + i * size, size);
}

/* The first stripes of a hole that are alike: DELETED, then `*deleted` is what lies there, or EMPTY. */
static struct run alike(const struct place *place, const struct run *hole, const struct extent **deleted)
{
	struct extent *extent = extent_from(place->disk->map, hole->at);
	struct run run = *hole;
	stripe_t end = STRIPE_NONE;

	*deleted = extent != NULL && extent->at <= run.at ? extent : NULL;
	if (extent != NULL)
		end = *deleted != NULL ? extent->at + extent->count : extent->at;
	if (run.count > end - run.at)
		run.count = end - run.at;
	return run;
}

/* The blocks of the file from `first` on go to these stripes; `hash` is theirs, to be filled. */
static void place_run(const struct place *place, struct file *file, block_t first, struct run left, uint8_t *hash,
		      const uint8_t *known)
{
	struct array *array = place->array;
	struct extent_map *map = place->disk->map;

	while (left.count > 0) {
		const struct extent *deleted;
		struct run run = alike(place, &left, &deleted);
		enum block_state state = BLOCK_CHG;
		struct info info;
		size_t bytes;

		if (known != NULL) {
			run.count = info_run(array->info, run.at, run.count);
			info_get(array->info, run.at, &info);
			state = info.rehash ? BLOCK_CHG : BLOCK_REP;
		}
		bytes = (size_t)run.count * array->hash_size;
		if (state == BLOCK_REP)
			memcpy(hash, known, bytes);
		else
			past_hashes(place, deleted, &run, hash);
		if (deleted != NULL)
			extent_forget_deleted_run(map, run.at, run.count);
		extent_insert(map, file, first, run.at, run.count, state, hash, true);
		left.at += run.count;
		left.count -= run.count;
		first += run.count;
		hash += bytes;
		known = known != NULL ? known + bytes : NULL;
	}
}

bool place_has_room(struct place *place, const struct file *file)
{
	block_t count = file_block_count(file, place->array->block_size);

	make_room(place, count);
	return holes_room(place->holes) >= count;
}

void place_file(struct place *place, struct file *file, const uint8_t *hashes)
{
	struct array *array = place->array;
	block_t count = file_block_count(file, array->block_size), block = 0;
	uint8_t *hash;
	struct run run;

	assert(file->extent == NULL);
	if (count == 0)
		return;
	make_room(place, count);
	/* One piece of memory for all: blocks at neighbouring stripes make one extent. */
	hash = arena_alloc(array->arena, (size_t)count * array->hash_size, 1);
	run = (struct run){ holes_take_whole(place->holes, count), count };
	if (run.at == STRIPE_NONE)
		run = holes_take_lowest(place->holes, count);
	for (;;) {
		size_t offset = (size_t)block * array->hash_size;

		place_run(place, file, block, run, hash + offset, hashes != NULL ? hashes + offset : NULL);
		block += run.count;
		if (block == count)
			break;
		run = holes_take_lowest(place->holes, count - block);
	}
}

static bool extent_rehashes(const struct array *array, const struct extent *extent)
{
	stripe_t end = extent->at + extent->count;
	struct info info;

	for (stripe_t at = extent->at; at < end; at += info_run(array->info, at, end - at))
		if (info_get(array->info, at, &info) && info.rehash)
			return true;
	return false;
}

uint8_t *place_hashes(const struct array *array, const struct disk *disk, const struct file *file)
{
	uint8_t *hashes;

	if (file->extent == NULL)
		return NULL;
	for (const struct extent *e = file->extent; e != NULL; e = e->next)
		if (!block_has_current_hash(e->state) || extent_rehashes(array, e))
			return NULL;
	hashes = mem_alloc((size_t)file_block_count(file, array->block_size) * array->hash_size);
	for (const struct extent *e = file->extent; e != NULL; e = e->next)
		memcpy(hashes + (size_t)e->first * array->hash_size, extent_hash(disk->map, e, e->at),
		       (size_t)e->count * array->hash_size);
	return hashes;
}
