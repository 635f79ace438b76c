/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "plan/fix.h"

/* Two disks: file a at stripes 0 to 3 and file b at 6 to 7 of the first, file c at 2 to 5 of the second. Stripe
 * 3 is marked bad. */
static struct array *make_array(struct file *file[3])
{
	const struct info bad = { .time = 8, .bad = true };
	const struct stamp stamp = { 4 * 1024, 1, 1 }, short_stamp = { 2 * 1024, 1, 1 };
	struct array *array = array_new(1024, 16);
	struct disk *disk[2] = { array_add_disk(array, "d1", "/d1/"), array_add_disk(array, "d2", "/d2/") };
	uint8_t *hash = arena_alloc(array->arena, 4 * 16, 16);

	assert_true(array_map_disks(array));
	file[0] = disk_add_file(disk[0], "a", &stamp, 1);
	file[1] = disk_add_file(disk[0], "b", &short_stamp, 2);
	file[2] = disk_add_file(disk[1], "c", &stamp, 3);
	assert_non_null(extent_insert(disk[0]->map, file[0], 0, 0, 4, BLOCK_BLK, hash, true));
	assert_non_null(extent_insert(disk[0]->map, file[1], 0, 6, 2, BLOCK_BLK, hash, true));
	assert_non_null(extent_insert(disk[1]->map, file[2], 0, 2, 4, BLOCK_BLK, hash, true));
	info_set(array->info, 3, &bad);
	return array;
}

static void assert_stripes(const struct array *array, const struct fix_choice *choice, const char *expected)
{
	struct bitmap *stripes = plan_fix(array, choice);

	for (stripe_t at = 0; expected[at] != '\0'; at++)
		assert_int_equal(bitmap_test(stripes, at), expected[at] == 'x');
	assert_true(bitmap_end(stripes) <= 8);
	bitmap_free(stripes);
}

static void takes_every_stripe_with_a_file_if_parity_is_looked_at(void **state)
{
	struct file *file[3];
	struct array *array = make_array(file);

	(void)state;
	assert_stripes(array, &(struct fix_choice){ .every_stripe = true }, "xxxxxxxx");
	array_free(array);
}

static void takes_the_stripes_of_marked_files_otherwise(void **state)
{
	struct file *file[3];
	struct array *array = make_array(file);

	(void)state;
	assert_stripes(array, &(struct fix_choice){ 0 }, "........");
	file[1]->mark = 1;
	assert_stripes(array, &(struct fix_choice){ 0 }, "......xx");
	file[2]->mark = 1;
	assert_stripes(array, &(struct fix_choice){ 0 }, "..xxxxxx");
	array_free(array);
}

static void adds_bad_stripes_or_takes_only_them(void **state)
{
	struct file *file[3];
	struct array *array = make_array(file);
	struct bitmap *bad = array_bad_stripes(array);

	(void)state;
	assert_int_equal(bitmap_count(bad), 1);
	assert_true(bitmap_test(bad, 3));
	file[1]->mark = 1;
	assert_stripes(array, &(struct fix_choice){ .bad = bad }, "...x..xx");
	assert_stripes(array, &(struct fix_choice){ .bad = bad, .only_bad = true }, "...x....");
	bitmap_free(bad);
	array_free(array);
}

static void keeps_to_the_range(void **state)
{
	struct file *file[3];
	struct array *array = make_array(file);

	(void)state;
	assert_stripes(array, &(struct fix_choice){ .every_stripe = true, .start = 3 }, "...xxxxx");
	assert_stripes(array, &(struct fix_choice){ .every_stripe = true, .start = 3, .count = 2 }, "...xx...");
	assert_stripes(array, &(struct fix_choice){ .every_stripe = true, .start = 6, .count = UINT64_MAX }, "......xx");
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_every_stripe_with_a_file_if_parity_is_looked_at),
		cmocka_unit_test(takes_the_stripes_of_marked_files_otherwise),
		cmocka_unit_test(adds_bad_stripes_or_takes_only_them),
		cmocka_unit_test(keeps_to_the_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
