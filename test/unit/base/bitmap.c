/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bitmap.h"
#include "base/mem.h"

static void a_new_set_is_empty(void **state)
{
	struct bitmap *map = bitmap_new();

	(void)state;
	assert_false(bitmap_test(map, 0));
	assert_false(bitmap_test(map, STRIPE_NONE - 1));
	assert_true(bitmap_next(map, 0) == STRIPE_NONE);
	assert_int_equal(bitmap_count(map), 0);
	assert_int_equal(bitmap_end(map), 0);
	bitmap_free(map);
	bitmap_free(NULL);
}

/* Members are walked in order, at the borders of words and across empty words. */
static void next_finds_every_member_in_order(void **state)
{
	static const stripe_t member[] = { 0, 1, 63, 64, 127, 128, 1000, 6400 };
	struct bitmap *map = bitmap_new();
	stripe_t at = 0;

	(void)state;
	for (unsigned i = 8; i-- > 0;)
		bitmap_set(map, member[i]);
	for (unsigned i = 0; i < 8; ++i, ++at) {
		at = bitmap_next(map, at);
		assert_int_equal(at, member[i]);
		assert_true(bitmap_test(map, at));
	}
	assert_true(bitmap_next(map, at) == STRIPE_NONE);
	assert_true(bitmap_next(map, STRIPE_NONE) == STRIPE_NONE);
	assert_int_equal(bitmap_count(map), 8);
	assert_int_equal(bitmap_end(map), 6401);
	bitmap_free(map);
}

static void set_run_sets_exactly_its_stripes(void **state)
{
	(void)state;
	for (stripe_t at = 0; at < 130; at += 13) {
		for (stripe_t count = 0; count < 200; ++count) {
			struct bitmap *map = bitmap_new();

			bitmap_set_run(map, at, count);
			assert_int_equal(bitmap_count(map), count);
			if (count > 0) {
				assert_int_equal(bitmap_next(map, 0), at);
				assert_int_equal(bitmap_end(map), at + count);
			}
			bitmap_free(map);
		}
	}
}

static void and_keeps_what_both_have(void **state)
{
	struct bitmap *map = bitmap_new(), *other = bitmap_new();

	(void)state;
	bitmap_set_run(map, 10, 1000);
	bitmap_set_run(other, 0, 20);
	bitmap_and(map, other);
	assert_int_equal(bitmap_next(map, 0), 10);
	assert_int_equal(bitmap_end(map), 20);
	assert_int_equal(bitmap_count(map), 10);
	assert_int_equal(bitmap_count(other), 20);
	bitmap_free(map);
	bitmap_free(other);
}

static void or_takes_what_either_has(void **state)
{
	struct bitmap *map = bitmap_new(), *other = bitmap_new();

	(void)state;
	bitmap_set(map, 3);
	bitmap_set(other, 3);
	bitmap_set(other, 5000);
	bitmap_or(map, other);
	assert_int_equal(bitmap_count(map), 2);
	assert_true(bitmap_test(map, 3));
	assert_true(bitmap_test(map, 5000));
	bitmap_free(map);
	bitmap_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_set_is_empty),
		cmocka_unit_test(next_finds_every_member_in_order),
		cmocka_unit_test(set_run_sets_exactly_its_stripes),
		cmocka_unit_test(and_keeps_what_both_have),
		cmocka_unit_test(or_takes_what_either_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
