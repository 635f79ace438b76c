/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/seen.h"

static const struct seen unknown, nothing = { .what = SEEN_NOTHING }, file = { SEEN_FILE, 10, 7, { 1000, 5 } };

static void assert_same(const struct seen *a, const struct seen *b, bool same)
{
	assert_int_equal(seen_same(a, b), same);
	assert_int_equal(seen_same(b, a), same);
}

static void what_is_not_known_may_be_anything(void **state)
{
	(void)state;
	assert_same(&unknown, &unknown, true);
	assert_same(&unknown, &nothing, true);
	assert_same(&unknown, &file, true);
	assert_same(&nothing, &nothing, true);
	assert_same(&nothing, &file, false);
}

static void size_time_and_inode_tell_files_apart(void **state)
{
	struct seen other = file;

	(void)state;
	assert_same(&file, &other, true);
	other.size = 11;
	assert_same(&file, &other, false);
	other = file;
	other.time.tv_sec++;
	assert_same(&file, &other, false);
	other = file;
	other.time.tv_nsec++;
	assert_same(&file, &other, false);
	other = file;
	other.inode = 8;
	assert_same(&file, &other, false);
	other.inode = 0;	/* not compared */
	assert_same(&file, &other, true);
}

static void what_stat_tells_is_kept(void **state)
{
	const struct stat st = { .st_size = 10, .st_ino = 7, .st_mtim = { 1000, 5 } };
	const struct seen seen = seen_file(&st);

	(void)state;
	assert_same(&file, &seen, true);
	assert_int_equal(seen.what, SEEN_FILE);
	assert_int_equal(seen.inode, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_known_may_be_anything),
		cmocka_unit_test(size_time_and_inode_tell_files_apart),
		cmocka_unit_test(what_stat_tells_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
