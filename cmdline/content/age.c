/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which copy is the newest? Mostly all are alike, or of one save that was killed between two of them, where any one is
 * good. But an old one may have been put back from a backup, with the time of that day. So what is inside tells:
 *
 *	the side file says when its content file was saved, and cannot be taken for that of another one;
 *	a copy without a side file was written by another program, or put back. Who worked with the array later has
 *		stripes of a later time. An old copy may have some, too, whose files were deleted since. If it is taken
 *		all the same, they are deleted again: that harms nothing, while the parity is not what an old copy says
 *		of stripes that were computed since. Whoever knows a save after these stripes is later anyhow;
 *	of the same stripes, more that are not synced: a sync has begun there since, and its parity may be any.
 *
 * Only copies that all this says nothing of, as those of a sync that had no stripe to do, go by the time of the file. */
#include <stdlib.h>
#include <string.h>

#include "array/info.h"
#include "content/copies.h"
#include "content/side.h"
#include "report/report.h"

#define NSEC		INT64_C(1000000000)
#define GRAIN_SECONDS	8	/* of the time of a stripe */

/* What a copy says. */
struct inside {
	bool usable;		/* it is whole */
	bool beyond;		/* only a later program can read it */
	int64_t saved;		/* see side_saved */
	int64_t latest;		/* the time of its latest stripe */
	stripe_t of_latest;	/* stripes of that time */
	stripe_t unsynced;
};

static int newer_first(const void *a, const void *b)
{
	const struct copy *x = *(struct copy *const *)a, *y = *(struct copy *const *)b;

	if (x->mtime.tv_sec != y->mtime.tv_sec)
		return x->mtime.tv_sec > y->mtime.tv_sec ? -1 : 1;
	if (x->mtime.tv_nsec != y->mtime.tv_nsec)
		return x->mtime.tv_nsec > y->mtime.tv_nsec ? -1 : 1;
	return x < y ? -1 : 1;
}

static bool same_content(const struct copy *a, const struct copy *b)
{
	return a->tail_known ? a->size == b->size && a->tail == b->tail : copy_same_save(a, b);
}

static void survey(const struct array *array, struct inside *inside)
{
	stripe_t end = info_map_end(array->info), run;

	for (stripe_t at = 0; at < end; at += run) {
		struct info info;

		run = info_run(array->info, at, end - at);
		if (!info_get(array->info, at, &info) || info.time < inside->latest)
			continue;
		inside->of_latest = run + (info.time == inside->latest ? inside->of_latest : 0);
		inside->latest = info.time;
	}
	inside->unsynced = array_unsynced_count(array);
}

/* Prove it, and find out what it says. */
static void look_inside(struct copy *copy, struct inside *inside)
{
	struct content *content;
	struct array *array;
	char *why;
	enum content_state state = content_map(copy->path, &content, &why);

	inside->usable = state == CONTENT_WHOLE;
	inside->beyond = state == CONTENT_NEWER;
	if (state == CONTENT_DAMAGED) {
		report(EV_CONTENT_DAMAGED, copy->path, why);
		copy->damaged = true;
	}
	free(why);
	if (!inside->usable)
		return;
	array = content_read(content, copy->path);
	inside->beyond = array == NULL;
	if (array != NULL)
		survey(array, inside);
	array_free(array);
	content_close(content);
}

/* More than 0: `a` was computed later than `b`. */
static int compare_stripes(const struct inside *a, const struct inside *b)
{
	if (a->latest != b->latest)
		return a->latest > b->latest ? 1 : -1;
	if (a->of_latest != b->of_latest)
		return a->of_latest > b->of_latest ? 1 : -1;
	return 0;
}

/* Is `a`, that has no side file, surely later? */
static bool is_later(const struct inside *a, const struct inside *b)
{
	int stripes = compare_stripes(a, b);

	if (!a->usable && !a->beyond)
		return false;
	if (a->beyond || b->beyond)
		return !b->beyond;	/* another one taken in its place would undo what the later program recorded */
	if (!b->usable)
		return true;
	if (stripes != 0)
		return stripes > 0 && a->latest + GRAIN_SECONDS > b->saved / NSEC;
	return a->unsynced > b->unsynced;
}

static void to_front(struct copy **list, unsigned i)
{
	struct copy *first = list[i];

	memmove(&list[1], &list[0], i * sizeof(struct copy *));
	list[0] = first;
}

/* They differ. What is damaged is told, and comes last in the comparison, whatever its time. */
static void order_by_inside(struct copy **list, unsigned count)
{
	struct inside *inside = mem_zalloc(count * sizeof(*inside));
	unsigned best = 0;

	for (unsigned i = 0; i < count; i++) {
		look_inside(list[i], &inside[i]);
		if (inside[i].usable)
			inside[i].saved = side_saved(list[i]);
	}
	/* The side file of one is that of all that are like it. */
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < count; k++)
			if (inside[i].usable && inside[i].saved < inside[k].saved && same_content(list[i], list[k]))
				inside[i].saved = inside[k].saved;
	for (unsigned i = 0; i < count; i++)
		if (inside[i].saved > inside[best].saved)
			best = i;
	for (unsigned i = 0; i < count; i++)
		if (inside[i].saved == 0 && is_later(&inside[i], &inside[best]))
			best = i;
	free(inside);
	to_front(list, best);
}

static bool are_alike(struct copy *const *list, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		if (!same_content(list[i], list[0]))
			return false;
	return true;
}

struct copy **copies_by_age(struct copy *copy, unsigned count, unsigned *present)
{
	struct copy **list = mem_alloc((count + 1) * sizeof(struct copy *));

	*present = 0;
	for (unsigned i = 0; i < count; i++)
		if (copy[i].state == COPY_PRESENT)
			list[(*present)++] = &copy[i];
	qsort(list, *present, sizeof(struct copy *), newer_first);
	if (!are_alike(list, *present))
		order_by_inside(list, *present);
	/* Another program's copies of one save differ in time by how fast their disks are. Of those like the newest the
	 * first of the configuration comes first: it is often on the system disk, which answers at once. */
	for (unsigned i = 1; i < *present; i++)
		if (!list[i]->damaged && same_content(list[i], list[0]) && list[i] < list[0])
			to_front(list, i);
	return list;
}
