/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "array/array.h"
#include "array/inodes.h"

static void only_another_file_with_inode_and_stamp_clashes(void **state)
{
	struct array *array = array_new(1024, 16);
	struct disk *disk = array_add_disk(array, "d1", "/d1/");
	struct stamp stamp = { 100, 5, 6 }, other = { 101, 5, 6 };
	struct file *a = disk_add_file(disk, "a", &stamp, 12);
	struct file *b = disk_add_file(disk, "b", &other, 12);
	struct inodes *inodes;

	(void)state;
	disk_add_file(disk, "unknown", &stamp, 0);
	for (uint64_t i = 20; i < 60; ++i)
		disk_add_file(disk, "more", &stamp, 80 - i);
	inodes = inodes_new(disk);
	assert_false(inodes_clash(inodes, 12, &stamp, a));
	assert_true(inodes_clash(inodes, 12, &stamp, b));
	assert_true(inodes_clash(inodes, 12, &other, a));
	assert_false(inodes_clash(inodes, 0, &stamp, a));
	assert_false(inodes_clash(inodes, 13, &stamp, a));
	for (uint64_t i = 21; i <= 60; ++i)
		assert_true(inodes_clash(inodes, i, &stamp, a));
	inodes_free(inodes);
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(only_another_file_with_inode_and_stamp_clashes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
