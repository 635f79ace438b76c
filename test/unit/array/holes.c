/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/array.h"
#include "array/holes.h"

/* Blocks at 2, 6..7 and 12; DELETED at 3. */
struct state {
	struct array *array;
	struct disk *disk;
};

static int setup(void **state)
{
	struct state *s = calloc(1, sizeof(*s));
	static const struct run run[] = { { 2, 1 }, { 6, 2 }, { 12, 1 } };
	static uint8_t hash[2 * 16];

	s->array = array_new(1024, 16);
	s->disk = array_add_disk(s->array, "d1", "/");
	for (unsigned i = 0; i < 3; i++) {
		struct stamp stamp = { run[i].count * 1024, 1, 1 };

		extent_insert(s->disk->map, disk_add_file(s->disk, "file", &stamp, 1), 0, run[i].at, run[i].count,
			      BLOCK_BLK, hash, false);
	}
	extent_insert(s->disk->map, NULL, 0, 3, 1, BLOCK_DELETED, hash, false);
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	struct state *s = *state;

	array_free(s->array);
	free(s);
	return 0;
}

static void expect_lowest(struct holes *holes, stripe_t most, stripe_t at, stripe_t count)
{
	struct run run = holes_take_lowest(holes, most);

	assert_int_equal(run.at, at);
	assert_int_equal(run.count, count);
}

static void the_smallest_hole_with_room_is_taken_and_the_lowest_of_several(void **state)
{
	struct state *s = *state;
	struct holes *holes = holes_new(s->disk->map, 20, NULL);

	/* 0..1, 3..5, 8..11, 13..19 */
	assert_int_equal(holes_room(holes), 16);
	assert_int_equal(holes_largest(holes), 7);
	assert_int_equal(holes_take_whole(holes, 4), 8);
	assert_int_equal(holes_take_whole(holes, 1), 0);
	assert_int_equal(holes_take_whole(holes, 2), 3);
	assert_int_equal(holes_take_whole(holes, 1), 1);
	assert_int_equal(holes_take_whole(holes, 8), STRIPE_NONE);
	assert_int_equal(holes_take_whole(holes, 7), 13);
	assert_int_equal(holes_take_whole(holes, 2), STRIPE_NONE);
	assert_int_equal(holes_take_whole(holes, 1), 5);
	assert_int_equal(holes_take_whole(holes, 1), STRIPE_NONE);
	assert_int_equal(holes_room(holes), 0);
	assert_int_equal(holes_largest(holes), 0);
	holes_free(holes);
}

static void the_lowest_stripes_go_on_beyond_the_end(void **state)
{
	struct state *s = *state;
	struct holes *holes = holes_new(s->disk->map, 14, NULL);

	assert_int_equal(holes_take_whole(holes, 1), 13);
	expect_lowest(holes, 9, 0, 2);
	expect_lowest(holes, 1, 3, 1);
	expect_lowest(holes, 9, 4, 2);
	expect_lowest(holes, 9, 8, 4);
	expect_lowest(holes, 3, 14, 3);
	expect_lowest(holes, 5, 17, 5);
	holes_free(holes);
}

static void beyond_a_low_end_no_hole_is_known_but_the_last(void **state)
{
	struct state *s = *state;
	struct holes *holes = holes_new(s->disk->map, 4, NULL);

	assert_int_equal(holes_take_whole(holes, 2), 0);
	expect_lowest(holes, 9, 3, 1);
	expect_lowest(holes, 9, 13, 9);
	holes_free(holes);
}

static void closed_stripes_are_in_no_hole(void **state)
{
	struct state *s = *state;
	struct bitmap *closed = bitmap_new();
	struct holes *holes;

	bitmap_set_run(closed, 0, 1);
	bitmap_set_run(closed, 9, 2);
	bitmap_set_run(closed, 15, 9);
	holes = holes_new(s->disk->map, 18, closed);
	bitmap_free(closed);
	expect_lowest(holes, 9, 1, 1);
	expect_lowest(holes, 9, 3, 3);
	expect_lowest(holes, 9, 8, 1);
	expect_lowest(holes, 9, 11, 1);
	expect_lowest(holes, 9, 13, 2);
	expect_lowest(holes, 9, 18, 9);
	holes_free(holes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_smallest_hole_with_room_is_taken_and_the_lowest_of_several, setup,
						teardown),
		cmocka_unit_test_setup_teardown(the_lowest_stripes_go_on_beyond_the_end, setup, teardown),
		cmocka_unit_test_setup_teardown(beyond_a_low_end_no_hole_is_known_but_the_last, setup, teardown),
		cmocka_unit_test_setup_teardown(closed_stripes_are_in_no_hole, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
