/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tommyds/tommytable.h"

enum { COUNT = 20000 };

static int is_number(const void *arg, const void *data)
{
	return *(const int *)arg != *(const int *)data;
}

static void an_empty_table_has_nothing(void **state)
{
	struct tommy_table table = { NULL, 0, 0 };
	int one = 1;

	(void)state;
	assert_null(tommy_table_search(&table, is_number, &one, 1));
	tommy_table_done(&table);
}

static void what_was_inserted_is_found_and_nothing_else(void **state)
{
	struct tommy_table table = { NULL, 0, 0 };
	static int number[COUNT];

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		number[i] = i;
		tommy_table_insert(&table, &number[i], tommy_hash_u64((uint64_t)i));
	}
	for (int i = 0; i < 2 * COUNT; i++)
		assert_ptr_equal(tommy_table_search(&table, is_number, &i, tommy_hash_u64((uint64_t)i)),
				 i < COUNT ? &number[i] : NULL);
	assert_int_equal(table.count, COUNT);
	tommy_table_done(&table);
	assert_int_equal(table.room, 0);
}

/* Hashes that crowd at the end of the room and go round it. */
static void of_equal_objects_the_first_is_found_however_the_table_grows(void **state)
{
	struct tommy_table table = { NULL, 0, 0 };
	static int number[COUNT];

	(void)state;
	for (int i = 0; i < 400; i++) {
		number[i] = 7;
		tommy_table_insert(&table, &number[i], UINT64_MAX - (uint64_t)(i % 3));
		assert_ptr_equal(tommy_table_search(&table, is_number, &number[0], UINT64_MAX), &number[0]);
		if (i > 0)
			assert_ptr_equal(tommy_table_search(&table, is_number, &number[0], UINT64_MAX - 1), &number[1]);
	}
	tommy_table_done(&table);
}

static void a_reserved_table_does_not_move(void **state)
{
	struct tommy_table table = { NULL, 0, 0 };
	static int number[COUNT];
	const struct tommy_place *place;

	(void)state;
	tommy_table_reserve(&table, COUNT);
	place = table.place;
	for (int i = 0; i < COUNT; i++)
		tommy_table_insert(&table, &number[i], tommy_hash_u64((uint64_t)i));
	assert_ptr_equal(table.place, place);
	tommy_table_done(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_table_has_nothing),
		cmocka_unit_test(what_was_inserted_is_found_and_nothing_else),
		cmocka_unit_test(of_equal_objects_the_first_is_found_however_the_table_grows),
		cmocka_unit_test(a_reserved_table_does_not_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
