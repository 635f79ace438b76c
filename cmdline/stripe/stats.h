/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is at work in a run, and who is waited for: a lane for each data disk, each level, the cores, and --bw-limit.
 *
 * The stripes are retired in order, so what holds up the oldest one holds up all. The time that the coordinator waits
 * for it goes to the lane that was the last to finish it: first of those that read, then the cores, then of those that
 * write. The lane with most of it is the bottleneck.
 *
 * Threads: a lane's counters by any thread, the rest by the coordinator. */
#ifndef STRIPE_STATS_H
#define STRIPE_STATS_H

#include <stdatomic.h>

#include "array/array.h"
#include "report/lanes.h"

struct stats_lane {
	const char *name;	/* NULL: has no part in the run */
	bool reads;
	atomic_uint_fast64_t bytes, busy_us;
	atomic_uint_fast64_t read, written;	/* stripes */
	uint64_t waited_us;
};

struct stats {
	struct stats_lane lane[COLUMN_MAX + LEVEL_MAX + 2];	/* by column; levels; cores; limit */
	atomic_uint_fast64_t computed;	/* stripes */
	uint64_t retired;		/* stripes */
};

/* When a stripe passed from one kind of worker to the next, and by whom it came last. */
struct stats_marks {
	struct stats_lane *reader, *writer;	/* NULL: nobody reads, writes */
	uint64_t read_us, computed_us;
};

struct stats_lane *stats_disk(struct stats *stats, column_t column, const char *name);
struct stats_lane *stats_level(struct stats *stats, level_t level, const char *name);
struct stats_lane *stats_cores(struct stats *stats);
struct stats_lane *stats_limit(struct stats *stats);

/* The coordinator waited for a stripe from `begin_us` to `end_us`. */
void stats_waited(struct stats *stats, const struct stats_marks *marks, uint64_t begin_us, uint64_t end_us);

unsigned stats_count(const struct stats *stats);
/* Fill stats_count() lanes; a lane_source asks so. */
void stats_ask(void *stats, struct lane *lanes);

#endif
