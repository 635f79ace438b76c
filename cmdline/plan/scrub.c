/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan.h"

#include <stdlib.h>

#define BEFORE_ALL INT64_MIN

static int64_t time_of(const struct info *info, const struct scrub_choice *choice)
{
	return info->time > choice->now ? BEFORE_ALL : info->time;
}

/* Stripes of one age. */
struct age {
	int64_t time;
	stripe_t count;
};

static int compare_time(const void *a, const void *b)
{
	int64_t x = ((const struct age *)a)->time, y = ((const struct age *)b)->time;

	return (x > y) - (x < y);
}

/* All ages of stripes that are not bad, ascending, each once with its count. The array is the caller's. */
static struct age *collect_ages(const struct array *array, const struct scrub_choice *choice, size_t *count)
{
	struct age *list = NULL;
	size_t room = 0, n = 0, last = 0;
	const stripe_t end = info_map_end(array->info);
	stripe_t run;
	struct info info;

	for (stripe_t at = 0; at < end; at += run) {
		run = info_run(array->info, at, end - at);
		if (!info_get(array->info, at, &info) || info.bad)
			continue;
		/* Neighbours were mostly synced or scrubbed together. */
		if (n > 0 && list[n - 1].time == time_of(&info, choice)) {
			list[n - 1].count += run;
			continue;
		}
		mem_grow(&list, n, &room, sizeof(*list));
		list[n++] = (struct age){ time_of(&info, choice), run };
	}
	if (n > 0)
		qsort(list, n, sizeof(*list), compare_time);
	for (size_t i = 1; i < n; ++i) {
		if (list[i].time == list[last].time)
			list[last].count += list[i].count;
		else
			list[++last] = list[i];
	}
	*count = n > 0 ? last + 1 : 0;
	return list;
}

/* The oldest stripes up to the quota: all of an age while it fits, and of the first that does not fit the
 * lowest stripes. */
struct scrub_cut plan_scrub_cut(const struct array *array, const struct scrub_choice *choice)
{
	struct scrub_cut cut = { BEFORE_ALL, 0, 0 };
	size_t count;
	struct age *ages = collect_ages(array, choice, &count);
	stripe_t left = choice->quota;

	for (size_t i = 0; i < count && ages[i].time <= choice->newest && left > 0; ++i) {
		cut.time = ages[i].time;
		cut.last = ages[i].count < left ? ages[i].count : left;
		cut.count += cut.last;
		left -= cut.last;
	}
	free(ages);
	return cut;
}

/* How many of the `run` stripes of one info, from the first on, are in. */
static stripe_t count_chosen(const struct scrub_choice *choice, const struct info *info, stripe_t run,
			     const struct scrub_cut *cut)
{
	if (info->bad)
		return run;
	switch (choice->kind) {
	case SCRUB_FULL:
		return run;
	case SCRUB_NEW:
		return info->just_synced ? run : 0;
	case SCRUB_OLDEST:
		if (time_of(info, choice) == cut->time)
			return cut->last < run ? cut->last : run;
		return time_of(info, choice) < cut->time ? run : 0;
	default:
		return 0;
	}
}

static void set_even(struct bitmap *chosen, stripe_t at, stripe_t count)
{
	for (stripe_t i = at + at % 2; i < at + count; i += 2)
		bitmap_set(chosen, i);
}

struct bitmap *plan_scrub(const struct array *array, const struct scrub_choice *choice)
{
	struct bitmap *chosen = bitmap_new();
	const stripe_t end = info_map_end(array->info);
	struct scrub_cut cut = { BEFORE_ALL, 0, 0 };
	stripe_t run, count;
	struct info info;

	if (choice->kind == SCRUB_OLDEST)
		cut = plan_scrub_cut(array, choice);
	for (stripe_t at = 0; at < end; at += run) {
		run = info_run(array->info, at, end - at);
		if (!info_get(array->info, at, &info))
			continue;
		count = count_chosen(choice, &info, run, &cut);
		if (choice->kind == SCRUB_OLDEST && !info.bad && time_of(&info, choice) == cut.time)
			cut.last -= count;
		if (count > 0)
			bitmap_set_run(chosen, at, count);
		if (choice->kind == SCRUB_EVEN)
			set_even(chosen, at, run);
	}
	return chosen;
}
