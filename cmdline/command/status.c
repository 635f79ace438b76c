/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status: what is protected, how full the disks are, when it was last verified, and what is wrong. All of it
 * comes from the content file. */
#include "command/command.h"

#include <inttypes.h>
#include <stdio.h>

#include "array/sweep.h"
#include "base/buf.h"
#include "base/units.h"
#include "command/history.h"
#include "command/usage.h"
#include "os/clock.h"

/* The cells of a row of the table that may be unknown. */
struct cells {
	char wasted[24], free[24], use[8];
};

static void fill_cells(struct cells *cells, const struct usage *usage)
{
	double wasted = (double)usage->wasted_bytes / GB;

	/* A hundred gigabytes of parity more than the disk can use tell nothing. */
	if (wasted < -100)
		snprintf(cells->wasted, sizeof(cells->wasted), "-");
	else
		snprintf(cells->wasted, sizeof(cells->wasted), "%.1f",
			 wasted > -0.05 && wasted < 0 ? 0 : wasted);
	if (usage->room_known) {
		snprintf(cells->free, sizeof(cells->free), "%" PRIu64, usage->free_bytes / GB);
		snprintf(cells->use, sizeof(cells->use), "%u%%", usage_percent(usage));
	} else {
		snprintf(cells->free, sizeof(cells->free), "-");
		snprintf(cells->use, sizeof(cells->use), "- ");
	}
}

static void log_array(const struct array *array)
{
	stripe_t count = array_stripe_count(array);
	uint64_t parity_free;
	level_t l;

	usage_parity_free(array, &parity_free);
	report(EV_STATUS_ARRAY, array->block_size, count, parity_free, count * array->block_size,
	       (count + parity_free) * array->block_size, hash_name(array->hash.kind),
	       hash_name(array->past_hash.kind), hash_name(hash_best()));
	for (l = 0; l < array->level_count; ++l) {
		const struct level *level = &array->level[l];

		report(EV_STATUS_LEVEL, level->name, level->total_blocks, level->free_blocks);
	}
}

static void show_disk(const struct array *array, const struct disk *disk, const struct usage *usage)
{
	struct cells cells;

	fill_cells(&cells, usage);
	report(EV_STATUS_DISK, usage->files, usage->fragmented, usage->excess, cells.wasted, usage->bytes / GB,
	       cells.free, cells.use, disk->name);
	report(EV_STATUS_DISK_USED, disk->name, usage->blocks, usage->zero_subsecond, usage->bytes,
	       usage->allocated, usage->blocks * array->block_size);
	report(EV_STATUS_DISK_ROOM, disk->name, usage->total_blocks, usage->free_blocks, usage->max_by_space,
	       usage->max_by_parity, usage->max, usage->wasted_bytes, usage->free_bytes, usage_percent(usage));
}

static void show_total(const struct usage *total)
{
	struct cells cells;

	fill_cells(&cells, total);
	if (!total->room_known) {	/* readers want a number here */
		snprintf(cells.free, sizeof(cells.free), "0");
		snprintf(cells.use, sizeof(cells.use), "0%%");
	}
	report(EV_STATUS_TOTAL, total->files, total->fragmented, total->excess, cells.wasted, total->bytes / GB,
	       cells.free, cells.use);
	report(EV_STATUS_TOTAL_USED, total->blocks, total->zero_subsecond, total->bytes, total->wasted_bytes,
	       total->free_bytes, usage_percent(total));
}

static void show_usage(const struct array *array, struct usage *total)
{
	unsigned d;

	report(EV_STATUS_HEAD);
	*total = (struct usage){ .files = 0 };
	for (d = 0; d < array->disk_count; ++d) {
		struct usage usage;

		usage_of_disk(array, array->disk[d], &usage);
		show_disk(array, array->disk[d], &usage);
		usage_add(total, &usage);
	}
	show_total(total);
	if (!total->room_known)
		report(EV_STATUS_NO_ROOM);
}

static void show_chart(const struct history *history, int64_t now)
{
	struct chart chart;
	char text[CHART_COLUMNS + 1], left[24], right[24];
	unsigned row, c;

	chart_init(&chart, history);
	report(EV_STATUS_GRAPH, CHART_COLUMNS, chart.highest);
	for (c = 0; c < CHART_COLUMNS; ++c)
		report(EV_STATUS_GRAPH_BAR, c, days_ago(chart.time[c], now), chart.scrubbed[c], chart.fresh[c]);

	for (row = CHART_ROWS; row-- > 0;) {
		chart_row(&chart, row, text);
		if (row == CHART_ROWS - 1 || row == CHART_ROWS / 2 || row == 0)
			report(EV_STATUS_GRAPH_MARKED, chart.highest * row * 100 / (CHART_ROWS - 1) / history->count,
			       (const char *)text);
		else
			report(EV_STATUS_GRAPH_ROW, (const char *)text);
	}
	snprintf(left, sizeof(left), "%-21" PRIu64, days_ago(history->oldest, now));
	snprintf(right, sizeof(right), "%18" PRIu64, days_ago(history->newest, now));
	report(EV_STATUS_GRAPH_AXIS, left, right);
}

