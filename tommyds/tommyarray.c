/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommyarray.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void tommy_array_init(struct tommy_array *array)
{
	memset(array, 0, sizeof(*array));
}

void tommy_array_done(struct tommy_array *array)
{
	free(array->item);
	tommy_array_init(array);
}

void tommy_array_insert(struct tommy_array *array, void *item)
{
	if (array->count == array->room) {
		if (array->room > SIZE_MAX / 4 / sizeof(void *))
			abort();
		array->room = array->room != 0 ? array->room * 2 : 16;
		array->item = realloc(array->item, array->room * sizeof(void *));
		if (array->item == NULL)
			abort();
	}
	array->item[array->count++] = item;
}

static int item_compare(const void *a, const void *b, void *arg)
{
	tommy_compare_fn *const *compare = arg;

	return (*compare)(*(void *const *)a, *(void *const *)b);
}

void tommy_array_sort(struct tommy_array *array, tommy_compare_fn *compare)
{
	if (array->count > 1)
		qsort_r(array->item, array->count, sizeof(void *), item_compare, &compare);
}
