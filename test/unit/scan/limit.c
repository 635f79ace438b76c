/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thresholds on what is removed and updated. */
#include <stdio.h>

#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

static const struct scan_limit_events events = { EV_THRESHOLD_STOP, EV_SCAN_EXAMPLE_STOP, EV_SCAN_MORE_STOP };

static bool reaches(struct world *w, enum scan_what what, bool percent, uint64_t at)
{
	struct threshold threshold = { true, percent, at };

	return scan_reaches(w->scan, what, &threshold, &events);
}

/* Twenty files, a link, and a file on the other disk. */
static void make(struct world *w)
{
	char path[16];

	for (int i = 10; i < 30; ++i) {
		snprintf(path, sizeof(path), "d1/f%d", i);
		world_put(w, path, 10, i, NSEC);
	}
	world_symlink(w, "x", "d1/link");
	world_put(w, "d2/big", 3000, 100, NSEC);
	world_sync(w);
}

static void a_threshold_not_given_is_never_reached(void **state)
{
	struct world *w = *state;
	struct threshold none = { .at = 0 };

	make(w);
	world_remove(w, "d1/f10");
	assert_true(world_scan(w));
	assert_false(scan_reaches(w->scan, SCAN_REMOVED, &none, &events));
}

static void removed_files_and_links_count_but_not_moved_and_relocated_ones(void **state)
{
	struct world *w = *state;

	make(w);
	world_remove(w, "d1/f10");
	world_remove(w, "d1/link");
	world_move(w, "d1/f11", "d1/moved");
	world_copy(w, "d1/f12", "d2/f12");
	world_remove(w, "d1/f12");
	world_put(w, "d1/f13", 20, 200, NSEC);
	assert_true(world_scan(w));
	assert_false(reaches(w, SCAN_REMOVED, false, 3));
	assert_true(reaches(w, SCAN_REMOVED, false, 2));
	assert_true(reaches(w, SCAN_UPDATED, false, 1));
	assert_false(reaches(w, SCAN_UPDATED, false, 2));
}

static void per_cent_are_of_all_recorded_files_and_links(void **state)
{
	struct world *w = *state;

	make(w);
	assert_true(world_scan(w));
	assert_false(reaches(w, SCAN_REMOVED, true, 1));
	for (int i = 10; i < 21; ++i) {
		char path[16];

		snprintf(path, sizeof(path), "d1/f%d", i);
		world_remove(w, path);
	}
	world_put(w, "d2/added", 10, 500, NSEC);
	assert_true(world_scan(w));
	assert_true(reaches(w, SCAN_REMOVED, true, 50));	/* 11 of 22 */
	assert_false(reaches(w, SCAN_REMOVED, true, 51));
	assert_false(reaches(w, SCAN_UPDATED, true, 1));
}

static void of_an_empty_array_no_share_is_reached(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	assert_true(world_scan(w));
	assert_false(reaches(w, SCAN_REMOVED, true, 1));
	assert_true(reaches(w, SCAN_REMOVED, false, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_threshold_not_given_is_never_reached),
		TEST(removed_files_and_links_count_but_not_moved_and_relocated_ones),
		TEST(per_cent_are_of_all_recorded_files_and_links),
		TEST(of_an_empty_array_no_share_is_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