static void show_history(const struct history *history)
{
	int64_t now = os_wall_seconds();
	struct tommy_tree_node *node;

	for (node = tommy_tree_first(&history->ages); node != NULL; node = tommy_tree_next(node)) {
		const struct age *age = node->data;

		if (age->scrubbed > 0)
			report(EV_STATUS_INFO_TIME, age->time, age->scrubbed, "scrubbed");
		if (age->fresh > 0)
			report(EV_STATUS_INFO_TIME, age->time, age->fresh, "new");
	}
	if (history->count == 0)
		return;
	show_chart(history, now);
	report(EV_STATUS_AGES, days_ago(history->oldest, now), days_ago(history->median, now),
	       days_ago(history->newest, now));
	if (history->newest > now)
		report(EV_STATUS_FUTURE);
}

/* A file system without sub-second times may hold millions of them. */
#define ZERO_FILES_SHOWN 50

static void log_zero_files(const struct array *array)
{
	unsigned shown = 0;
	unsigned d;

	for (d = 0; d < array->disk_count; ++d) {
		const struct disk *disk = array->disk[d];
		const struct tommy_node *node;

		for (node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
			const struct file *file = node->data;

			if (!file_lacks_subsecond(file))
				continue;
			shown++;
			report(EV_STATUS_ZERO_FILE, disk->name, file->path,
			       shown == ZERO_FILES_SHOWN ? "(more follow)" : "");
			if (shown == ZERO_FILES_SHOWN)
				return;
		}
	}
}

static void show_rehash(const struct array *array, const struct history *history)
{
	if (history->rehash > 0)
		report(EV_STATUS_REHASHING, (history->count - history->rehash) * 100 / history->count);
	else if (array->hash.kind != hash_best())
		report(EV_STATUS_REHASH_WORTH, hash_name(array->hash.kind), hash_name(hash_best()));
	else
		report(EV_STATUS_NO_REHASH);
}

/* More tell nobody anything, and a dead disk has millions. */
#define BAD_RUNS_SHOWN 100

/* The bad stripes as "12 40-57 ...". */
static void list_bad(const struct bitmap *bad, struct buf *text)
{
	stripe_t at = bitmap_next(bad, 0);
	unsigned runs;

	for (runs = 0; at != STRIPE_NONE && runs < BAD_RUNS_SHOWN; ++runs) {
		stripe_t last = at;

		while (bitmap_test(bad, last + 1))
			last++;
		buf_printf(text, runs == 0 ? "%" PRIu64 : " %" PRIu64, at);
		if (last > at)
			buf_printf(text, "-%" PRIu64, last);
		at = bitmap_next(bad, last + 1);
	}
	if (at != STRIPE_NONE)
		buf_str(text, " and more");
}

static void show_bad(const struct bitmap *bad)
{
	stripe_t count = bitmap_count(bad);
	struct buf text = { 0 };

	if (count == 0) {
		report(EV_STATUS_HAS_BAD, 0, 0, 0);
		report(EV_STATUS_NO_BAD);
		return;
	}
	list_bad(bad, &text);
	report(EV_STATUS_HAS_BAD, count, bitmap_next(bad, 0), bitmap_end(bad) - 1);
	report(EV_STATUS_BAD, count, text.data);
	buf_done(&text);
}

/* Those with a block of a file: holes in the array need neither sync nor scrub. */
struct stripes {
	stripe_t file, unsynced;
};

static struct stripes count_stripes(const struct array *array)
{
	struct stripes stripes = { 0 };
	struct sweep sweep;

	sweep_begin(&sweep, array);
	while (sweep_next(&sweep)) {
		stripes.file += sweep.file > 0 ? sweep.count : 0;
		stripes.unsynced += sweep_is_unsynced(&sweep) ? sweep.count : 0;
	}
	return stripes;
}

/* Stripes whose parity was never read back: those synced since, and those that never were. */
static stripe_t count_unscrubbed(const struct history *history, stripe_t file)
{
	return history->fresh + (file > history->count ? file - history->count : 0);
}

static void show_state(const struct array *array, const struct history *history, const struct usage *total,
		       const struct stripes *stripes)
{
	stripe_t count = array_stripe_count(array), unsynced = stripes->unsynced;
	stripe_t unscrubbed = count_unscrubbed(history, stripes->file);

	report(EV_STATUS_STRIPES, count, unsynced, unscrubbed, history->rehash, history->count);
	if (unsynced > 0)
		report(EV_STATUS_UNSYNCED, (count - unsynced) * 100 / count);
	else
		report(EV_STATUS_SYNCED);
	if (unscrubbed > 0)
		report(EV_STATUS_UNSCRUBBED, (unscrubbed * 100 + count - 1) / count);
	else
		report(EV_STATUS_SCRUBBED);
	if (total->zero_subsecond > 0) {
		report(EV_STATUS_ZERO_SUBSECOND, total->zero_subsecond);
		log_zero_files(array);
	} else {
		report(EV_STATUS_NO_ZERO_SUBSECOND);
	}
	show_rehash(array, history);
	show_bad(history->bad);
}

int command_status(struct session *session)
{
	const struct array *array = session->array;
	struct stripes stripes;
	struct history history;
	struct usage total;

	log_array(array);
	show_usage(array, &total);
	if (array_stripe_count(array) == 0 && total.files == 0) {
		report(EV_STATUS_EMPTY);
		report(EV_SHOW_EXIT, "ok");
		return 0;
	}

	stripes = count_stripes(array);
	history_init(&history, array);
	show_history(&history);
	show_state(array, &history, &total, &stripes);
	if (bitmap_count(history.bad) > 0)
		report(EV_SHOW_EXIT, "bad");
	else
		report(EV_SHOW_EXIT, stripes.unsynced > 0 ? "unsynced" : "ok");
	history_done(&history);
	return 0;
}
