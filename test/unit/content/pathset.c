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

static void an_empty_set_has_no_double(void **state)
{
	struct pathset set = { 0 };

	(void)state;
	assert_null(pathset_double(&set));
	pathset_add(&set, "a");
	assert_null(pathset_double(&set));
	pathset_done(&set);
	pathset_done(&set);
}

static void a_path_that_comes_twice_is_found_among_many(void **state)
{
	enum { COUNT = 20000 };
	static char name[COUNT][16];
	static const int places[] = { 0, 1, COUNT / 2, COUNT - 1 };

	(void)state;
	for (int i = 0; i < COUNT; i++)
		snprintf(name[i], sizeof(name[i]), "dir/%d", i);
	for (size_t p = 0; p < 1 + sizeof(places) / sizeof(places[0]); p++) {
		struct pathset set = { 0 };
		char again[16];

		for (int i = 0; i < COUNT; i++)
			pathset_add(&set, name[i]);
		assert_null(pathset_double(&set));
		if (p > 0) {
			strcpy(again, name[places[p - 1]]);
			pathset_add(&set, again);
			assert_string_equal(pathset_double(&set), again);
		}
		pathset_done(&set);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_set_has_no_double),
		cmocka_unit_test(a_path_that_comes_twice_is_found_among_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
