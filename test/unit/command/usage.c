/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command/usage.h"

static uint8_t some_hash[100 * 16];

static struct file *add_file(struct disk *disk, const char *path, uint64_t size, uint32_t nsec)
{
	struct stamp stamp = { .size = size, .mtime_sec = 1, .mtime_nsec = nsec };

	return disk_add_file(disk, path, &stamp, 1);
}

static void put(struct disk *disk, struct file *file, block_t first, stripe_t at, stripe_t count,
		enum block_state state)
{
	assert_non_null(extent_insert(disk->map, file, first, at, count, state, some_hash, false));
}

/* A disk with 4 + 2 blocks, 1000 free; a parity of 10 stripes with room for 500 more. */
static struct array *make_array(void)
{
	struct array *array = array_new(1024, 16);
	struct disk *a = array_add_disk(array, "a", "/a/"), *b = array_add_disk(array, "b", "/b/");
	struct file *file = add_file(a, "two pieces", 4000, 1);

	put(a, file, 0, 0, 2, BLOCK_BLK);
	put(a, file, 2, 2, 1, BLOCK_CHG);	/* another state in the same place is no other piece */
	put(a, file, 3, 9, 1, BLOCK_BLK);
	put(a, add_file(a, "one piece", 2048, 0), 0, 4, 2, BLOCK_BLK);
	add_file(a, "empty", 0, NSEC_UNKNOWN);
	put(a, NULL, 0, 20, 5, BLOCK_DELETED);
	put(b, add_file(b, "small", 1, 1), 0, 0, 1, BLOCK_BLK);
	a->total_blocks = 2000;
	a->free_blocks = 1000;
	array->level_count = 2;
	array->level[0].total_blocks = array->level[1].total_blocks = 3000;
	array->level[0].free_blocks = 900;
	array->level[1].free_blocks = 500;
	return array;
}

static void files_blocks_and_pieces_are_counted(void **state)
{
	struct array *array = make_array();
	struct usage usage;

	(void)state;
	usage_of_disk(array, array->disk[0], &usage);
	assert_int_equal(usage.files, 3);
	assert_int_equal(usage.blocks, 6);
	assert_int_equal(usage.bytes, 6048);
	assert_int_equal(usage.fragmented, 1);
	assert_int_equal(usage.excess, 1);
	assert_int_equal(usage.allocated, 10);
	assert_int_equal(usage.zero_subsecond, 2);
	array_free(array);
}

static void room_is_what_both_the_disk_and_the_smallest_parity_allow(void **state)
{
	struct array *array = make_array();
	struct usage usage;

	(void)state;
	usage_of_disk(array, array->disk[0], &usage);
	assert_true(usage.room_known);
	assert_int_equal(usage.max_by_space, 1006);
	assert_int_equal(usage.max_by_parity, 510);
	assert_int_equal(usage.max, 510);
	assert_int_equal(usage.wasted_bytes, 496 * 1024);
	assert_int_equal(usage.free_bytes, 504 * 1024);
	assert_int_equal(usage_percent(&usage), 1);

	array->disk[0]->free_blocks = 4;
	usage_of_disk(array, array->disk[0], &usage);
	assert_int_equal(usage.max, 10);
	assert_int_equal(usage.wasted_bytes, -500 * 1024);
	assert_int_equal(usage_percent(&usage), 60);
	array_free(array);
}

static void a_disk_or_level_that_was_never_synced_has_no_known_room(void **state)
{
	struct array *array = make_array();
	struct usage usage;

	(void)state;
	usage_of_disk(array, array->disk[1], &usage);
	assert_false(usage.room_known);
	assert_int_equal(usage.files, 1);
	assert_int_equal(usage_percent(&usage), 0);
	array->level[1].total_blocks = 0;
	usage_of_disk(array, array->disk[0], &usage);
	assert_false(usage.room_known);
	array_free(array);
}

static void a_total_adds_what_is_wasted_and_not_what_is_not(void **state)
{
	struct array *array = make_array();
	struct usage total = { 0 }, a, b;

	(void)state;
	array->disk[1]->total_blocks = 100;
	array->disk[1]->free_blocks = 10;
	usage_of_disk(array, array->disk[0], &a);
	usage_of_disk(array, array->disk[1], &b);
	assert_true(b.wasted_bytes < 0);
	usage_add(&total, &a);
	usage_add(&total, &b);
	assert_int_equal(total.files, 4);
	assert_int_equal(total.blocks, 7);
	assert_int_equal(total.wasted_bytes, a.wasted_bytes);
	assert_int_equal(total.free_bytes, a.free_bytes + b.free_bytes);
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_blocks_and_pieces_are_counted),
		cmocka_unit_test(room_is_what_both_the_disk_and_the_smallest_parity_allow),
		cmocka_unit_test(a_disk_or_level_that_was_never_synced_has_no_known_room),
		cmocka_unit_test(a_total_adds_what_is_wasted_and_not_what_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
