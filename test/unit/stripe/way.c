/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/way.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SPAN	10000

/* Spans in which the cores are busy and so many bytes are read. */
static void spans(struct way *way, unsigned count, uint64_t bytes)
{
	for (unsigned i = 0; i < count; i++)
		way_adapt(way, true, bytes, SPAN);
}

static struct way begin(void)
{
	struct way way;

	way_init(&way);
	return way;
}

static void slow_disks_keep_their_readers(void **state)
{
	struct way way = begin();

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		way_adapt(&way, false, 1000, SPAN);
		assert_false(way.whole);
	}
}

static void busy_cores_read_what_they_compute_if_it_is_as_fast(void **state)
{
	struct way way = begin();

	(void)state;
	spans(&way, 1, 1000);
	assert_true(way.whole);
	spans(&way, 1, 1);		/* the change itself */
	spans(&way, 100, 990);
	assert_true(way.whole);
	way_adapt(&way, true, 2000, SPAN * 2);
	assert_true(way.whole);
}

static void the_readers_come_back_when_they_were_faster(void **state)
{
	struct way way = begin();

	(void)state;
	spans(&way, 2, 1000);
	spans(&way, 1, 900);
	assert_false(way.whole);
}

static void the_readers_come_back_when_the_cores_wait(void **state)
{
	struct way way = begin();

	(void)state;
	spans(&way, 3, 1000);
	way_adapt(&way, false, 5000, SPAN);
	assert_false(way.whole);
}

/* Spans until it is tried again, and then fails. */
static unsigned until_next_trial(struct way *way)
{
	unsigned count = 0;

	for (; !way->whole; count++)
		spans(way, 1, 1000);
	spans(way, 2, 500);
	assert_false(way->whole);
	return count;
}

static void trials_that_fail_become_rare_but_do_not_end(void **state)
{
	struct way way = begin();
	unsigned first = (until_next_trial(&way), until_next_trial(&way)), next = until_next_trial(&way), last = 0;

	(void)state;
	assert_true(first >= 10);
	assert_true(next >= 2 * first - 2);
	for (unsigned i = 0; i < 20; i++)
		last = until_next_trial(&way);
	assert_true(last > 500 && last < 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_disks_keep_their_readers),
		cmocka_unit_test(busy_cores_read_what_they_compute_if_it_is_as_fast),
		cmocka_unit_test(the_readers_come_back_when_they_were_faster),
		cmocka_unit_test(the_readers_come_back_when_the_cores_wait),
		cmocka_unit_test(trials_that_fail_become_rare_but_do_not_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
