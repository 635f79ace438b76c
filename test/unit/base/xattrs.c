/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xattrs.h"

static void add(struct buf *set, const char *name, const char *value)
{
	xattrs_add(set, &(struct xattr){ name, (const uint8_t *)value, (uint32_t)strlen(value) });
}

static bool is_valid(const struct buf *set)
{
	return xattrs_are_valid((const uint8_t *)set->data, set->size);
}

static void what_was_added_is_found(void **state)
{
	struct buf set = { 0 };
	struct xattr xattr;

	(void)state;
	add(&set, "user.a", "one");
	add(&set, "user.b", "");
	assert_true(is_valid(&set));
	assert_true(xattrs_find((const uint8_t *)set.data, set.size, "user.a", &xattr));
	assert_int_equal(xattr.size, 3);
	assert_memory_equal(xattr.value, "one", 3);
	assert_true(xattrs_find((const uint8_t *)set.data, set.size, "user.b", &xattr));
	assert_int_equal(xattr.size, 0);
	assert_false(xattrs_find((const uint8_t *)set.data, set.size, "user.c", &xattr));
	buf_done(&set);
}

static void no_part_of_a_set_is_one(void **state)
{
	struct buf set = { 0 };
	size_t first;

	(void)state;
	add(&set, "user.a", "one");
	first = set.size;
	add(&set, "user.b", "two");
	for (size_t size = 0; size < set.size; size++)
		assert_int_equal(xattrs_are_valid((const uint8_t *)set.data, size), size == 0 || size == first);
	buf_done(&set);
}

static void names_ascend_and_are_not_empty(void **state)
{
	struct buf twice = { 0 }, back = { 0 }, empty = { 0 }, large = { 0 };
	char *name = malloc(300);

	(void)state;
	add(&twice, "user.a", "1");
	add(&twice, "user.a", "1");
	add(&back, "user.b", "1");
	add(&back, "user.a", "1");
	add(&empty, "", "1");
	memset(name, 'n', 299);
	name[299] = '\0';
	add(&large, name, "1");
	assert_false(is_valid(&twice));
	assert_false(is_valid(&back));
	assert_false(is_valid(&empty));
	assert_false(is_valid(&large));
	buf_done(&twice);
	buf_done(&back);
	buf_done(&empty);
	buf_done(&large);
	free(name);
}

static void all_names_are_what_a_file_can_list(void **state)
{
	struct buf set = { 0 };
	char name[256];

	(void)state;
	for (unsigned i = 0; i < 256; i++) {
		memset(name, 'n', 255);
		name[255] = '\0';
		name[0] = (char)('A' + i / 16);
		name[1] = (char)('A' + i % 16);
		add(&set, name, "");
	}
	assert_true(is_valid(&set));			/* 64 KiB of names */
	add(&set, "z", "");
	assert_false(is_valid(&set));
	buf_done(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_found),
		cmocka_unit_test(no_part_of_a_set_is_one),
		cmocka_unit_test(all_names_are_what_a_file_can_list),
		cmocka_unit_test(names_ascend_and_are_not_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
