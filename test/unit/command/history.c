/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command/history.h"

#define DAY (24 * 60 * 60)

static void mark(struct array *array, stripe_t at, int64_t time, bool just_synced, bool bad)
{
	struct info info = { .time = time, .just_synced = just_synced, .bad = bad };

	info_set(array->info, at, &info);
}

static void stripes_are_summed_up_by_time(void **state)
{
	struct array *array = array_new(1024, 16);
	struct history history;

	(void)state;
	mark(array, 0, 800, false, false);
	mark(array, 1, 800, true, false);
	mark(array, 3, 80, false, true);
	mark(array, 4, 800, false, false);
	mark(array, 5, 8000, false, true);
	history_init(&history, array);
	assert_int_equal(history.count, 5);
	assert_int_equal(history.fresh, 1);
	assert_int_equal(history.rehash, 0);
	assert_int_equal(tommy_tree_count(&history.ages), 3);
	assert_int_equal(history.oldest, 80);
	assert_int_equal(history.median, 800);
	assert_int_equal(history.newest, 8000);
	assert_int_equal(bitmap_count(history.bad), 2);
	assert_true(bitmap_test(history.bad, 3));
	history_done(&history);
	array_free(array);
}

static void an_array_without_information_has_no_times(void **state)
{
	struct array *array = array_new(1024, 16);
	struct history history;

	(void)state;
	history_init(&history, array);
	assert_int_equal(history.count, 0);
	assert_int_equal(history.oldest, 0);
	history_done(&history);
	array_free(array);
}

static void a_single_time_fills_the_first_column(void **state)
{
	struct array *array = array_new(1024, 16);
	struct history history;
	struct chart chart;
	char text[CHART_COLUMNS + 1];
	unsigned row;

	(void)state;
	mark(array, 0, 800, true, false);
	history_init(&history, array);
	chart_init(&chart, &history);
	assert_int_equal(chart.highest, 1);
	for (row = 0; row < CHART_ROWS; ++row) {
		chart_row(&chart, row, text);
		assert_int_equal(strlen(text), CHART_COLUMNS);
		assert_int_equal(text[0], 'o');
		assert_int_equal(text[1], row == 0 ? '_' : ' ');
		assert_int_equal(text[CHART_COLUMNS - 1], row == 0 ? '_' : ' ');
	}
	history_done(&history);
	array_free(array);
}

static void the_newest_time_is_in_the_last_column_and_the_smallest_bar_is_seen(void **state)
{
	struct array *array = array_new(1024, 16);
	struct history history;
	struct chart chart;
	char text[CHART_COLUMNS + 1];
	stripe_t at;

	(void)state;
	for (at = 0; at < 1000; ++at)
		mark(array, at, 8000, at >= 500, false);
	mark(array, 1000, 8000 + 70 * DAY, false, false);
	history_init(&history, array);
	chart_init(&chart, &history);
	assert_int_equal(chart.scrubbed[CHART_COLUMNS - 1], 1);
	chart_row(&chart, 0, text);
	assert_int_equal(text[0], '*');
	assert_int_equal(text[CHART_COLUMNS - 1], '*');
	chart_row(&chart, 1, text);
	assert_int_equal(text[CHART_COLUMNS - 1], ' ');
	/* Half scrubbed: the lower half of the bar. */
	chart_row(&chart, CHART_ROWS / 2, text);
	assert_int_equal(text[0], '*');
	chart_row(&chart, CHART_ROWS / 2 + 1, text);
	assert_int_equal(text[0], 'o');
	chart_row(&chart, CHART_ROWS - 1, text);
	assert_int_equal(text[0], 'o');
	history_done(&history);
	array_free(array);
}

static void the_widest_times_stay_inside_the_chart(void **state)
{
	struct array *array = array_new(1024, 16);
	struct history history;
	struct chart chart;

	(void)state;
	mark(array, 0, 8, false, false);
	mark(array, 1, (int64_t)1 << 60, false, false);
	history_init(&history, array);
	chart_init(&chart, &history);
	assert_int_equal(chart.scrubbed[0], 1);
	assert_int_equal(chart.scrubbed[CHART_COLUMNS - 1], 1);
	history_done(&history);
	array_free(array);
}

static void days_are_whole_and_the_future_is_today(void **state)
{
	(void)state;
	assert_int_equal(days_ago(0, DAY - 1), 0);
	assert_int_equal(days_ago(0, DAY), 1);
	assert_int_equal(days_ago(10 * DAY, DAY), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stripes_are_summed_up_by_time),
		cmocka_unit_test(an_array_without_information_has_no_times),
		cmocka_unit_test(a_single_time_fills_the_first_column),
		cmocka_unit_test(the_newest_time_is_in_the_last_column_and_the_smallest_bar_is_seen),
		cmocka_unit_test(the_widest_times_stay_inside_the_chart),
		cmocka_unit_test(days_are_whole_and_the_future_is_today),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
