/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "stripe/stats.h"

static struct stats stats;
static struct stats_lane *d1, *parity, *cores;

static int setup(void **state)
{
	(void)state;
	memset(&stats, 0, sizeof(stats));
	d1 = stats_disk(&stats, 3, "d1");
	parity = stats_level(&stats, 0, "parity");
	cores = stats_cores(&stats);
	d1->reads = true;
	return 0;
}

/* Who is charged how much for a wait from 100 to 200, if the last reader was done at `read_us` and so on. */
static void check(uint64_t read_us, uint64_t computed_us, uint64_t for_d1, uint64_t for_cores, uint64_t for_parity)
{
	struct stats_marks marks = { .reader = d1, .writer = parity, .read_us = read_us, .computed_us = computed_us };

	d1->waited_us = parity->waited_us = cores->waited_us = 0;
	stats_waited(&stats, &marks, 100, 200);
	assert_int_equal(d1->waited_us, for_d1);
	assert_int_equal(cores->waited_us, for_cores);
	assert_int_equal(parity->waited_us, for_parity);
}

static void a_wait_is_charged_to_those_who_were_last(void **state)
{
	(void)state;
	check(150, 160, 50, 10, 40);
	check(200, 200, 100, 0, 0);	/* all of it for the disk */
	check(20, 200, 0, 100, 0);	/* read long before: for the cores */
	check(20, 30, 0, 0, 100);	/* computed long before: for the writer */
	check(250, 260, 100, 0, 0);	/* never more than was waited */
}

static void where_nobody_reads_or_writes_nobody_is_charged(void **state)
{
	const struct stats_marks marks = { .read_us = 150, .computed_us = 160 };

	(void)state;
	stats_waited(&stats, &marks, 100, 200);
	assert_int_equal(d1->waited_us, 0);
	assert_int_equal(parity->waited_us, 0);
	assert_int_equal(cores->waited_us, 10);
}

static void lanes_are_those_who_take_part_in_the_order_disks_levels_cores(void **state)
{
	struct lane lane[4];

	(void)state;
	stats_limit(&stats);
	d1->read = 7;
	parity->written = 4;
	stats.computed = 6;
	stats.retired = 2;
	assert_int_equal(stats_count(&stats), 4);
	stats_ask(&stats, lane);
	assert_string_equal(lane[0].name, "d1");
	assert_int_equal(lane[0].kind, LANE_READS);
	assert_int_equal(lane[0].queue, 5);	/* read ahead of the oldest stripe that is not done */
	assert_string_equal(lane[1].name, "parity");
	assert_int_equal(lane[1].kind, LANE_WRITES);
	assert_int_equal(lane[1].queue, 2);	/* computed, and still to be written */
	assert_string_equal(lane[2].name, "cores");
	assert_string_equal(lane[3].name, "bw-limit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_wait_is_charged_to_those_who_were_last, setup),
		cmocka_unit_test_setup(where_nobody_reads_or_writes_nobody_is_charged, setup),
		cmocka_unit_test_setup(lanes_are_those_who_take_part_in_the_order_disks_levels_cores, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
