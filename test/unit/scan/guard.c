/* SPDX-License-Identifier: GPL-3.0-or-later */
/* behaviour.md 4: what a scan refuses to hand to a sync. */
#include <stdio.h>

#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

static const struct scan_guard strict, zero = { .allow_zero = true }, empty = { .allow_empty = true };

static void a_file_gone_to_zero_size_is_refused_once(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/b", 3000, 100, NSEC);
	world_sync(w);
	world_put(w, "d1/a", 0, 200, NSEC);
	assert_true(world_scan(w));
	assert_true(world_said(w, "--force-zero"));	/* diff warns */
	assert_true(world_said(w, "/d1/a"));
	assert_false(world_said(w, "/d1/b"));
	assert_int_equal(scan_check(w->scan, &strict), -1);
	assert_int_equal(scan_check(w->scan, &empty), -1);
	assert_int_equal(scan_check(w->scan, &zero), 0);
	world_scan_and_apply(w);
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), 0);
}

static void a_file_that_was_empty_may_stay_so(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 0, 100, NSEC);
	world_put(w, "d1/b", 10, 100, NSEC);
	world_sync(w);
	world_touch(w, "d1/a", 200, NSEC);
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), 0);
	assert_false(world_said(w, "WARNING"));
}

static void ten_examples_are_told_and_the_rest_counted(void **state)
{
	struct world *w = *state;
	char path[16];

	for (int i = 10; i < 22; ++i) {
		snprintf(path, sizeof(path), "d1/f%d", i);
		world_put(w, path, 10, 100, NSEC);
	}
	world_sync(w);
	for (int i = 10; i < 22; ++i) {
		snprintf(path, sizeof(path), "d1/f%d", i);
		world_put(w, path, 0, 200, NSEC);
	}
	assert_true(world_scan(w));
	assert_true(world_said(w, "empty now: 12."));
	assert_true(world_said(w, "f19\n"));
	assert_false(world_said(w, "    /f20\n"));
	assert_true(world_said(w, "and 2 more"));
}

static void a_disk_that_lost_all_is_refused(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_put(w, "d2/b", 10, 100, NSEC);
	world_sync(w);
	world_remove(w, "d1/a");
	world_put(w, "d1/new", 10, 300, NSEC);
	assert_true(world_scan(w));
	assert_true(world_said(w, "--force-empty"));
	assert_true(world_said(w, "disk 'd1'") || world_said(w, "Disk 'd1'"));
	assert_false(world_said(w, "'d2'"));
	assert_int_equal(scan_check(w->scan, &strict), -1);
	assert_int_equal(scan_check(w->scan, &zero), -1);
	assert_int_equal(scan_check(w->scan, &empty), 0);
}

static void a_disk_that_lost_its_only_link_is_refused(void **state)
{
	struct world *w = *state;

	world_symlink(w, "x", "d1/l");
	world_sync(w);
	world_remove(w, "d1/l");
	assert_true(world_scan(w));
	assert_true(world_said(w, "/d1/l\n"));
	assert_int_equal(scan_check(w->scan, &strict), -1);
}

static void a_disk_whose_files_are_all_other_versions_is_refused(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_sync(w);
	world_put(w, "d1/a", 20, 300, NSEC);
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), -1);
}

static void one_file_left_proves_the_disk(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_put(w, "d1/b", 10, 200, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/z");
	world_remove(w, "d1/b");
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), 0);
}

static void a_link_left_proves_nothing_of_files(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_put(w, "d1/b", 10, 200, NSEC);
	world_symlink(w, "a", "d1/l");
	world_sync(w);
	world_remove(w, "d1/a");
	world_remove(w, "d1/b");
	assert_true(world_scan(w));
	assert_true(world_said(w, "of 2 files of disk 'd1'") || world_said(w, "Of 2 files of disk 'd1'"));
	assert_false(world_said(w, "/d1/l\n"));
	assert_int_equal(scan_check(w->scan, &strict), -1);
	assert_int_equal(scan_check(w->scan, &empty), 0);
}

static void of_many_files_one_in_a_hundred_proves_nothing(void **state)
{
	struct world *w = *state;
	char path[16];

	for (int i = 0; i < 200; ++i) {
		snprintf(path, sizeof(path), "d1/f%03d", i);
		world_put(w, path, 10, 100 + i, NSEC);
	}
	world_sync(w);
	for (int i = 2; i < 200; ++i) {
		snprintf(path, sizeof(path), "d1/f%03d", i);
		world_remove(w, path);
	}
	assert_true(world_scan(w));
	assert_true(world_said(w, "/d1/f002\n"));
	assert_false(world_said(w, "/d1/f001\n"));
	assert_true(world_said(w, "and 188 more"));
	assert_int_equal(scan_check(w->scan, &strict), -1);
	world_put(w, "d1/f002", 10, 102, NSEC);
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), 0);
}

