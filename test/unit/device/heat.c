/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "device/heat.h"

/* A disk of `begin` degrees that ends at `steady`, in whole degrees, for `count` samples; `tau` in samples. */
static unsigned forecast(double begin, double steady, double tau, unsigned count)
{
	struct heat heat = { .count = 0 };

	for (unsigned i = 0; i < count; ++i)
		heat_add(&heat, (unsigned)(steady - (steady - begin) * exp(-(double)i / tau) + 0.5));
	return heat_steady(&heat);
}

static void the_end_is_known_long_before_it_comes(void **state)
{
	(void)state;
	for (unsigned count = 60; count < 400; count += 7)	/* half an hour and more */
		assert_in_range(forecast(28, 46, 40, count), 44, 48);
	assert_in_range(forecast(25, 60, 60, 100), 57, 63);
}

static void what_does_not_rise_has_no_forecast(void **state)
{
	struct heat heat = { .count = 0 };

	(void)state;
	assert_int_equal(forecast(40, 40, 10, 50), 0);
	assert_int_equal(forecast(50, 40, 10, 50), 0);
	for (unsigned i = 0; i < 50; ++i)
		heat_add(&heat, 40 + i % 2);
	assert_int_equal(heat_steady(&heat), 0);
	heat_reset(&heat);
	for (unsigned i = 0; i < 50; ++i)	/* ever faster: no disk, and no end */
		heat_add(&heat, 30 + i * i / 100);
	assert_int_equal(heat_steady(&heat), 0);
}

static void a_few_minutes_are_not_enough(void **state)
{
	struct heat heat = { .count = 0 };

	(void)state;
	assert_int_equal(heat_steady(&heat), 0);
	assert_int_equal(forecast(20, 60, 5, 23), 0);
}

static void days_of_samples_fit_and_a_reset_forgets(void **state)
{
	struct heat heat = { .count = 0 };

	(void)state;
	for (unsigned i = 0; i < 100000; ++i)
		heat_add(&heat, i < 20 ? 20 + i : 40);
	assert_true(heat.count <= HEAT_SAMPLES);
	assert_int_equal(heat_steady(&heat), 0);
	heat_reset(&heat);
	assert_int_equal(heat.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_is_known_long_before_it_comes),
		cmocka_unit_test(what_does_not_rise_has_no_forecast),
		cmocka_unit_test(a_few_minutes_are_not_enough),
		cmocka_unit_test(days_of_samples_fit_and_a_reset_forgets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
