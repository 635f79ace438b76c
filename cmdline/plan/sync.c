/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan.h"

/* The first disk with a block to mark; NULL: something is pending already, or there is no block. */
static struct disk *disk_to_mark(const struct array *array, stripe_t at)
{
	struct disk *first = NULL;

	for (unsigned d = 0; d < array->disk_count; ++d) {
		const struct extent *extent = extent_at(array->disk[d]->map, at);

		if (extent == NULL)
			continue;
		if (block_is_unsynced(extent->state))
			return NULL;
		if (first == NULL)
			first = array->disk[d];
	}
	return first;
}

void plan_mark_pending(struct array *array, const struct bitmap *stripes)
{
	for (stripe_t at = bitmap_next(stripes, 0); at != STRIPE_NONE; at = bitmap_next(stripes, at + 1)) {
		struct disk *disk = disk_to_mark(array, at);

		if (disk == NULL)
			continue;
		file_note_synced(extent_at(disk->map, at)->file);
		extent_set(disk->map, at, BLOCK_REP, NULL);
		array->changed = true;
	}
}

struct bitmap *plan_sync(const struct array *array, bool full)
{
	return full ? array_file_stripes(array) : array_unsynced_stripes(array);
}
