/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommyarray.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void array_make_room(struct tommy_array *array, size_t count)
{
	size_t room = array->room != 0 ? array->room : 16;

	if (count <= array->room)
		return;
	if (count > SIZE_MAX / 2 / sizeof(void *))
		abort();
	while (room < count)
		room *= 2;
	array->item = realloc(array->item, room * sizeof(void *));
	if (array->item == NULL)
		abort();
	array->room = room;
}

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
	array_make_room(array, array->count + 1);
	array->item[array->count++] = item;
}

void tommy_array_resize(struct tommy_array *array, size_t count)
{
	array_make_room(array, count);
	for (size_t i = array->count; i < count; ++i)
		array->item[i] = NULL;
	array->count = count;
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
