/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan.h"

#include <stdlib.h>

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
static struct age *collect_ages(const struct array *array, size_t *count)
{
	struct age *list = NULL;
	size_t room = 0, n = 0, last = 0;
	struct info info;

	for (stripe_t at = 0; at < info_map_end(array->info); ++at) {
		if (!info_get(array->info, at, &info) || info.bad)
			continue;
		/* Neighbours were mostly synced or scrubbed together. */
		if (n > 0 && list[n - 1].time == info.time) {
			++list[n - 1].count;
			continue;
		}
		mem_grow(&list, n, &room, sizeof(*list));
		list[n++] = (struct age){ info.time, 1 };
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
 * lowest stripes. `*limit`: ages below it are wholly in; `*rest`: how many of that age itself. */
static void cut_ages(const struct array *array, const struct scrub_choice *choice, int64_t *limit, stripe_t *rest)
{
	size_t count;
	struct age *ages = collect_ages(array, &count);
	stripe_t left = choice->quota;

	*limit = INT64_MIN;
	*rest = 0;
	for (size_t i = 0; i < count && ages[i].time <= choice->newest; ++i) {
		*limit = ages[i].time;
		*rest = ages[i].count < left ? ages[i].count : left;
		left -= *rest;
		if (*rest < ages[i].count)
			break;
	}
	free(ages);
}

struct bitmap *plan_scrub(const struct array *array, const struct scrub_choice *choice)
{
	struct bitmap *chosen = bitmap_new();
	int64_t limit = INT64_MIN;
	stripe_t rest = 0;
	struct info info;

	if (choice->kind == SCRUB_OLDEST)
		cut_ages(array, choice, &limit, &rest);
	for (stripe_t at = 0; at < info_map_end(array->info); ++at) {
		bool in;

		if (!info_get(array->info, at, &info))
			continue;
		in = info.bad || choice->kind == SCRUB_FULL || (choice->kind == SCRUB_NEW && info.just_synced) ||
		     (choice->kind == SCRUB_EVEN && at % 2 == 0);
		if (!in && choice->kind == SCRUB_OLDEST) {
			in = info.time < limit || (info.time == limit && rest > 0);
			if (in && info.time == limit)
				--rest;
		}
		if (in)
			bitmap_set(chosen, at);
	}
	return chosen;
}
