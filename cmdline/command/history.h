/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the stripes of an array were last known to be good, and which are not: the per stripe information,
 * summed up by time. */
#ifndef COMMAND_HISTORY_H
#define COMMAND_HISTORY_H

#include "array/array.h"
#include "tommyds/tommytree.h"

/* All stripes of one time. */
struct age {
	struct tommy_tree_node node;
	int64_t time;			/* seconds since 1970 */
	uint64_t scrubbed, fresh;	/* verified by a scrub; written by a sync and not read back since */
};

struct history {
	struct tommy_tree ages;		/* by time */
	struct arena *arena;
	struct bitmap *bad;
	uint64_t count;			/* stripes with information */
	uint64_t fresh, rehash;		/* of them */
	int64_t oldest, median, newest;	/* 0 if count is 0; the median is that of the stripes */
};

void history_init(struct history *history, const struct array *array);
void history_done(struct history *history);

/* The stripes over time, the oldest at the left. */
#define CHART_COLUMNS 70
#define CHART_ROWS 15

struct chart {
	uint64_t scrubbed[CHART_COLUMNS], fresh[CHART_COLUMNS];
	int64_t time[CHART_COLUMNS];	/* where the column begins */
	uint64_t highest;		/* column: scrubbed and fresh together */
};

void chart_init(struct chart *chart, const struct history *history);
/* A row of the picture, 0 is the lowest: '*' scrubbed, 'o' fresh above it, '_' the base line. */
void chart_row(const struct chart *chart, unsigned row, char text[CHART_COLUMNS + 1]);

/* Whole days from then to now; 0 for a time in the future. */
uint64_t days_ago(int64_t then, int64_t now);

#endif
