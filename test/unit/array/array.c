/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/array.h"

static uint8_t some_hash[100 * 16];
static const struct stamp stamp = { 1024, 0, 0 };

static struct file *put(struct disk *disk, stripe_t at, stripe_t count, enum block_state state)
{
	struct file *file = NULL;

	if (state != BLOCK_DELETED)
		file = disk_add_file(disk, "f", &stamp, 1);
	assert_non_null(extent_insert(disk->map, file, 0, at, count, state, some_hash, false));
	return file;
}

static void disks_are_found_by_name_and_by_column(void **state)
{
	struct array *array = array_new(1024, 16);
	struct disk *a = array_add_disk(array, "a", "/a/"), *b = array_add_disk(array, "b", "/b/");

	(void)state;
	b->column = 7;
	assert_ptr_equal(array_find_disk(array, "a"), a);
	assert_null(array_find_disk(array, "c"));
	assert_ptr_equal(array_disk_at(array, 7), b);
	assert_null(array_disk_at(array, 0));
	assert_int_equal(array_column_end(array), 8);
	array_free(array);
}

static void new_disks_get_the_lowest_free_columns(void **state)
{
	struct array *array = array_new(1024, 16);
	struct disk *disk[4];
	static const char *const name[] = { "a", "b", "c", "d" };

	(void)state;
	for (int i = 0; i < 4; i++)
		disk[i] = array_add_disk(array, name[i], "/");
	disk[1]->column = 1;
	disk[2]->column = 3;
	assert_true(array_map_disks(array));
	assert_int_equal(disk[0]->column, 0);
	assert_int_equal(disk[1]->column, 1);
	assert_int_equal(disk[2]->column, 3);
	assert_int_equal(disk[3]->column, 2);
	array_free(array);
}

static void all_columns_can_be_used_and_no_more(void **state)
{
	struct array *array = array_new(1024, 16);

	(void)state;
	for (unsigned i = 0; i < COLUMN_MAX; i++)
		array_add_disk(array, "d", "/");
	assert_true(array_map_disks(array));
	assert_int_equal(array_column_end(array), COLUMN_MAX);
	array_free(array);
}

static void stripes_are_counted_by_files_and_used_ones_by_synced_blocks(void **state)
{
	struct array *array = array_new(1024, 16);
	struct disk *a = array_add_disk(array, "a", "/"), *b = array_add_disk(array, "b", "/");

	(void)state;
	assert_int_equal(array_stripe_count(array), 0);
	assert_int_equal(array_used_count(array), 0);
	put(a, 0, 3, BLOCK_BLK);
	put(a, 5, 2, BLOCK_CHG);
	put(b, 8, 4, BLOCK_DELETED);
	put(b, 3, 3, BLOCK_REP);
	assert_int_equal(array_stripe_count(array), 7);
	assert_int_equal(array_used_count(array), 3);
	array_free(array);
}

static void unsynced_stripes_have_a_file_and_something_not_in_parity(void **state)
{
	struct array *array = array_new(1024, 16);
	struct disk *a = array_add_disk(array, "a", "/"), *b = array_add_disk(array, "b", "/");
	struct bitmap *file, *unsynced;

	(void)state;
	put(a, 0, 1, BLOCK_BLK);
	put(a, 1, 1, BLOCK_BLK);
	put(b, 1, 1, BLOCK_DELETED);
	put(b, 2, 1, BLOCK_DELETED);
	put(a, 3, 1, BLOCK_CHG);
	put(b, 4, 1, BLOCK_REP);
	file = array_file_stripes(array);
	unsynced = array_unsynced_stripes(array);
	assert_int_equal(bitmap_count(file), 4);
	assert_false(bitmap_test(file, 2));
	assert_int_equal(bitmap_count(unsynced), 3);
	assert_false(bitmap_test(unsynced, 0));
	assert_true(bitmap_test(unsynced, 1));
	assert_true(bitmap_test(unsynced, 3));
	assert_true(bitmap_test(unsynced, 4));
	bitmap_free(file);
	bitmap_free(unsynced);
	array_free(array);
}

static void a_stripe_marked_rehash_has_the_past_hash(void **state)
{
	struct array *array = array_new(1024, 16);
	struct info rehash = { 80, false, true, false }, plain = { 80, true, false, true };

	(void)state;
	info_set(array->info, 4, &rehash);
	info_set(array->info, 5, &plain);
	assert_ptr_equal(array_hash_at(array, 3), &array->hash);
	assert_ptr_equal(array_hash_at(array, 4), &array->past_hash);
	assert_ptr_equal(array_hash_at(array, 5), &array->hash);
	array_free(array);
}

static void what_no_file_needs_is_forgotten_and_nothing_else(void **state)
{
	struct array *array = array_new(1024, 16);
	struct disk *a = array_add_disk(array, "a", "/"), *b = array_add_disk(array, "b", "/");
	struct info info = { 80, false, false, false };

	(void)state;
	info_set_run(array->info, 0, 20, &info);
	put(a, 2, 2, BLOCK_BLK);
	put(b, 0, 6, BLOCK_DELETED);
	put(b, 10, 3, BLOCK_DELETED);
	array_forget_unused(array);
	assert_null(extent_at(b->map, 1));
	assert_int_equal(extent_at(b->map, 2)->state, BLOCK_DELETED);
	assert_int_equal(extent_at(b->map, 3)->state, BLOCK_DELETED);
	assert_int_equal(extent_map_end(b->map), 4);
	assert_int_equal(extent_at(a->map, 2)->state, BLOCK_BLK);
	assert_false(info_get(array->info, 1, &info));
	assert_true(info_get(array->info, 2, &info));
	assert_true(info_get(array->info, 3, &info));
	assert_int_equal(info_map_end(array->info), 4);
	array_forget_unused(array);
	assert_int_equal(extent_map_end(b->map), 4);
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(disks_are_found_by_name_and_by_column),
		cmocka_unit_test(new_disks_get_the_lowest_free_columns),
		cmocka_unit_test(all_columns_can_be_used_and_no_more),
		cmocka_unit_test(stripes_are_counted_by_files_and_used_ones_by_synced_blocks),
		cmocka_unit_test(unsynced_stripes_have_a_file_and_something_not_in_parity),
		cmocka_unit_test(a_stripe_marked_rehash_has_the_past_hash),
		cmocka_unit_test(what_no_file_needs_is_forgotten_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
