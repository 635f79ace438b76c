/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing array of pointers. It owns the array, never what it points to.
 *
 * Cost: all calls O(1); an insert that grows is O(n), rarely. Memory: aborts if there is none.
 * Threads: none of its own; many may read while none changes it. */
#ifndef TOMMYDS_TOMMYARRAY_H
#define TOMMYDS_TOMMYARRAY_H

#include <assert.h>
#include <stddef.h>

#include "tommyds/tommylist.h"

struct tommy_array {
	void **item;
	size_t count;
	size_t room; /* items allocated */
};

/* Zeroed memory is an empty array too. */
void tommy_array_init(struct tommy_array *array);
void tommy_array_done(struct tommy_array *array);

/* Add at the end. */
void tommy_array_insert(struct tommy_array *array, void *item);
/* Order by `compare`, which gets the items, not their addresses; equal ones end in any order. */
void tommy_array_sort(struct tommy_array *array, tommy_compare_fn *compare);

static inline size_t tommy_array_count(const struct tommy_array *array)
{
	return array->count;
}

/* Item i, i < count. */
static inline void *tommy_array_get(const struct tommy_array *array, size_t i)
{
	assert(i < array->count);
	return array->item[i];
}

#endif
