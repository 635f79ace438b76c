/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/info.h"

static void what_was_set_is_got_with_the_time_cut(void **state)
{
	struct info_map *map = info_map_new();
	struct info in = { 1796031979, true, false, true }, out;

	(void)state;
	assert_false(info_get(map, 5, &out));
	info_set(map, 5, &in);
	assert_true(info_get(map, 5, &out));
	assert_int_equal(out.time, 1796031976);
	assert_true(out.bad);
	assert_false(out.rehash);
	assert_true(out.just_synced);
	assert_false(info_get(map, 4, &out));
	assert_false(info_get(map, 6, &out));
	assert_int_equal(info_map_end(map), 6);
	info_clear_run(map, 5, 1);
	assert_false(info_get(map, 5, &out));
	assert_int_equal(info_map_end(map), 0);
	info_map_free(map);
}

static void a_clock_that_was_never_set_makes_no_stripe_without_info(void **state)
{
	struct info_map *map = info_map_new();
	struct info early = { 7, false, false, false }, earlier = { -100, false, true, false }, out;

	(void)state;
	info_set(map, 1, &early);
	assert_true(info_get(map, 1, &out));
	assert_int_equal(out.time, INFO_TIME_MIN);
	info_set(map, 1, &earlier);
	assert_true(info_get(map, 1, &out));
	assert_true(out.rehash);
	assert_int_equal(out.time, INFO_TIME_MIN);
	info_map_free(map);
}

static void a_run_of_billions_costs_little(void **state)
{
	struct info_map *map = info_map_new();
	struct info info = { 800, false, false, false }, out;
	stripe_t end = UINT64_C(1) << 32;

	(void)state;
	info_set_run(map, 10, end - 20, &info);
	assert_false(info_get(map, 9, &out));
	assert_true(info_get(map, 10, &out));
	assert_true(info_get(map, end - 11, &out));
	assert_false(info_get(map, end - 10, &out));
	assert_int_equal(info_run(map, 0, STRIPE_NONE), 10);
	assert_int_equal(info_run(map, 10, STRIPE_NONE), end - 20);
	assert_int_equal(info_run(map, 10, 4087), 4087);
	assert_int_equal(info_run(map, end - 10, STRIPE_NONE), STRIPE_NONE);
	assert_int_equal(info_map_end(map), end - 10);
	info_clear_run(map, 11, UINT64_C(1) << 62);
	assert_int_equal(info_map_end(map), 11);
	info_map_free(map);
}

enum { MODEL = 3 * 4096 };

static void check_model(const struct info_map *map, const int64_t *model)
{
	struct info info;
	stripe_t end = MODEL;

	for (stripe_t at = 0; at < MODEL; at++)
		assert_int_equal(info_get(map, at, &info) ? info.time : 0, model[at]);
	while (end > 0 && model[end - 1] == 0)
		end--;
	assert_int_equal(info_map_end(map), end);
	for (stripe_t at = 0; at < MODEL;) {
		stripe_t same = 1, most = at % 5 == 0 ? 3 : MODEL - at;

		while (same < most && at + same < MODEL && model[at + same] == model[at])
			same++;
		assert_int_equal(info_run(map, at, most), same);
		at += same;
	}
}

static void random_runs_agree_with_a_plain_table(void **state)
{
	static int64_t model[MODEL];
	struct info_map *map = info_map_new();

	(void)state;
	srand(1);
	for (int round = 0; round < 400; round++) {
		stripe_t at = (stripe_t)rand() % MODEL, count = (stripe_t)rand() % (MODEL - at) + 1;
		struct info info = { 8 * (rand() % 3), false, false, false };

		if (rand() % 2 == 0)
			count = 1;
		if (rand() % 4 == 0) {
			at = at / 4096 * 4096;
			count = 4096;
		}
		if (info.time == 0)
			info_clear_run(map, at, count);
		else
			info_set_run(map, at, count, &info);
		for (stripe_t i = at; i < at + count; i++)
			model[i] = info.time;
		if (round % 10 == 0)
			check_model(map, model);
	}
	info_map_free(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_set_is_got_with_the_time_cut),
		cmocka_unit_test(a_clock_that_was_never_set_makes_no_stripe_without_info),
		cmocka_unit_test(a_run_of_billions_costs_little),
		cmocka_unit_test(random_runs_agree_with_a_plain_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
