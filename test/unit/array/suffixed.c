/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "array/array.h"
#include "array/suffixed.h"

static void only_recorded_names_that_end_so_are_known(void **state)
{
	static const struct stamp stamp = { 100, 5, 6 };
	struct array *array = array_new(1024, 16);
	struct disk *disk = array_add_disk(array, "d1", "/d1/");
	struct suffixed *suffixed;

	(void)state;
	disk_add_file(disk, "z", &stamp, 1);
	disk_add_file(disk, "x", &stamp, 1);
	assert_null(suffixed_new(disk, ".x"));
	assert_false(suffixed_has(NULL, "z.x"));
	disk_add_file(disk, "z.x", &stamp, 1);
	disk_add_file(disk, ".x", &stamp, 1);
	disk_add_file(disk, "z.x.y", &stamp, 1);
	disk_add_link(disk, "b/hard.x", "z", true);
	disk_add_link(disk, "b/soft.x", "z", false);
	disk_add_dir(disk, "a.x");
	suffixed = suffixed_new(disk, ".x");
	assert_true(suffixed_has(suffixed, "z.x"));
	assert_true(suffixed_has(suffixed, ".x"));
	assert_true(suffixed_has(suffixed, "b/hard.x"));
	assert_true(suffixed_has(suffixed, "b/soft.x"));
	assert_true(suffixed_has(suffixed, "a.x"));
	assert_false(suffixed_has(suffixed, "z"));
	assert_false(suffixed_has(suffixed, "z.x.y"));
	assert_false(suffixed_has(suffixed, "hard.x"));
	suffixed_free(suffixed);
	suffixed_free(NULL);
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(only_recorded_names_that_end_so_are_known) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
