/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/history.h"

static int compare_age(const void *a, const void *b)
{
	const struct age *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static struct age *find_age(struct history *history, int64_t time)
{
	struct age key = { .time = time };
	struct age *age = tommy_tree_search(&history->ages, &key);

	if (age == NULL) {
		age = arena_alloc(history->arena, sizeof(*age), _Alignof(struct age));
		*age = key;
		tommy_tree_insert(&history->ages, &age->node, age);
	}
	return age;
}

/* The time that half of the stripes have reached. */
static int64_t median_time(const struct history *history)
{
	struct tommy_tree_node *node;
	uint64_t passed = 0;

	for (node = tommy_tree_first(&history->ages); node != NULL; node = tommy_tree_next(node)) {
		const struct age *age = node->data;

		passed += age->scrubbed + age->fresh;
		if (passed * 2 >= history->count)
			return age->time;
	}
	return 0;
}

static void add_run(struct history *history, const struct info *info, stripe_t at, stripe_t count)
{
	struct age *age = find_age(history, info->time);

	history->count += count;
	if (info->just_synced) {
		history->fresh += count;
		age->fresh += count;
	} else {
		age->scrubbed += count;
	}
	if (info->rehash)
		history->rehash += count;
	if (info->bad)
		bitmap_set_run(history->bad, at, count);
}

void history_init(struct history *history, const struct array *array)
{
	stripe_t end = info_map_end(array->info);
	stripe_t at, run;

	*history = (struct history){ .arena = arena_new(), .bad = bitmap_new() };
	tommy_tree_init(&history->ages, compare_age);
	for (at = 0; at < end; at += run) {
		struct info info;

		run = info_run(array->info, at, end - at);
		if (info_get(array->info, at, &info))
			add_run(history, &info, at, run);
	}
	if (history->count == 0)
		return;
	history->oldest = ((struct age *)tommy_tree_first(&history->ages)->data)->time;
	history->newest = ((struct age *)tommy_tree_last(&history->ages)->data)->time;
	history->median = median_time(history);
}

void history_done(struct history *history)
{
	bitmap_free(history->bad);
	arena_free(history->arena);
}

void chart_init(struct chart *chart, const struct history *history)
{
	/* Times come from a file and may be anything; double has the precision that 70 columns need. */
	double span = (double)history->newest - (double)history->oldest + 1;
	struct tommy_tree_node *node;
	unsigned c;

	*chart = (struct chart){ .highest = 0 };
	for (c = 0; c < CHART_COLUMNS; ++c)
		chart->time[c] = (int64_t)((double)history->oldest + span * c / CHART_COLUMNS);
	for (node = tommy_tree_first(&history->ages); node != NULL; node = tommy_tree_next(node)) {
		const struct age *age = node->data;

		c = (unsigned)(((double)age->time - (double)history->oldest) * CHART_COLUMNS / span);
		if (c >= CHART_COLUMNS)
			c = CHART_COLUMNS - 1;
		chart->scrubbed[c] += age->scrubbed;
		chart->fresh[c] += age->fresh;
		if (chart->scrubbed[c] + chart->fresh[c] > chart->highest)
			chart->highest = chart->scrubbed[c] + chart->fresh[c];
	}
}

void chart_row(const struct chart *chart, unsigned row, char text[CHART_COLUMNS + 1])
{
	uint64_t floor = row * chart->highest;	/* of this row, in CHART_ROWSths of a stripe */
	unsigned c;

	for (c = 0; c < CHART_COLUMNS; ++c) {
		uint64_t scrubbed = chart->scrubbed[c];
		uint64_t all = scrubbed + chart->fresh[c];

		/* Whatever is there shows in the lowest row at least. */
		if (scrubbed * CHART_ROWS > floor)
			text[c] = '*';
		else if (all * CHART_ROWS > floor)
			text[c] = 'o';
		else
			text[c] = row == 0 ? '_' : ' ';
	}
	text[CHART_COLUMNS] = '\0';
}

uint64_t days_ago(int64_t then, int64_t now)
{
	return then >= now ? 0 : ((uint64_t)now - (uint64_t)then) / (24 * 60 * 60);
}
