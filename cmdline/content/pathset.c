/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/pathset.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tommyds/tommyhashdyn.h"

#define DIGIT_BITS	11
#define DIGITS		3	/* of a hash that are sorted by: few others are equal in them by chance */

void pathset_add(struct pathset *set, const char *path)
{
	mem_grow(&set->entry, set->count, &set->room, sizeof(*set->entry));
	set->entry[set->count++] = (struct pathset_entry){ tommy_hash_bytes(path, strlen(path)), path };
}

static size_t digit(const struct pathset_entry *entry, unsigned at)
{
	return entry->hash >> at * DIGIT_BITS & ((1 << DIGIT_BITS) - 1);
}

/* By one digit; those of an equal one stay in their order. */
static void sort_by_digit(const struct pathset_entry *from, struct pathset_entry *to, size_t count, unsigned at)
{
	size_t place[1 << DIGIT_BITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < count; i++)
		place[digit(&from[i], at)]++;
	for (size_t d = 0; d < 1 << DIGIT_BITS; d++) {
		size_t some = place[d];

		place[d] = sum;
		sum += some;
	}
	for (size_t i = 0; i < count; i++)
		to[place[digit(&from[i], at)]++] = from[i];
}

static void sort(struct pathset *set)
{
	struct pathset_entry *other = mem_alloc(set->room * sizeof(*other));

	for (unsigned at = 0; at < DIGITS; at++) {
		struct pathset_entry *sorted = other;

		sort_by_digit(set->entry, sorted, set->count, at);
		other = set->entry;
		set->entry = sorted;
	}
	free(other);
}

static bool are_alike(const struct pathset_entry *a, const struct pathset_entry *b)
{
	return ((a->hash ^ b->hash) & ((UINT64_C(1) << DIGITS * DIGIT_BITS) - 1)) == 0;
}

static int compare_path(const void *a, const void *b)
{
	return strcmp(((const struct pathset_entry *)a)->path, ((const struct pathset_entry *)b)->path);
}

const char *pathset_double(struct pathset *set)
{
	size_t end;

	if (set->count == 0)
		return NULL;
	sort(set);
	for (size_t i = 0; i < set->count; i = end) {
		struct pathset_entry *first = &set->entry[i];

		for (end = i + 1; end < set->count && are_alike(first, &set->entry[end]); end++)
			;
		if (end - i > 1)
			qsort(first, end - i, sizeof(*first), compare_path);
		for (size_t k = i + 1; k < end; k++)
			if (compare_path(&set->entry[k - 1], &set->entry[k]) == 0)
				return set->entry[k].path;
	}
	return NULL;
}

void pathset_done(struct pathset *set)
{
	free(set->entry);
	*set = (struct pathset){ .entry = NULL };
}
