/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define STRIPE	(3u << 20)
#define SPAN	10000

static uint64_t cpu, now;

static uint64_t cpu_us(void)
{
	return cpu;
}

/* A stripe was finished `span` us after the last one, while each of two cores worked `percent` of the time. */
static void finish(struct window *window, uint64_t waited, uint64_t span, unsigned percent)
{
	now += span;
	cpu += span * 2 * percent / 100;
	window_adapt(window, waited, now, cpu_us);
}

static struct window begin(size_t bytes, unsigned fixed)
{
	struct window window;

	cpu = now = 0;
	window_init(&window, bytes, fixed, 2, 0, 0);
	return window;
}

static void starts_small_whatever_the_stripe(void **state)
{
	(void)state;
	assert_int_equal(begin(STRIPE, 0).size, 6);
	assert_int_equal(begin(1 << 20, 0).size, 12);
	assert_int_equal(begin(100, 0).size, WINDOW_MAX);
	assert_int_equal(begin(1u << 30, 0).size, 4);
	assert_int_equal(begin(1u << 30, 0).most, 4);
}

static void doubles_while_a_disk_is_waited_for_up_to_its_memory(void **state)
{
	struct window window = begin(STRIPE, 0);

	(void)state;
	finish(&window, 8000, SPAN, 10);
	assert_int_equal(window.size, 12);
	finish(&window, 8000, SPAN, 10);
	assert_int_equal(window.size, 24);
	for (unsigned i = 0; i < 5; ++i)
		finish(&window, 8000, SPAN, 10);
	assert_int_equal(window.size, 85);	/* 256 MiB */
}

static void stays_where_no_disk_is_waited_for(void **state)
{
	struct window window = begin(STRIPE, 0);

	(void)state;
	finish(&window, 0, SPAN, 10);
	finish(&window, 1999, SPAN, 10);
	assert_int_equal(window.size, 6);
}

static void does_not_grow_while_the_cores_are_busy(void **state)
{
	struct window window = begin(STRIPE, 0);

	(void)state;
	finish(&window, 8000, SPAN, 50);
	assert_int_equal(window.size, 6);
	/* what the last span said holds until the next is over */
	finish(&window, 8000, SPAN / 2, 0);
	assert_int_equal(window.size, 6);
	/* and when nothing is known about them yet */
	window = begin(STRIPE, 0);
	finish(&window, 8000, SPAN / 2, 0);
	assert_int_equal(window.size, 6);
}

static void shrinks_back_slowly_while_the_cores_are_busy(void **state)
{
	struct window window = begin(STRIPE, 0);
	unsigned last;

	(void)state;
	for (unsigned i = 0; i < 5; ++i)
		finish(&window, 8000, SPAN, 10);
	last = window.size;
	finish(&window, 8000, SPAN, 90);
	assert_in_range(window.size, last * 9 / 10, last - 1);
	for (unsigned i = 0; i < 200; ++i)
		finish(&window, 8000, SPAN, 90);
	assert_int_equal(window.size, 6);
}

static void a_fixed_one_never_changes(void **state)
{
	struct window window = begin(STRIPE, 3);

	(void)state;
	finish(&window, 8000, SPAN, 10);
	assert_int_equal(window.size, 3);
	finish(&window, 8000, SPAN, 90);
	assert_int_equal(window.size, 3);
	assert_int_equal(begin(STRIPE, 10000).size, WINDOW_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_small_whatever_the_stripe),
		cmocka_unit_test(doubles_while_a_disk_is_waited_for_up_to_its_memory),
		cmocka_unit_test(stays_where_no_disk_is_waited_for),
		cmocka_unit_test(does_not_grow_while_the_cores_are_busy),
		cmocka_unit_test(shrinks_back_slowly_while_the_cores_are_busy),
		cmocka_unit_test(a_fixed_one_never_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
