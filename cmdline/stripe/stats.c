/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/stats.h"

#define LANE_COUNT	(COLUMN_MAX + LEVEL_MAX + 2)

static struct stats_lane *take_part(struct stats_lane *lane, const char *name)
{
	lane->name = name;
	return lane;
}

struct stats_lane *stats_disk(struct stats *stats, column_t column, const char *name)
{
	return take_part(&stats->lane[column], name);
}

struct stats_lane *stats_level(struct stats *stats, level_t level, const char *name)
{
	return take_part(&stats->lane[COLUMN_MAX + level], name);
}

struct stats_lane *stats_cores(struct stats *stats)
{
	return take_part(&stats->lane[COLUMN_MAX + LEVEL_MAX], "cores");
}

struct stats_lane *stats_limit(struct stats *stats)
{
	return take_part(&stats->lane[COLUMN_MAX + LEVEL_MAX + 1], "bw-limit");
}

static uint64_t between(uint64_t least, uint64_t value, uint64_t most)
{
	return value < least ? least : value > most ? most : value;
}

void stats_waited(struct stats *stats, const struct stats_marks *marks, uint64_t begin_us, uint64_t end_us)
{
	uint64_t read = between(begin_us, marks->read_us, end_us);
	uint64_t computed = between(read, marks->computed_us, end_us);

	if (marks->reader != NULL)
		marks->reader->waited_us += read - begin_us;
	stats_cores(stats)->waited_us += computed - read;
	if (marks->writer != NULL)
		marks->writer->waited_us += end_us - computed;
}

unsigned stats_count(const struct stats *stats)
{
	unsigned count = 0;

	for (unsigned i = 0; i < LANE_COUNT; ++i)
		count += stats->lane[i].name != NULL;
	return count;
}

/* The second number may only be the greater one. */
static uint64_t computed_but_not_written(struct stats *stats, struct stats_lane *lane)
{
	uint64_t written = atomic_load(&lane->written);

	return atomic_load(&stats->computed) - written;
}

void stats_ask(void *argument, struct lane *lanes)
{
	struct stats *stats = argument;

	for (unsigned i = 0; i < LANE_COUNT; ++i) {
		struct stats_lane *lane = &stats->lane[i];

		if (lane->name == NULL)
			continue;
		*lanes = (struct lane){
			.name = lane->name,
			.kind = i >= COLUMN_MAX + LEVEL_MAX ? LANE_OTHER : lane->reads ? LANE_READS : LANE_WRITES,
			.bytes = atomic_load(&lane->bytes),
			.busy_us = atomic_load(&lane->busy_us),
			.waited_us = lane->waited_us,
		};
		if (lanes->kind == LANE_READS)
			lanes->queue = atomic_load(&lane->read) - stats->retired;
		else if (lanes->kind == LANE_WRITES)
			lanes->queue = computed_but_not_written(stats, lane);
		++lanes;
	}
}