static void a_disk_whose_files_are_all_on_another_is_refused(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_put(w, "d1/b", 10, 200, NSEC);
	world_put(w, "d2/c", 10, 300, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/a");
	world_remove(w, "d1/a");
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), 0);
	world_copy(w, "d1/b", "d2/b");
	world_remove(w, "d1/b");
	assert_true(world_scan(w));
	assert_true(world_said(w, "seem to be of 'd1': 2."));
	assert_int_equal(scan_check(w->scan, &strict), -1);
	assert_int_equal(scan_check(w->scan, &empty), 0);
}

static void files_copied_to_another_place_of_the_disk_are_left(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_put(w, "d1/b", 10, 200, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d1/x/a");
	world_copy(w, "d1/b", "d2/b");
	world_remove(w, "d1/a");
	world_remove(w, "d1/b");
	assert_true(world_scan(w));
	assert_int_equal(scan_counts(w->scan)->relocated, 2);
	assert_int_equal(scan_check(w->scan, &strict), 0);
	world_remove(w, "d1/x/a");
	world_put(w, "d1/x/a", 10, 300, NSEC);
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), -1);
}

static void only_files_on_other_disks_are_told_to_be_elsewhere(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_put(w, "d1/b", 10, 200, NSEC);
	world_sync(w);
	world_remove(w, "d1/b");
	world_touch(w, "d1/a", 900, NSEC);
	assert_true(world_scan(w));
	assert_true(world_said(w, "'d1'"));
	assert_false(world_said(w, "seem to be of"));
	world_put(w, "d1/y/b", 10, 200, NSEC);
	world_put(w, "d2/b", 10, 200, NSEC);
	world_remove(w, "d1/y/b");
	assert_true(world_scan(w));
	assert_true(world_said(w, "seem to be of 'd1': 1."));
}

static void the_only_file_of_a_disk_may_go_to_another(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/a");
	world_remove(w, "d1/a");
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), 0);
}

static void disks_that_changed_places_are_refused(void **state)
{
	struct world *w = *state;

	world_trust(w, false);
	world_put(w, "d1/a", 10, 100, NSEC);
	world_put(w, "d1/same", 10, 150, NSEC);
	world_put(w, "d2/c", 10, 300, NSEC);
	world_put(w, "d2/same", 20, 350, NSEC);
	world_sync(w);
	world_move(w, "d1", "x");
	world_move(w, "d2", "d1");
	world_move(w, "x", "d2");
	assert_true(world_scan(w));
	assert_int_equal(scan_counts(w->scan)->removed, 0);
	assert_true(world_said(w, "seem to be of 'd1': 2."));
	assert_true(world_said(w, "seem to be of 'd2': 2."));
	assert_int_equal(scan_check(w->scan, &strict), -1);
}

static void a_disk_that_never_had_a_file_passes(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	assert_true(world_scan(w));
	assert_int_equal(scan_check(w->scan, &strict), 0);
}

static void a_copy_of_the_disk_that_lost_fractions_of_a_second_is_accepted(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_put(w, "d1/b", 10, 200, NSEC);
	world_sync(w);
	world_touch(w, "d1/a", 100, 0);
	world_touch(w, "d1/b", 200, 0);
	assert_true(world_scan(w));
	assert_int_equal(scan_counts(w->scan)->restored, 2);
	assert_int_equal(scan_check(w->scan, &strict), 0);
	world_touch(w, "d1/a", 100, 99);
	world_touch(w, "d1/b", 200, 99);
	assert_true(world_scan(w));
	assert_int_equal(scan_counts(w->scan)->updated, 2);
	assert_int_equal(scan_check(w->scan, &strict), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_gone_to_zero_size_is_refused_once),
		TEST(a_file_that_was_empty_may_stay_so),
		TEST(ten_examples_are_told_and_the_rest_counted),
		TEST(a_disk_that_lost_all_is_refused),
		TEST(a_disk_that_lost_its_only_link_is_refused),
		TEST(a_disk_whose_files_are_all_other_versions_is_refused),
		TEST(one_file_left_proves_the_disk),
		TEST(a_link_left_proves_nothing_of_files),
		TEST(of_many_files_one_in_a_hundred_proves_nothing),
		TEST(a_disk_whose_files_are_all_on_another_is_refused),
		TEST(files_copied_to_another_place_of_the_disk_are_left),
		TEST(only_files_on_other_disks_are_told_to_be_elsewhere),
		TEST(the_only_file_of_a_disk_may_go_to_another),
		TEST(disks_that_changed_places_are_refused),
		TEST(a_disk_that_never_had_a_file_passes),
		TEST(a_copy_of_the_disk_that_lost_fractions_of_a_second_is_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
