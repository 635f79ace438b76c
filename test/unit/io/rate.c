/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/rate.h"
#include "os/clock.h"
#include "os/signal.h"

static void without_a_limit_nothing_waits(void **state)
{
	struct rate rate = { .limit = 0 };

	(void)state;
	for (int i = 0; i < 1000; ++i)
		assert_int_equal(rate_take(&rate, UINT64_MAX), 0);
	rate_owe(&rate, UINT64_MAX);
	assert_int_equal(rate_take(&rate, 1), 0);
}

static void what_was_moved_is_waited_for_before_the_next(void **state)
{
	struct rate rate = { .limit = 1000000 };
	uint64_t begin = os_monotonic_us();

	(void)state;
	assert_int_equal(rate_take(&rate, 100000), 0);	/* the first is free to go */
	rate_owe(&rate, 50000);
	assert_true(rate_take(&rate, 1) > 0);
	assert_true(os_monotonic_us() - begin >= 150000);
}

static void time_that_was_not_used_gives_no_burst(void **state)
{
	struct rate rate = { .limit = 1000000 };
	uint64_t begin;

	(void)state;
	rate_take(&rate, 1);
	os_sleep_ms(150);
	begin = os_monotonic_us();
	rate_take(&rate, 100000);
	rate_take(&rate, 1);
	assert_true(os_monotonic_us() - begin >= 100000);
}

static void a_signal_to_stop_ends_the_wait(void **state)
{
	struct rate rate = { .limit = 1 };
	uint64_t begin = os_monotonic_ms();

	(void)state;
	os_stop_install();
	rate_take(&rate, 1000);
	raise(SIGTERM);
	rate_take(&rate, 1000);
	assert_true(os_monotonic_ms() - begin < 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_limit_nothing_waits),
		cmocka_unit_test(what_was_moved_is_waited_for_before_the_next),
		cmocka_unit_test(time_that_was_not_used_gives_no_burst),
		cmocka_unit_test(a_signal_to_stop_ends_the_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
