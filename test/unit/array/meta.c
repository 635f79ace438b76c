/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/meta.h"

static void equal_ones_are_one(void **state)
{
	struct arena *arena = arena_new();
	struct meta_table *table = meta_table_new(arena);
	uint8_t bytes[3] = { 1, 2, 3 };
	const struct meta like = { .mode = 0644, .uid = 1, .gid = 2, .xattrs = bytes, .xattr_bytes = 3 };
	struct meta *first = meta_intern(table, &like);

	(void)state;
	first->number = 7;
	bytes[2] = 4;	/* the table has its own copy */
	assert_int_equal(first->xattrs[2], 3);
	bytes[2] = 3;
	assert_ptr_equal(meta_intern(table, &like), first);
	meta_table_free(table);
	arena_free(arena);
}

static void each_difference_counts(void **state)
{
	struct arena *arena = arena_new();
	struct meta_table *table = meta_table_new(arena);
	const uint8_t bytes[3] = { 1, 2, 3 }, others[3] = { 1, 2, 4 };
	const struct meta like[] = {
		{ .mode = 0644 }, { .mode = 0600 }, { .mode = 0644, .uid = 1 }, { .mode = 0644, .gid = 1 },
		{ .mode = 0644, .sparse = true }, { .mode = 0644, .xattrs = bytes, .xattr_bytes = 3 },
		{ .mode = 0644, .xattrs = others, .xattr_bytes = 3 }, { .mode = 0644, .xattrs = bytes, .xattr_bytes = 2 },
	};
	const unsigned count = sizeof(like) / sizeof(like[0]);

	(void)state;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < i; k++)
			assert_ptr_not_equal(meta_intern(table, &like[i]), meta_intern(table, &like[k]));
	meta_table_free(table);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_ones_are_one),
		cmocka_unit_test(each_difference_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
