/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config/near.h"

static void distance_counts_letters_put_in_taken_out_changed_and_swapped(void **state)
{
	(void)state;
	assert_int_equal(near_distance("data", "data"), 0);
	assert_int_equal(near_distance("DATA", "data"), 0);
	assert_int_equal(near_distance("DTAA", "data"), 1);
	assert_int_equal(near_distance("datta", "data"), 1);
	assert_int_equal(near_distance("dta", "data"), 1);
	assert_int_equal(near_distance("dara", "data"), 1);
	assert_int_equal(near_distance("dtaa", "data"), 1);
	assert_int_equal(near_distance("", "data"), 4);
	assert_int_equal(near_distance("sync", "diff"), 4);
	assert_int_equal(near_distance("a word that is much longer than any", "data"), NEAR_NONE);
}

static void only_a_nearer_and_similar_word_is_better(void **state)
{
	unsigned best = NEAR_NONE;

	(void)state;
	assert_false(near_is_better("xxxx", "data", &best));
	assert_false(near_is_better("ab", "up", &best));
	assert_true(near_is_better("excludes", "exclude", &best));
	assert_false(near_is_better("excludes", "excluded", &best));
	assert_true(near_is_better("exclude", "exclude", &best));
	assert_int_equal(best, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distance_counts_letters_put_in_taken_out_changed_and_swapped),
		cmocka_unit_test(only_a_nearer_and_similar_word_is_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
