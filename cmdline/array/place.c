/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void place_begin(struct place *place, struct array *array, struct disk *disk)
{
	*place = (struct place){ array, disk, 0 };
}

/* Move to the next stripe without a block of a file. Returns the DELETED extent that is there, or NULL for
 * EMPTY, and how many stripes are like it. */
static struct extent *place_seek(struct place *place, stripe_t *count)
{
	struct extent *extent = extent_from(place->disk->map, place->at);

	while (extent != NULL && extent->at <= place->at && extent->state != BLOCK_DELETED) {
		place->at = extent->at + extent->count;
		extent = extent_next(extent);
	}
	if (extent == NULL) {
		*count = STRIPE_NONE - place->at;
		return NULL;
	}
	if (extent->at > place->at) {
		*count = extent->at - place->at;
		return NULL;
	}
	*count = extent->at + extent->count - place->at;
	return extent;
}

/* A stripe that lost its last file keeps its parity, and its DELETED blocks are not recorded: an empty place
 * of it is not known to be zeros there. */
static bool is_forgotten(const struct array *array, stripe_t at)
{
	struct info info;

	return at < array->loaded_count && !info_get(array->info, at, &info);
}

/* What was at these stripes before, as the parity still has it. */
static void past_hashes(const struct place *place, const struct extent *deleted, stripe_t count,
			uint8_t *hash)
{
	unsigned size = place->array->hash_size;

	if (deleted != NULL)
		memcpy(hash, extent_hash(place->disk->map, deleted, place->at), (size_t)count * size);
	else
		for (stripe_t i = 0; i < count; i++)
			(is_forgotten(place->array, place->at + i) ? past_set_unknown
								   : past_set_zero)(hash + i * size, size);
}

void place_file(struct place *place, struct file *file, const uint8_t *hashes)
{
	struct array *array = place->array;
	block_t count = file_block_count(file, array->block_size), block = 0;
	uint8_t *hash;

	assert(file->extent == NULL);
	if (count == 0)
		return;
	/* One piece of memory for all: blocks at neighbouring stripes make one extent. */
	hash = arena_alloc(array->arena, (size_t)count * array->hash_size, 1);
	while (block < count) {
		size_t offset = (size_t)block * array->hash_size;
		stripe_t run;
		struct extent *deleted = place_seek(place, &run);
		enum block_state state = BLOCK_CHG;
		struct info info;

		if (run > count - block)
			run = count - block;
		if (hashes != NULL) {
			run = info_run(array->info, place->at, run);
			info_get(array->info, place->at, &info);
			state = info.rehash ? BLOCK_CHG : BLOCK_REP;
		}
		if (state == BLOCK_REP)
			memcpy(hash + offset, hashes + offset, (size_t)run * array->hash_size);
		else
			past_hashes(place, deleted, run, hash + offset);
		if (deleted != NULL)
			extent_forget_deleted_run(place->disk->map, place->at, run);
		extent_insert(place->disk->map, file, block, place->at, run, state, hash + offset, true);
		place->at += run;
		block += run;
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
