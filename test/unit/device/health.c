/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/health.h"

#define assert_near(value, expected, by) assert_true(fabs((value) - (expected)) < (by))

static const struct config nothing_ignored;

static struct smart disk_with(unsigned id, uint64_t raw)
{
	struct smart smart = { .rotation = 7200 };

	smart.attribute[id] = (struct smart_attribute){ .known = true, .raw = raw };
	return smart;
}

static double rate_of(unsigned id, uint64_t raw)
{
	struct smart smart = disk_with(id, raw);

	return health_rate(&smart, "d1", &nothing_ignored);
}

static void a_clean_disk_fails_less_often_than_the_average_one(void **state)
{
	static const unsigned ids[] = { 5, 187, 188, 197, 198 };

	(void)state;
	for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); ++i) {
		assert_true(rate_of(ids[i], 0) > 0.005);
		assert_true(rate_of(ids[i], 0) < 0.014);
	}
}

static void more_errors_never_make_it_better(void **state)
{
	static const unsigned ids[] = { 5, 187, 188, 197, 198 };

	(void)state;
	for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); ++i)
		for (uint64_t raw = 0; raw < 300; ++raw)
			assert_true(rate_of(ids[i], raw + 1) >= rate_of(ids[i], raw));
	assert_true(rate_of(5, 255) == rate_of(5, 1000000));
}

static void the_worst_counter_decides_not_their_sum(void **state)
{
	struct smart smart = disk_with(5, 1);

	(void)state;
	smart.attribute[187] = (struct smart_attribute){ .known = true, .raw = 20 };
	assert_true(health_rate(&smart, "d1", &nothing_ignored) == rate_of(187, 20));
}

static void other_counters_say_nothing(void **state)
{
	(void)state;
	assert_true(rate_of(9, 40000) < 0);
	assert_true(rate_of(194, 60) < 0);
}

static void an_ssd_or_a_disk_without_answer_has_no_estimate(void **state)
{
	struct smart smart = disk_with(5, 1);

	(void)state;
	smart.rotation = 0;
	assert_true(health_rate(&smart, "d1", &nothing_ignored) < 0);
	smart = disk_with(5, 1);
	smart.flags = SMARTCTL_OPEN;
	assert_true(health_rate(&smart, "d1", &nothing_ignored) < 0);
	smart.flags = SMARTCTL_ERROR_LOG;
	assert_true(health_rate(&smart, "d1", &nothing_ignored) > 0);
}

static void the_upper_bytes_of_a_raw_value_mean_something_else(void **state)
{
	(void)state;
	assert_true(rate_of(187, 0x10000) == rate_of(187, 0));
	assert_true(rate_of(188, 0x300030000) == rate_of(188, 0));
	assert_true(rate_of(5, 0x10000) == rate_of(5, 255));
	assert_true(rate_of(197, UINT64_C(0x100000000)) == rate_of(197, 0));
}

static void the_timeouts_of_seagate_are_not_counted(void **state)
{
	struct smart smart = disk_with(188, 7);

	(void)state;
	strcpy(smart.model, "ST8000DM004-2CX188");
	assert_true(health_rate(&smart, "d1", &nothing_ignored) < 0);
	strcpy(smart.model, "TOSHIBA HDWG480");
	assert_true(health_rate(&smart, "d1", &nothing_ignored) > 0);
}

static void smartignore_leaves_attributes_out(void **state)
{
	char d1[] = "d1", all[] = "*";
	struct smart_ignore ignore[] = { { .name = d1, .id = { 197, 198 }, .count = 2 }, { .name = all, .id = { 5 }, .count = 1 } };
	struct config config = { .smart_ignore = ignore, .smart_ignore_count = 2 };
	struct smart smart = disk_with(197, 8);

	(void)state;
	assert_true(health_rate(&smart, "d1", &config) < 0);
	assert_true(health_rate(&smart, "d2", &config) == rate_of(197, 8));
	smart = disk_with(5, 8);
	assert_true(health_rate(&smart, "d2", &config) < 0);
	smart = disk_with(187, 8);
	assert_true(health_rate(&smart, "d1", &config) == rate_of(187, 8));
}

static void smartignore_knows_attributes_by_their_name_too(void **state)
{
	char all[] = "*", word[] = "Current_Pending_Sector";
	struct smart_ignore ignore = { .name = all, .word = { word }, .count = 1 };
	struct config config = { .smart_ignore = &ignore, .smart_ignore_count = 1 };
	struct smart smart = disk_with(197, 8);

	(void)state;
	assert_true(health_rate(&smart, "d1", &config) == rate_of(197, 8));
	strcpy(smart.attribute[197].name, word);
	assert_true(health_rate(&smart, "d1", &config) < 0);
}

static void a_chance_is_between_none_and_all(void **state)
{
	(void)state;
	assert_true(health_chance(-1) == 0);
	assert_true(health_chance(0) == 0);
	assert_near(health_chance(0.04745), 0.0463418, 1e-6);
	assert_near(health_chance(0.5694), 0.434135, 1e-6);
	assert_true(health_chance(1e9) <= 1);
}

/* The numbers of SnapRAID for the same rate, disks and days: the formula is a common one. */
static void losses_follow_the_usual_formula(void **state)
{
	(void)state;
	assert_near(health_loss(0.14235, 5, 1, 7), 0.00031, 0.000005);
	assert_near(health_loss(0.14235, 5, 1, 90), 0.0040, 0.00005);
	assert_near(health_loss(0.14235, 5, 2, 30), 0.0000094, 0.00000005);
	assert_near(health_loss(0.14235, 5, 4, 7), 3.0e-13, 5e-15);
}

static void with_parity_for_every_disk_nothing_is_lost(void **state)
{
	(void)state;
	assert_true(health_loss(0.14235, 5, 5, 90) == 0);
	assert_true(health_loss(0.14235, 2, 6, 90) == 0);
	assert_true(health_loss(0, 5, 1, 90) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clean_disk_fails_less_often_than_the_average_one),
		cmocka_unit_test(more_errors_never_make_it_better),
		cmocka_unit_test(the_worst_counter_decides_not_their_sum),
		cmocka_unit_test(other_counters_say_nothing),
		cmocka_unit_test(an_ssd_or_a_disk_without_answer_has_no_estimate),
		cmocka_unit_test(the_upper_bytes_of_a_raw_value_mean_something_else),
		cmocka_unit_test(the_timeouts_of_seagate_are_not_counted),
		cmocka_unit_test(smartignore_leaves_attributes_out),
		cmocka_unit_test(smartignore_knows_attributes_by_their_name_too),
		cmocka_unit_test(a_chance_is_between_none_and_all),
		cmocka_unit_test(losses_follow_the_usual_formula),
		cmocka_unit_test(with_parity_for_every_disk_nothing_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
