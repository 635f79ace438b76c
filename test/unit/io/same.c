/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/same.h"
#include "test/unit/os/scratch.h"

static void files_with_the_same_bytes_are_the_same(void **state)
{
	int root = open_here();

	(void)state;
	make_file("a", "text");
	make_file("same", "text");
	make_file("other", "tent");
	make_file("longer", "text and more");
	make_file("empty", "");
	make_file("empty too", "");
	assert_int_equal(symlink("same", "link"), 0);
	assert_int_equal(truncate("longer", 200000), 0);
	make_file("large", "text and more");
	assert_int_equal(truncate("large", 200000), 0);
	assert_true(same_data(root, "a", "same"));
	assert_true(same_data(root, "empty", "empty too"));
	assert_true(same_data(root, "large", "longer"));
	assert_false(same_data(root, "a", "other"));
	assert_false(same_data(root, "a", "longer"));
	assert_false(same_data(root, "longer", "a"));
	assert_false(same_data(root, "a", "empty"));
	assert_false(same_data(root, "a", "link"));
	assert_false(same_data(root, "a", "missing"));
	make_file("large", "text and m0re");
	assert_int_equal(truncate("large", 200000), 0);
	assert_false(same_data(root, "large", "longer"));
	close(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = { in_scratch(files_with_the_same_bytes_are_the_same) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
