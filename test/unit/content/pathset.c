/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "content/pathset.h"

static void a_path_is_new_once_per_disk(void **state)
{
	struct pathset set = { 0 };

	(void)state;
	assert_true(pathset_add(&set, 0, "a"));
	assert_false(pathset_add(&set, 0, "a"));
	assert_true(pathset_add(&set, 1, "a"));
	assert_false(pathset_add(&set, 1, "a"));
	assert_true(pathset_add(&set, 0, "A"));
	pathset_done(&set);
	pathset_done(&set);
}

static void many_paths_are_all_kept(void **state)
{
	enum { COUNT = 20000 };
	static char name[COUNT][16];
	struct pathset set = { 0 };

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		snprintf(name[i], sizeof(name[i]), "dir/%d", i);
		assert_true(pathset_add(&set, (unsigned)i % 3, name[i]));
	}
	for (int i = 0; i < COUNT; i++)
		assert_false(pathset_add(&set, (unsigned)i % 3, name[i]));
	pathset_done(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_new_once_per_disk),
		cmocka_unit_test(many_paths_are_all_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
