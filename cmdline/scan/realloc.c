/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that are to be placed anew: they lose the claim of being in the parity, not their hashes. */
#include <stdlib.h>

#include "scan/inside.h"

static bool extent_waits_for_rehash(const struct info_map *map, const struct extent *extent)
{
	stripe_t end = extent->at + extent->count;
	struct info info;

	for (stripe_t at = extent->at; at < end; at += info_run(map, at, end - at))
		if (info_get(map, at, &info) && info.rehash)
			return true;
	return false;
}

bool file_waits_for_rehash(const struct array *array, const struct file *file)
{
	for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next)
		if (extent_waits_for_rehash(array->info, extent))
			return true;
	return false;
}

/* Every BLK of the file becomes REP. Extents change under the hand, so their stripes are noted first. */
static void file_mark_realloc(struct disk *disk, struct file *file)
{
	struct run {
		stripe_t at, count;
	} *run = NULL;
	size_t count = 0, room = 0;

	for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next) {
		if (extent->state != BLOCK_BLK)
			continue;
		mem_grow(&run, count, &room, sizeof(*run));
		run[count++] = (struct run){ extent->at, extent->count };
	}
	for (size_t i = 0; i < count; ++i)
		for (stripe_t at = run[i].at; at < run[i].at + run[i].count; ++at)
			extent_set(disk->map, at, BLOCK_REP, NULL);
	free(run);
}

void scan_mark_realloc(struct array *array, stripe_t tail_stripes)
{
	stripe_t count = array_stripe_count(array), from = 0;

	if (tail_stripes > 0 && tail_stripes < count)
		from = count - tail_stripes;
	for (unsigned i = 0; i < array->disk_count; ++i) {
		struct disk *disk = array->disk[i];

		for (struct tommy_node *n = tommy_list_head(&disk->files); n != NULL; n = n->next) {
			struct file *file = n->data;

			if (file->last == NULL || file->last->at + file->last->count <= from)
				continue;
			/* Its hashes are of the old kind, which no REP may have. It moves once rehashed. */
			if (file_waits_for_rehash(array, file))
				continue;
			file_mark_realloc(disk, file);
			file->moving = true;
			array->changed = true;
		}
	}
}
