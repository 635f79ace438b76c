/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/disk.h"
#include "base/mem.h"

static const struct stamp nothing = { 0, 0, NSEC_UNKNOWN };

static void a_new_disk_is_unused_until_something_is_added(void **state)
{
	struct arena *arena = arena_new();
	struct disk *disk = disk_new("d1", "/mnt/d1/", 16, arena);
	struct file *file;
	struct link *link;
	struct dir *dir;

	(void)state;
	assert_true(disk_is_unused(disk));
	assert_int_equal(disk->column, COLUMN_NONE);
	assert_string_equal(disk->uuid, "");
	assert_null(disk->uuid_now);

	file = disk_add_file(disk, "a", &nothing, 7);
	assert_false(disk_is_unused(disk));
	disk_remove_file(disk, file);
	assert_true(disk_is_unused(disk));
	link = disk_add_link(disk, "l", "a", true);
	assert_false(disk_is_unused(disk));
	disk_remove_link(disk, link);
	dir = disk_add_dir(disk, "d");
	assert_false(disk_is_unused(disk));
	disk_remove_dir(disk, dir);
	assert_true(disk_is_unused(disk));
	disk_free(disk);
	arena_free(arena);
}

static void entries_keep_their_order_and_are_counted(void **state)
{
	struct arena *arena = arena_new();
	struct disk *disk = disk_new("d1", "/", 16, arena);
	struct file *a = disk_add_file(disk, "a", &nothing, 1);
	struct file *b = disk_add_file(disk, "b", &nothing, 2);
	struct file *c = disk_add_file(disk, "c", &nothing, 3);

	(void)state;
	disk_add_link(disk, "l", "target", false);
	disk_add_dir(disk, "d");
	assert_ptr_equal(tommy_list_head(&disk->files)->data, a);
	disk_remove_file(disk, b);
	assert_ptr_equal(a->node.next->data, c);
	assert_int_equal(disk->file_count, 2);
	assert_int_equal(disk->link_count, 1);
	assert_int_equal(disk->dir_count, 1);
	disk_free(disk);
	arena_free(arena);
}

static void a_removed_file_leaves_deleted_blocks(void **state)
{
	struct arena *arena = arena_new();
	struct disk *disk = disk_new("d1", "/", 2, arena);
	struct stamp stamp = { 3000, 1, 2 };
	struct file *file = disk_add_file(disk, "a", &stamp, 1);
	uint8_t *hash = arena_alloc(arena, 6, 1);

	(void)state;
	memcpy(hash, "aabbcc", 6);
	assert_non_null(extent_insert(disk->map, file, 0, 5, 3, BLOCK_BLK, hash, true));
	disk_remove_file(disk, file);
	assert_int_equal(extent_at(disk->map, 5)->state, BLOCK_DELETED);
	assert_memory_equal(extent_hash(disk->map, extent_at(disk->map, 6), 6), "bb", 2);
	assert_false(disk_is_unused(disk));
	extent_forget_deleted_run(disk->map, 0, extent_map_end(disk->map));
	assert_true(disk_is_unused(disk));
	disk_free(disk);
	arena_free(arena);
}

static void a_file_may_be_renamed_to_a_part_of_its_name(void **state)
{
	struct arena *arena = arena_new();
	struct disk *disk = disk_new("d1", "/", 16, arena);
	struct file *file = disk_add_file(disk, "dir/name", &nothing, 1);

	(void)state;
	disk_set_text(disk, &file->path, file->path + 4);
	assert_string_equal(file->path, "name");
	disk_free(disk);
	arena_free(arena);
}

static void blocks_of_a_file_are_counted_and_the_last_is_short(void **state)
{
	struct file file = { .stamp = { 0, 0, 0 } };

	(void)state;
	assert_int_equal(file_block_count(&file, 1024), 0);
	file.stamp.size = 1;
	assert_int_equal(file_block_count(&file, 1024), 1);
	assert_int_equal(file_block_bytes(&file, 0, 1024), 1);
	file.stamp.size = 2048;
	assert_int_equal(file_block_count(&file, 1024), 2);
	assert_int_equal(file_block_bytes(&file, 1, 1024), 1024);
	file.stamp.size = 2049;
	assert_int_equal(file_block_count(&file, 1024), 3);
	assert_int_equal(file_block_bytes(&file, 1, 1024), 1024);
	assert_int_equal(file_block_bytes(&file, 2, 1024), 1);
	file.stamp.size = UINT64_MAX;
	assert_int_equal(file_block_count(&file, 1024), UINT64_C(1) << 54);
}

static void stamps_are_equal_in_all_three_parts_only(void **state)
{
	struct stamp a = { 1, 2, 3 }, size = { 0, 2, 3 }, sec = { 1, 0, 3 }, nsec = { 1, 2, NSEC_UNKNOWN };

	(void)state;
	assert_true(stamp_equal(&a, &a));
	assert_false(stamp_equal(&a, &size));
	assert_false(stamp_equal(&a, &sec));
	assert_false(stamp_equal(&a, &nsec));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_disk_is_unused_until_something_is_added),
		cmocka_unit_test(entries_keep_their_order_and_are_counted),
		cmocka_unit_test(a_removed_file_leaves_deleted_blocks),
		cmocka_unit_test(a_file_may_be_renamed_to_a_part_of_its_name),
		cmocka_unit_test(blocks_of_a_file_are_counted_and_the_last_is_short),
		cmocka_unit_test(stamps_are_equal_in_all_three_parts_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
