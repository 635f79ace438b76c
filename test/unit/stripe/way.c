/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/way.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SPAN		10000
#define STRIPES		20
#define IN_FLIGHT	6

/* So many spans, each of `us`, of which the cores were busy all or nothing. */
static void spans(struct way *way, unsigned count, bool busy, uint64_t bytes, uint64_t us)
{
	const struct way_span span = { us, busy ? us : 0, bytes, STRIPES };

	for (unsigned i = 0; i < count; i++)
		way_adapt(way, &span, IN_FLIGHT);
}

static struct way begin(void)
{
	struct way way;

	way_init(&way, 2, 8, 2u << 20);
	spans(&way, 1, true, 1, SPAN);		/* the start */
	assert_false(way.whole);
	return way;
}

static void slow_disks_keep_their_readers(void **state)
{
	struct way way = begin();

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		spans(&way, 1, false, 1000, SPAN);
		assert_false(way.whole);
	}
}

static void busy_cores_read_what_they_compute_if_it_is_as_fast(void **state)
{
	struct way way = begin();

	(void)state;
	spans(&way, 1, true, 1000, SPAN);
	assert_true(way.whole);
	spans(&way, 1, true, 1, SPAN);		/* begun before the change */
	spans(&way, 50, true, 950, SPAN);
	assert_true(way.whole);
	spans(&way, 1, true, 2000, SPAN * 2);
	assert_true(way.whole);
}

static void the_readers_come_back_when_they_were_faster(void **state)
{
	struct way way = begin();

	(void)state;
	spans(&way, 2, true, 1000, SPAN);
	spans(&way, 1, true, 800, SPAN);
	assert_false(way.whole);
}

static void the_readers_come_back_when_the_cores_wait(void **state)
{
	struct way way = begin();

	(void)state;
	spans(&way, 3, true, 1000, SPAN);
	spans(&way, 1, false, 5000, SPAN);
	assert_false(way.whole);
}

static void few_stripes_tell_nothing(void **state)
{
	const struct way_span few = { SPAN, SPAN, 1000, 2 };
	struct way way = begin();

	(void)state;
	for (unsigned i = 0; i < 7; i++) {
		way_adapt(&way, &few, IN_FLIGHT);
		assert_false(way.whole);
	}
	way_adapt(&way, &few, IN_FLIGHT);
	assert_true(way.whole);
}

/* How long each of both ways was in use, in 20000 spans of which those with `whole` bring that many bytes in that time. */
static void play(struct way *way, uint64_t bytes, uint64_t us, uint64_t *readers, uint64_t *whole)
{
	*readers = *whole = 0;
	for (unsigned i = 0; i < 20000; i++) {
		bool is = way->whole;

		spans(way, 1, true, is ? bytes : 1000, is ? us : SPAN);
		*(is ? whole : readers) += is ? us : SPAN;
	}
}

static void trials_that_fail_take_little_of_the_time(void **state)
{
	struct way way = begin();
	uint64_t readers, whole;

	(void)state;
	/* On disks a trial takes long, as a stripe does that is read from one disk after the other. */
	play(&way, 1000, 10 * SPAN, &readers, &whole);
	assert_true(whole > 0);
	assert_true(whole * 90 < readers);
}

static void the_readers_are_measured_again(void **state)
{
	struct way way = begin();
	uint64_t readers, whole;

	(void)state;
	play(&way, 1500, SPAN, &readers, &whole);
	assert_true(readers > 0);
	assert_true(readers * 30 < whole);
	/* Now they would be faster. */
	for (unsigned i = 0; i < 20000; i++)
		spans(&way, 1, true, way.whole ? 1500 : 2000, SPAN);
	assert_true(way.rate > 0.19);
	play(&way, 500, SPAN, &readers, &whole);
	assert_true(whole * 30 < readers);
}

static void it_is_not_done_where_it_takes_too_much(void **state)
{
	struct way way;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		way_init(&way, 40, i == 0 ? 30 : 2, i == 0 ? 1 : 4u << 20);
		spans(&way, 100, true, 1000, SPAN);
		assert_false(way.whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_disks_keep_their_readers),
		cmocka_unit_test(busy_cores_read_what_they_compute_if_it_is_as_fast),
		cmocka_unit_test(the_readers_come_back_when_they_were_faster),
		cmocka_unit_test(the_readers_come_back_when_the_cores_wait),
		cmocka_unit_test(few_stripes_tell_nothing),
		cmocka_unit_test(trials_that_fail_take_little_of_the_time),
		cmocka_unit_test(the_readers_are_measured_again),
		cmocka_unit_test(it_is_not_done_where_it_takes_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
