/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/usage.h"

bool file_lacks_subsecond(const struct file *file)
{
	return file->stamp.mtime_nsec == 0 || file->stamp.mtime_nsec == NSEC_UNKNOWN;
}

bool usage_parity_free(const struct array *array, uint64_t *free_blocks)
{
	level_t l;

	*free_blocks = 0;
	for (l = 0; l < array->level_count; ++l) {
		const struct level *level = &array->level[l];

		if (level->total_blocks == 0)
			return false;
		if (l == 0 || level->free_blocks < *free_blocks)
			*free_blocks = level->free_blocks;
	}
	return array->level_count > 0;
}

static void count_file(struct usage *usage, const struct file *file)
{
	const struct extent *extent;
	uint64_t gaps = 0;

	usage->files++;
	usage->bytes += file->stamp.size;
	if (file_lacks_subsecond(file))
		usage->zero_subsecond++;
	for (extent = file->extent; extent != NULL; extent = extent->next) {
		stripe_t end = extent->at + extent->count;

		usage->blocks += extent->count;
		if (end > usage->allocated)
			usage->allocated = end;
		/* A file changes state from block to block without leaving its run of stripes. */
		if (extent->next != NULL && extent->next->at != end)
			gaps++;
	}
	usage->fragmented += gaps > 0;
	usage->excess += gaps;
}

void usage_of_disk(const struct array *array, const struct disk *disk, struct usage *usage)
{
	const struct tommy_node *node;
	uint64_t parity_free;

	*usage = (struct usage){ .room_known = false };
	for (node = tommy_list_head(&disk->files); node != NULL; node = node->next)
		count_file(usage, node->data);

	if (disk->total_blocks == 0 || !usage_parity_free(array, &parity_free))
		return;
	usage->room_known = true;
	usage->total_blocks = disk->total_blocks;
	usage->free_blocks = disk->free_blocks;
	usage->max_by_space = usage->blocks + disk->free_blocks;
	usage->max_by_parity = array_stripe_count(array) + parity_free;
	usage->max = usage->max_by_space < usage->max_by_parity ? usage->max_by_space : usage->max_by_parity;
	usage->free_bytes = (usage->max - usage->blocks) * array->block_size;
	usage->wasted_bytes = (int64_t)(usage->max_by_space - usage->max_by_parity) * (int64_t)array->block_size;
}

void usage_add(struct usage *total, const struct usage *usage)
{
	total->files += usage->files;
	total->blocks += usage->blocks;
	total->bytes += usage->bytes;
	total->fragmented += usage->fragmented;
	total->excess += usage->excess;
	total->zero_subsecond += usage->zero_subsecond;
	if (usage->allocated > total->allocated)
		total->allocated = usage->allocated;
	if (!usage->room_known)
		return;
	total->room_known = true;
	total->total_blocks += usage->total_blocks;
	total->free_blocks += usage->free_blocks;
	total->max_by_space += usage->max_by_space;
	total->max_by_parity += usage->max_by_parity;
	total->max += usage->max;
	total->free_bytes += usage->free_bytes;
	if (usage->wasted_bytes > 0)
		total->wasted_bytes += usage->wasted_bytes;
}

unsigned usage_percent(const struct usage *usage)
{
	return usage->max == 0 ? 0 : (unsigned)(usage->blocks * 100 / usage->max);
}
