/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "capture.h"
#include "report/lanes.h"
#include "report/report.h"

static struct capture captured;
static struct lane disks[3];

static void ask(void *argument, struct lane *lanes)
{
	memcpy(lanes, argument, sizeof(disks));
}

static struct lanes *begin(void)
{
	const struct lane_source source = { .count = 3, .ask = ask, .argument = disks };

	disks[0] = (struct lane){ .name = "d1", .kind = LANE_READS };
	disks[1] = (struct lane){ .name = "parity", .kind = LANE_WRITES };
	disks[2] = (struct lane){ .name = "cores", .kind = LANE_OTHER };
	return lanes_new(&source);
}

/* A second of work: d1 is waited for. */
static void work(void)
{
	disks[0].bytes += 100000000;
	disks[0].busy_us += 990000;
	disks[0].waited_us += 800000;
	disks[1].bytes += 50000000;
	disks[1].busy_us += 250000;
	disks[1].queue = 3;
	disks[2].waited_us += 10000;
}

static void a_table_shows_rates_and_who_is_waited_for(void **state)
{
	struct lanes *lanes = begin();
	struct buf text = { 0 };

	(void)state;
	assert_null(lanes_slowest(lanes));
	work();
	lanes_sample(lanes, 1000);
	lanes_render(lanes, &text);
	assert_string_equal(text.data, "  Name        MB/s  Busy   Buffers  Waited for\n"
				       "  d1         100.0   99%    0 read   80% ****************\n"
				       "  parity      50.0   25%    3 left    0%\n"
				       "  cores                               1% *\n");
	assert_int_equal(lanes_height(lanes), 4);
	assert_string_equal(lanes_slowest(lanes), "d1");
	buf_done(&text);
	lanes_free(lanes);
}

static void what_was_slow_is_forgotten_after_some_seconds(void **state)
{
	struct lanes *lanes = begin();

	(void)state;
	for (unsigned second = 0; second < 10; ++second) {
		work();
		lanes_sample(lanes, 1000);
	}
	assert_string_equal(lanes_slowest(lanes), "d1");
	lanes_sample(lanes, 1000);
	assert_null(lanes_slowest(lanes));
	lanes_free(lanes);
}

static void at_the_end_the_whole_job_counts_and_the_bottleneck_is_named(void **state)
{
	struct lanes *lanes = begin();

	(void)state;
	work();
	work();
	lanes_sample(lanes, 2000);
	capture_begin(&captured, false);
	assert_int_equal(report_open(&(struct report_options){ .log = ">&2" }), 0);
	lanes_report(lanes, 4000);
	report_close();
	capture_end(&captured);
	assert_string_equal(captured.text[0], "\n  Name        MB/s  Busy  Waited for\n"
					      "  d1          50.0   50%   40% ********\n"
					      "  parity      25.0   13%    0%\n"
					      "  cores                     1% *\n"
					      "\nThe slowest was d1: all else waited for it 40% of the time.\n\n");
	assert_non_null(strstr(captured.text[1], "run:lane:d1:200000000:1980:1600\n"));
	lanes_free(lanes);
}

static void a_long_name_is_cut_so_that_a_row_has_room_in_80_columns(void **state)
{
	struct lanes *lanes = begin();
	struct buf text = { 0 };

	(void)state;
	lanes_free(lanes);
	disks[0].name = "a name of a disk that is longer than anybody should give";
	lanes = lanes_new(&(struct lane_source){ .count = 3, .ask = ask, .argument = disks });
	disks[0].waited_us = UINT64_MAX / 2;
	disks[0].bytes = 999999000000;
	lanes_sample(lanes, 1000);
	lanes_render(lanes, &text);
	for (const char *line = text.data; *line != '\0'; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") < 80);
	buf_done(&text);
	lanes_free(lanes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_shows_rates_and_who_is_waited_for),
		cmocka_unit_test(what_was_slow_is_forgotten_after_some_seconds),
		cmocka_unit_test(at_the_end_the_whole_job_counts_and_the_bottleneck_is_named),
		cmocka_unit_test(a_long_name_is_cut_so_that_a_row_has_room_in_80_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
