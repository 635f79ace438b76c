/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan/plan.h"

/* 100 stripes: 0..49 of time 800, 50..89 of time 1600, 90..99 of time 2400, those not scrubbed yet. */
static struct array *make(void)
{
	struct array *array = array_new(1024, 16);

	for (stripe_t at = 0; at < 100; ++at)
		info_set(array->info, at, &(struct info){ .time = at < 50 ? 800 : at < 90 ? 1600 : 2400,
							   .just_synced = at >= 90 });
	return array;
}

static void expect_run(struct bitmap *got, stripe_t first, stripe_t count)
{
	assert_int_equal(bitmap_count(got), count);
	for (stripe_t at = first; at < first + count; ++at)
		assert_true(bitmap_test(got, at));
	bitmap_free(got);
}

static struct bitmap *oldest(const struct array *array, stripe_t quota, int64_t newest)
{
	return plan_scrub(array, &(struct scrub_choice){ SCRUB_OLDEST, quota, newest, INT64_MAX });
}

static void the_oldest_age_is_taken_from_its_lowest_stripes(void **state)
{
	struct array *array = make();

	(void)state;
	expect_run(oldest(array, 10, INT64_MAX), 0, 10);
	expect_run(oldest(array, 50, INT64_MAX), 0, 50);
	array_free(array);
}

static void an_age_that_does_not_fit_is_taken_in_part(void **state)
{
	struct array *array = make();

	(void)state;
	expect_run(oldest(array, 55, INT64_MAX), 0, 55);
	expect_run(oldest(array, 1000, INT64_MAX), 0, 100);
	expect_run(oldest(array, 0, INT64_MAX), 0, 0);
	array_free(array);
}

static void a_time_that_is_yet_to_come_is_the_oldest(void **state)
{
	struct array *array = make();

	(void)state;
	expect_run(plan_scrub(array, &(struct scrub_choice){ SCRUB_OLDEST, 10, 800, 2000 }), 90, 10);
	expect_run(plan_scrub(array, &(struct scrub_choice){ SCRUB_OLDEST, 4, 800, 2000 }), 90, 4);
	expect_run(plan_scrub(array, &(struct scrub_choice){ SCRUB_OLDEST, 4, 800, 2400 }), 0, 4);
	array_free(array);
}

static void ages_after_the_limit_are_left(void **state)
{
	struct array *array = make();

	(void)state;
	expect_run(oldest(array, 1000, 1600), 0, 90);
	expect_run(oldest(array, 1000, 1599), 0, 50);
	expect_run(oldest(array, 1000, 799), 0, 0);
	array_free(array);
}

static void the_cut_says_what_is_taken(void **state)
{
	static const struct {
		stripe_t quota;
		int64_t newest;
		struct scrub_cut cut;
	} given[] = {
		{ 10, INT64_MAX, { 800, 10, 10 } },  { 50, INT64_MAX, { 800, 50, 50 } },
		{ 55, INT64_MAX, { 1600, 55, 5 } },  { 1000, INT64_MAX, { 2400, 100, 10 } },
		{ 0, INT64_MAX, { INT64_MIN, 0, 0 } },	     { 1000, 1599, { 800, 50, 50 } },
		{ 1000, 799, { INT64_MIN, 0, 0 } },
	};
	struct array *array = make();

	(void)state;
	for (unsigned i = 0; i < sizeof(given) / sizeof(given[0]); ++i) {
		const struct scrub_choice choice = { SCRUB_OLDEST, given[i].quota, given[i].newest, INT64_MAX };
		struct scrub_cut cut = plan_scrub_cut(array, &choice);

		assert_int_equal(cut.time, given[i].cut.time);
		assert_int_equal(cut.count, given[i].cut.count);
		assert_int_equal(cut.last, given[i].cut.last);
	}
	array_free(array);
}

static void bad_stripes_come_on_top_of_every_plan(void **state)
{
	struct array *array = make();
	static const enum scrub_kind kinds[] = { SCRUB_OLDEST, SCRUB_BAD, SCRUB_NEW, SCRUB_FULL, SCRUB_EVEN };

	(void)state;
	info_set(array->info, 71, &(struct info){ .time = 1600, .bad = true });
	for (unsigned i = 0; i < 5; ++i) {
		struct bitmap *got = plan_scrub(array, &(struct scrub_choice){ kinds[i], 0, 0, 0 });

		assert_true(bitmap_test(got, 71));
		bitmap_free(got);
	}
	expect_run(plan_scrub(array, &(struct scrub_choice){ .kind = SCRUB_BAD }), 71, 1);
	array_free(array);
}

static void new_takes_what_was_never_scrubbed(void **state)
{
	struct array *array = make();

	(void)state;
	expect_run(plan_scrub(array, &(struct scrub_choice){ .kind = SCRUB_NEW }), 90, 10);
	array_free(array);
}

static void stripes_without_info_are_never_taken(void **state)
{
	struct array *array = make();

	(void)state;
	for (stripe_t at = 0; at < 60; ++at)
		info_clear_run(array->info, at, 1);
	expect_run(plan_scrub(array, &(struct scrub_choice){ .kind = SCRUB_FULL }), 60, 40);
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_age_is_taken_from_its_lowest_stripes),
		cmocka_unit_test(an_age_that_does_not_fit_is_taken_in_part),
		cmocka_unit_test(a_time_that_is_yet_to_come_is_the_oldest),
		cmocka_unit_test(ages_after_the_limit_are_left),
		cmocka_unit_test(the_cut_says_what_is_taken),
		cmocka_unit_test(bad_stripes_come_on_top_of_every_plan),
		cmocka_unit_test(new_takes_what_was_never_scrubbed),
		cmocka_unit_test(stripes_without_info_are_never_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
