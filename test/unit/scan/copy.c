/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies and relocations between disks and on one. */
#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

static void assert_same_hashes(struct world *w, const char *path, unsigned disk, const uint8_t first[16])
{
	const struct file *file = world_file(w, path);
	const struct extent *extent;

	assert_non_null(file);
	extent = file->extent;
	assert_int_equal(extent->state, BLOCK_REP);
	assert_memory_equal(extent_hash(w->array->disk[disk]->map, extent, extent->at), first, 16);
}

static void a_copy_with_its_times_takes_the_hashes_wherever_it_lies(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/x/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/x/a", "d2/y/a");
	assert_items(w, "copy:d1:x/a:d2:y/a\n");
	assert_int_equal(scan_counts(w->scan)->copied, 1);
	assert_int_equal(scan_counts(w->scan)->equal, 1);
	world_scan_and_apply(w);
	assert_layout(w, 0, "x/a@0+3:b");
	assert_layout(w, 1, "y/a@0+3:p");
	assert_same_hashes(w, "d2/y/a", 1, (const uint8_t[16]){ 1, 0, 0 });
	assert_items(w, "");
}

static void a_copy_under_another_name_is_an_addition(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/b");
	assert_items(w, "add:d2:b\n");
}

static void without_nanoseconds_the_whole_path_has_to_be_the_same(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/x/a", 3000, 100, 0);
	world_sync(w);
	world_copy(w, "d1/x/a", "d2/y/a");
	assert_items(w, "add:d2:y/a\n");
	world_copy(w, "d1/x/a", "d2/x/a");
	assert_items(w, "copy:d1:x/a:d2:x/a\nadd:d2:y/a\n");
}

static void a_file_gone_to_another_disk_is_relocated_and_not_removed(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/keep", 10, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/a");
	world_remove(w, "d1/a");
	assert_items(w, "relocate:d1:a:d2:a\n");
	assert_int_equal(scan_counts(w->scan)->relocated, 1);
	assert_int_equal(scan_counts(w->scan)->removed, 0);
	world_scan_and_apply(w);
	assert_null(world_file(w, "d1/a"));
	assert_layout(w, 0, "@0+3:o keep@3+1:b");
	assert_same_hashes(w, "d2/a", 1, (const uint8_t[16]){ 1, 0, 0 });
}

static void a_file_gone_from_the_last_disk_to_the_first_is_relocated_too(void **state)
{
	struct world *w = *state;

	world_put(w, "d2/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d2/a", "d1/a");
	world_remove(w, "d2/a");
	assert_items(w, "relocate:d2:a:d1:a\n");
	world_scan_and_apply(w);
	assert_layout(w, 0, "a@0+3:p");
	assert_layout(w, 1, "@0+3:o");
}

static void two_files_that_change_places_between_disks_keep_their_hashes(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d2/b", 2000, 200, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "t");
	world_copy(w, "d2/b", "d1/b");
	world_remove(w, "d2/b");
	world_copy(w, "t", "d2/a");
	assert_items(w, "relocate:d2:b:d1:b\nrelocate:d1:a:d2:a\n");
	world_scan_and_apply(w);
	assert_layout(w, 0, "b@0+2:p @2+1:o");
	assert_layout(w, 1, "a@0+3:p");
	assert_same_hashes(w, "d1/b", 0, (const uint8_t[16]){ 1, 1, 0 });
	assert_same_hashes(w, "d2/a", 1, (const uint8_t[16]){ 1, 0, 0 });
}

static void a_copy_over_an_older_version_is_a_copy(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d2/a", 1000, 50, NSEC);
	world_put(w, "d2/z", 1000, 50, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/a");
	assert_items(w, "copy:d1:a:d2:a\n");
	world_scan_and_apply(w);
	assert_layout(w, 1, "a@0+1:p z@1+1:b a@2+2:p");
	assert_items(w, "");
}

static void a_source_whose_path_has_another_version_was_copied(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/a");
	world_put(w, "d1/a", 500, 200, NSEC);
	assert_items(w, "update:d1:a: 3000 100.123456789 -> 500 200.123456789\ncopy:d1:a:d2:a\n");
}

static void the_first_disk_with_the_data_is_the_source(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/x/a", 3000, 100, NSEC);
	world_put(w, "d2/x/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/x/a", "d2/y/a");
	assert_items(w, "copy:d1:x/a:d2:y/a\n");
	/* One that has not all its hashes is passed over. */
	extent_set(w->array->disk[0]->map, 1, BLOCK_CHG, NULL);
	assert_items(w, "copy:d2:x/a:d2:y/a\n");
}

static void no_copy_from_a_stripe_that_waits_for_rehash(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/a");
	info_set(w->array->info, 2, &(struct info){ .time = 800, .rehash = true });
	assert_items(w, "add:d2:a\n");
}

static void no_copy_into_a_stripe_that_waits_for_rehash(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 2048, 100, NSEC);
	world_put(w, "d2/f", 2048, 100, NSEC);
	world_put(w, "d2/g", 2048, 200, NSEC);
	world_sync(w);
	world_remove(w, "d2/g");
	world_copy(w, "d1/a", "d2/a");
	info_set(w->array->info, 3, &(struct info){ .time = 800, .rehash = true });
	world_scan_and_apply(w);
	assert_layout(w, 1, "f@0+2:b a@2+1:p a@3+1:g");
}

static void copies_are_not_looked_for_on_demand(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/a");
	world_remove(w, "d1/a");
	w->options.nocopy = true;
	assert_items(w, "add:d2:a\nremove:d1:a\n");
}

static void an_empty_file_is_nobodys_copy(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 0, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d2/a");
	assert_items(w, "add:d2:a\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_copy_with_its_times_takes_the_hashes_wherever_it_lies),
		TEST(a_copy_under_another_name_is_an_addition),
		TEST(without_nanoseconds_the_whole_path_has_to_be_the_same),
		TEST(a_file_gone_to_another_disk_is_relocated_and_not_removed),
		TEST(a_file_gone_from_the_last_disk_to_the_first_is_relocated_too),
		TEST(two_files_that_change_places_between_disks_keep_their_hashes),
		TEST(a_copy_over_an_older_version_is_a_copy),
		TEST(a_source_whose_path_has_another_version_was_copied),
		TEST(the_first_disk_with_the_data_is_the_source),
		TEST(no_copy_from_a_stripe_that_waits_for_rehash),
		TEST(no_copy_into_a_stripe_that_waits_for_rehash),
		TEST(copies_are_not_looked_for_on_demand),
		TEST(an_empty_file_is_nobodys_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
