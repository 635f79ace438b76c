/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/stamp.h"

static struct stat having(int64_t seconds, long nanoseconds)
{
	return (struct stat){ .st_mtim = { seconds, nanoseconds } };
}

static void a_time_is_compared_down_to_the_nanosecond(void **state)
{
	const struct stamp recorded = { 10, 1000, 5 };
	const struct stat same = having(1000, 5), later = having(1001, 5), finer = having(1000, 6);

	(void)state;
	assert_true(stamp_has_time(&recorded, &same));
	assert_false(stamp_has_time(&recorded, &later));
	assert_false(stamp_has_time(&recorded, &finer));
}

static void of_a_time_recorded_in_seconds_only_these_count(void **state)
{
	const struct stamp recorded = { 10, 1000, NSEC_UNKNOWN };
	const struct stat same = having(1000, 7), other = having(999, 7);

	(void)state;
	assert_true(stamp_has_time(&recorded, &same));
	assert_false(stamp_has_time(&recorded, &other));
}

static void what_is_not_known_of_a_time_is_set_to_zero(void **state)
{
	const struct stamp whole = { 10, -1000, 5 }, seconds = { 10, 1000, NSEC_UNKNOWN };

	(void)state;
	assert_int_equal(stamp_time(&whole).tv_sec, -1000);
	assert_int_equal(stamp_time(&whole).tv_nsec, 5);
	assert_int_equal(stamp_time(&seconds).tv_sec, 1000);
	assert_int_equal(stamp_time(&seconds).tv_nsec, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_is_compared_down_to_the_nanosecond),
		cmocka_unit_test(of_a_time_recorded_in_seconds_only_these_count),
		cmocka_unit_test(what_is_not_known_of_a_time_is_set_to_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
