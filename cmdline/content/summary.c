/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/summary.h"

#include <limits.h>
#include <stdlib.h>

#include "array/sweep.h"
#include "report/report.h"

static void report_disks(const struct array *array)
{
	for (unsigned i = 0; i < array->disk_count; i++) {
		const struct disk *disk = array->disk[i];

		if (disk->map_order == UINT_MAX)
			continue;
		report(EV_CONTENT_DATA, disk->name, disk->total_blocks * array->block_size,
		       disk->free_blocks * array->block_size);
		report(EV_CONTENT_DATA_SPLIT, disk->name, disk->uuid);
	}
}

static void report_level(const struct array *array, const struct level *level)
{
	report(EV_CONTENT_PARITY, level->name, level->total_blocks * array->block_size,
	       level->free_blocks * array->block_size);
	for (unsigned i = 0; i < level->split_count; i++) {
		const struct split *split = &level->split[i];
		const char *uuid = split->uuid != NULL ? split->uuid : "";

		if (i == 0)
			report(EV_CONTENT_PARITY_FIRST, level->name, uuid, split->path,
			       (int64_t)split->size_bytes);
		else
			report(EV_CONTENT_PARITY_SPLIT, level->name, i, uuid, split->path,
			       (int64_t)split->size_bytes);
	}
}

struct counts {
	uint64_t file, hard_link, symlink, dir;
	stripe_t all, bad, rehash, unsynced, unscrubbed;
};

static void count_entries(const struct array *array, struct counts *counts)
{
	for (unsigned i = 0; i < array->disk_count; i++) {
		const struct disk *disk = array->disk[i];

		counts->file += disk->file_count;
		counts->dir += disk->dir_count;
		for (struct tommy_node *node = tommy_list_head(&disk->links); node != NULL;
		     node = node->next) {
			const struct link *link = node->data;

			if (link->hard)
				counts->hard_link++;
			else
				counts->symlink++;
		}
	}
}

struct bucket {
	int64_t time;
	stripe_t scrubbed, fresh;
};

struct buckets {
	struct bucket *bucket;
	size_t count, room;
};

static void buckets_add(struct buckets *buckets, const struct sweep *sweep)
{
	mem_grow(&buckets->bucket, buckets->count, &buckets->room, sizeof(*buckets->bucket));
	buckets->bucket[buckets->count++] = (struct bucket){ sweep->info.time,
							     sweep->info.just_synced ? 0 : sweep->count,
							     sweep->info.just_synced ? sweep->count : 0 };
}

static void count_stripes(const struct array *array, struct counts *counts, struct buckets *buckets)
{
	struct sweep sweep;

	sweep_begin(&sweep, array);
	while (sweep_next(&sweep)) {
		if (sweep.file == 0)
			continue;
		counts->all += sweep.count;
		counts->bad += sweep.info.bad ? sweep.count : 0;
		counts->rehash += sweep.info.rehash ? sweep.count : 0;
		counts->unsynced += sweep_is_unsynced(&sweep) ? sweep.count : 0;
		counts->unscrubbed += sweep.info.just_synced ? sweep.count : 0;
		if (sweep.has_info)
			buckets_add(buckets, &sweep);
	}
}

static int bucket_compare(const void *a, const void *b)
{
	int64_t x = ((const struct bucket *)a)->time, y = ((const struct bucket *)b)->time;

	return (x > y) - (x < y);
}

/* One for each time, in its order. */
static void buckets_merge(struct buckets *buckets)
{
	struct bucket *bucket = buckets->bucket;
	size_t count = 0;

	if (buckets->count > 0)
		qsort(bucket, buckets->count, sizeof(*bucket), bucket_compare);
	for (size_t i = 0; i < buckets->count; i++) {
		if (count > 0 && bucket[count - 1].time == bucket[i].time) {
			bucket[count - 1].scrubbed += bucket[i].scrubbed;
			bucket[count - 1].fresh += bucket[i].fresh;
		} else {
			bucket[count++] = bucket[i];
		}
	}
	buckets->count = count;
}

static void report_buckets(struct buckets *buckets)
{
	stripe_t stripes = 0;

	buckets_merge(buckets);
	report(EV_CONTENT_BUCKETS, buckets->count);
	for (size_t i = 0; i < buckets->count; i++) {
		const struct bucket *bucket = &buckets->bucket[i];

		report(EV_CONTENT_BUCKET, bucket->time, bucket->scrubbed, bucket->fresh);
		stripes += bucket->scrubbed + bucket->fresh;
	}
	report(EV_CONTENT_BUCKETS_END, stripes);
}

void summary_report(const struct array *array, bool loaded)
{
	struct buckets buckets = { 0 };
	struct counts n = { 0 };

	if (!report_has_log() && !report_verbose())
		return;
	report_disks(array);
	for (unsigned i = 0; i < array->level_count; i++)
		report_level(array, &array->level[i]);
	count_entries(array, &n);
	count_stripes(array, &n, &buckets);
	if (loaded)
		report(EV_CONTENT_ENTRIES, n.file, n.hard_link, n.symlink, n.dir);
	report(EV_CONTENT_COUNTS, n.file, n.hard_link, n.symlink, n.dir, n.all, n.bad, n.rehash, n.unsynced,
	       n.unscrubbed);
	if (loaded)
		report_buckets(&buckets);
	free(buckets.bucket);
}
