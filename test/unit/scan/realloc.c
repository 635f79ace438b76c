/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

/* a@0+2 b@2+2 z@4+2 on d1, with a hole in place of b. */
static void make_hole(struct world *w)
{
	world_put(w, "d1/a", 2048, 1, NSEC);
	world_put(w, "d1/b", 2048, 1, NSEC);
	world_put(w, "d1/z", 2048, 1, NSEC);
	world_sync(w);
	world_remove(w, "d1/b");
	world_sync(w);
	assert_layout(w, 0, "a@0+2:b z@4+2:b");
}

static void all_files_are_placed_anew_with_their_hashes(void **state)
{
	struct world *w = *state;
	const uint8_t of_five[16] = { 1, 0, 5 };
	const struct file *z;

	make_hole(w);
	scan_mark_realloc(w->array, 0);
	assert_true(w->array->changed);
	assert_layout(w, 0, "a@0+2:p z@4+2:p");
	world_scan_and_apply(w);
	assert_layout(w, 0, "a@0+2:p z@2+2:p @4+2:o");
	z = world_file(w, "d1/z");
	assert_memory_equal(extent_hash(w->array->disk[0]->map, file_extent(z, 1), 3), of_five, 16);
}

static void only_files_that_end_in_the_tail_are_placed_anew(void **state)
{
	struct world *w = *state;

	make_hole(w);
	scan_mark_realloc(w->array, 4);
	assert_layout(w, 0, "a@0+2:b z@4+2:p");
	world_scan_and_apply(w);
	assert_layout(w, 0, "a@0+2:b z@2+2:p @4+2:o");
}

static void a_block_whose_hash_is_of_the_past_stays_one(void **state)
{
	struct world *w = *state;

	make_hole(w);
	extent_set(w->array->disk[0]->map, 5, BLOCK_CHG, NULL);
	scan_mark_realloc(w->array, 0);
	assert_layout(w, 0, "a@0+2:p z@4+1:p z@5+1:g");
	world_scan_and_apply(w);
	assert_layout(w, 0, "a@0+2:p z@2+2:g @4+2:o");
}

static void a_file_with_hashes_of_the_old_kind_stays(void **state)
{
	struct world *w = *state;

	make_hole(w);
	info_set(w->array->info, 5, &(struct info){ .time = 800, .rehash = true });
	scan_mark_realloc(w->array, 0);
	assert_layout(w, 0, "a@0+2:p z@4+2:b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_files_are_placed_anew_with_their_hashes),
		TEST(only_files_that_end_in_the_tail_are_placed_anew),
		TEST(a_block_whose_hash_is_of_the_past_stays_one),
		TEST(a_file_with_hashes_of_the_old_kind_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
