/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommyarray.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void keeps_items_in_order_as_it_grows(void **state)
{
	static char place[5000];
	struct tommy_array array;

	(void)state;
	tommy_array_init(&array);
	for (size_t i = 0; i < sizeof(place); ++i) {
		assert_int_equal(tommy_array_count(&array), i);
		tommy_array_insert(&array, &place[i]);
	}
	for (size_t i = 0; i < sizeof(place); ++i)
		assert_ptr_equal(tommy_array_get(&array, i), &place[i]);
	tommy_array_done(&array);
	assert_int_equal(tommy_array_count(&array), 0);
}

static int int_compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void sort_orders_what_the_items_point_to(void **state)
{
	int value[5] = { 3, 1, 4, 0, 2 };
	struct tommy_array array = { 0 };

	(void)state;
	tommy_array_sort(&array, int_compare);
	for (int i = 0; i < 5; ++i)
		tommy_array_insert(&array, &value[i]);
	tommy_array_sort(&array, int_compare);
	for (size_t i = 0; i < 5; ++i)
		assert_int_equal(*(int *)tommy_array_get(&array, i), i);
	tommy_array_done(&array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_items_in_order_as_it_grows),
		cmocka_unit_test(sort_orders_what_the_items_point_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
