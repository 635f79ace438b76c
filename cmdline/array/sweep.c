/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/sweep.h"

void sweep_begin(struct sweep *sweep, const struct array *array)
{
	*sweep = (struct sweep){ .array = array, .end = info_map_end(array->info) };
	for (unsigned i = 0; i < array->disk_count; i++) {
		stripe_t end = extent_map_end(array->disk[i]->map);

		sweep->coming[i] = extent_from(array->disk[i]->map, 0);
		if (sweep->end < end)
			sweep->end = end;
	}
}

static void sweep_count_block(struct sweep *sweep, enum block_state state)
{
	sweep->file += block_has_file(state);
	sweep->blk += state == BLOCK_BLK;
	sweep->unsynced += block_is_unsynced(state);
}

bool sweep_next(struct sweep *sweep)
{
	stripe_t at = sweep->at + sweep->count;
	stripe_t count = sweep->end - at, same;

	if (at >= sweep->end)
		return false;
	sweep->at = at;
	sweep->file = sweep->blk = sweep->unsynced = 0;
	for (unsigned i = 0; i < sweep->array->disk_count; i++) {
		struct extent *extent = sweep->coming[i];

		if (extent != NULL && extent->at + extent->count <= at)
			sweep->coming[i] = extent = extent_next(extent);
		sweep->extent[i] = NULL;
		if (extent == NULL)
			continue;
		if (extent->at <= at) {
			sweep->extent[i] = extent;
			sweep_count_block(sweep, extent->state);
			same = extent->at + extent->count - at;
		} else {
			same = extent->at - at;
		}
		if (count > same)
			count = same;
	}
	sweep->has_info = info_get(sweep->array->info, at, &sweep->info);
	same = info_run(sweep->array->info, at, count);
	sweep->count = same;
	return true;
}
