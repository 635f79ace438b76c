/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <time.h>

#include "os/clock.h"

static void sleep_takes_at_least_its_time(void **state)
{
	uint64_t start_us = os_monotonic_us(), start_ms = os_monotonic_ms();

	(void)state;
	os_sleep_ms(20);
	assert_true(os_monotonic_us() - start_us >= 20000);
	assert_in_range(os_monotonic_ms() - start_ms, 19, 10000);
}

static void wall_time_is_that_of_the_system(void **state)
{
	int64_t before = time(NULL);

	(void)state;
	assert_in_range(os_wall_seconds() - before, 0, 10);
}

static void random_bytes_differ(void **state)
{
	static const uint8_t zero[1000];
	uint8_t a[1000] = { 0 }, b[1000] = { 0 };

	(void)state;
	os_random(a, sizeof(a));
	os_random(b, sizeof(b));
	assert_memory_not_equal(a, b, sizeof(a));
	assert_memory_not_equal(a + 984, zero, 16);
	os_random(b, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleep_takes_at_least_its_time),
		cmocka_unit_test(wall_time_is_that_of_the_system),
		cmocka_unit_test(random_bytes_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
