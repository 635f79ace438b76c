/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/thermal.h"
#include "os/clock.h"

static char d1[] = "d1", d2[] = "d2", here[] = "./";
static struct config_disk disks[] = { { .name = d1, .dir = here }, { .name = d2, .dir = here } };

/* The first made-up disk has 27 degrees, the second 28. */
static const struct config hot = { .disk = disks, .disk_count = 2, .temp_limit = 27, .temp_sleep_minutes = 5 };
static const struct config cool = { .disk = disks, .disk_count = 2, .temp_limit = 28, .temp_sleep_minutes = 5 };
static const struct options made_up = { .test.fake_device = true };
static const struct thermal_times quick = { .measure_ms = 20, .again_ms = 50, .pause_ms = 300 };

static void without_a_limit_nothing_is_watched(void **state)
{
	const struct config config = { .disk = disks, .disk_count = 2 };

	(void)state;
	assert_null(thermal_start(&config, &made_up, NULL));
	assert_false(thermal_is_hot(NULL));
	assert_int_equal(thermal_now(NULL), 0);
	thermal_pause(NULL);
	thermal_stop(NULL);
}

static void a_disk_over_the_limit_is_hot_at_once(void **state)
{
	struct thermal *thermal = thermal_start(&hot, &made_up, &quick);

	(void)state;
	assert_non_null(thermal);
	assert_int_equal(thermal_now(thermal), 28);
	assert_true(thermal_is_hot(thermal));
	thermal_stop(thermal);
}

static void a_disk_at_the_limit_is_not_hot(void **state)
{
	struct thermal *thermal = thermal_start(&cool, &made_up, &quick);

	(void)state;
	assert_non_null(thermal);
	os_sleep_ms(100);
	assert_int_equal(thermal_now(thermal), 28);
	assert_false(thermal_is_hot(thermal));
	thermal_stop(thermal);
}

static void a_pause_takes_its_time_and_then_measures_anew(void **state)
{
	struct thermal *thermal = thermal_start(&hot, &made_up, &quick);
	uint64_t begin = os_monotonic_ms();

	(void)state;
	thermal_pause(thermal);
	assert_true(os_monotonic_ms() - begin >= 300);
	for (unsigned i = 0; i < 500 && !thermal_is_hot(thermal); ++i)
		os_sleep_ms(10);
	assert_true(thermal_is_hot(thermal));
	thermal_stop(thermal);
}

static void stopping_does_not_wait_for_the_next_measurement(void **state)
{
	uint64_t begin = os_monotonic_ms();

	(void)state;
	thermal_stop(thermal_start(&hot, &made_up, NULL));
	assert_true(os_monotonic_ms() - begin < 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_limit_nothing_is_watched),
		cmocka_unit_test(a_disk_over_the_limit_is_hot_at_once),
		cmocka_unit_test(a_disk_at_the_limit_is_not_hot),
		cmocka_unit_test(a_pause_takes_its_time_and_then_measures_anew),
		cmocka_unit_test(stopping_does_not_wait_for_the_next_measurement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
