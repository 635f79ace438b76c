/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which copy is the newest? Mostly all are alike, or of one save that was killed between two of them, where any one is
 * good. But an old one may have been put back from a backup, with the time of that day. So the time of the file is only
 * asked where nothing better is known:
 *
 *	its side file tells when it was saved, and cannot be taken for that of another one;
 *	a copy without a side file was written by another program, or put back. If another program wrote it after
 *		those that have one, it has worked with the array, and a stripe of it has a later time. */
#include <stdlib.h>
#include <string.h>

#include "array/info.h"
#include "content/copies.h"
#include "content/side.h"

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

/* The time of the latest stripe in a copy. One that only a later program can read counts as later than all: another one
 * taken in its place would undo what that program recorded. A damaged one counts as earlier. */
static int64_t latest_stripe(const struct copy *copy)
{
	struct content *content;
	struct array *array;
	enum content_state state = content_peek(copy->path, &content, &array);
	int64_t latest = INT64_MIN;
	stripe_t end, run;

	if (state != CONTENT_WHOLE)
		return state == CONTENT_NEWER ? INT64_MAX : INT64_MIN;
	end = info_map_end(array->info);
	for (stripe_t at = 0; at < end; at += run) {
		struct info info;

		run = info_run(array->info, at, end - at);
		if (info_get(array->info, at, &info) && latest < info.time)
			latest = info.time;
	}
	array_free(array);
	content_close(content);
	return latest;
}

/* Is it older than the one that says it was saved last? */
static bool is_older(const struct copy *copy, const struct copy *last)
{
	if (same_content(copy, last))
		return false;
	if (copy->saved != 0)
		return copy->saved < last->saved;
	return latest_stripe(copy) <= latest_stripe(last);
}

static void to_front(struct copy **list, unsigned i)
{
	struct copy *first = list[i];

	memmove(&list[1], &list[0], i * sizeof(struct copy *));
	list[0] = first;
}

/* They differ: what do their side files say? */
static void ask_side_files(struct copy **list, unsigned count)
{
	unsigned last = 0, newest = 0;

	for (unsigned i = 0; i < count; i++) {
		list[i]->saved = side_saved(list[i]);
		if (list[i]->saved > list[last]->saved)
			last = i;
	}
	if (list[last]->saved == 0)
		return;
	while (newest < last && is_older(list[newest], list[last]))
		newest++;
	to_front(list, newest);
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
		ask_side_files(list, *present);
	/* Another program's copies of one save differ in time by how fast their disks are. Of those like the newest the
	 * first of the configuration comes first: it is often on the system disk, which answers at once. */
	for (unsigned i = 1; i < *present; i++)
		if (same_content(list[i], list[0]) && list[i] < list[0])
			to_front(list, i);
	return list;
}
