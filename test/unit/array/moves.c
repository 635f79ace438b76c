/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/moves.h"
#include "base/buf.h"

#define MANY	1000	/* blocks */

struct world {
	struct array *array;
	struct disk *disk[2];
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	w->array = array_new(1024, 16);
	w->disk[0] = array_add_disk(w->array, "d1", "/1");
	w->disk[1] = array_add_disk(w->array, "d2", "/2");
	array_map_disks(w->array);
	w->array->hash.kind = HASH_SPOOKY2;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	array_free(w->array);
	free(w);
	return 0;
}

/* Blocks of a file after those it has, synced; the first byte of a hash is the disk, the second the stripe. */
static void extend(struct world *w, unsigned d, struct file *file, stripe_t at, stripe_t count)
{
	block_t first = file->last != NULL ? file->last->first + file->last->count : 0;
	uint8_t *hash = arena_alloc(w->array->arena, count * 16, 1);

	memset(hash, 0, count * 16);
	for (stripe_t i = 0; i < count; i++) {
		hash[i * 16] = (uint8_t)(d + 1);
		hash[i * 16 + 1] = (uint8_t)(at + i);
	}
	extent_insert(w->disk[d]->map, file, first, at, count, BLOCK_BLK, hash, true);
	file->stamp.size += count * 1024;
	info_set_run(w->array->info, at, count, &(struct info){ .time = 80 });
}

static struct file *add(struct world *w, unsigned d, const char *name, stripe_t at, stripe_t count)
{
	struct stamp stamp = { 0, 1, 1 };
	struct file *file = disk_add_file(w->disk[d], name, &stamp, 1);

	extend(w, d, file, at, count);
	return file;
}

/* The blocks of a disk as "name@at+count:state ...": neighbours of one file and state are one, wherever their hashes lie. */
static void assert_layout(const struct world *w, unsigned d, const char *expected)
{
	static const char letter[] = "?bgpo";
	struct buf text = { NULL, 0, 0 };
	struct extent *next;

	buf_str(&text, "");
	for (struct extent *e = extent_from(w->disk[d]->map, 0); e != NULL; e = next) {
		stripe_t end = e->at + e->count;

		for (next = extent_next(e); next != NULL && next->at == end && next->file == e->file && next->state == e->state;
		     next = extent_next(next))
			end += next->count;
		buf_printf(&text, "%s%s@%" PRIu64 "+%" PRIu64 ":%c", text.size > 1 ? " " : "",
			   e->file != NULL ? e->file->path : "", e->at, end - e->at, letter[e->state]);
	}
	assert_string_equal(text.data, expected);
	buf_done(&text);
}

static void assert_hash(const struct world *w, unsigned d, stripe_t at, stripe_t of)
{
	const uint8_t expected[16] = { (uint8_t)(d + 1), (uint8_t)of };

	assert_memory_equal(extent_hash(w->disk[d]->map, extent_at(w->disk[d]->map, at), at), expected, 16);
}

/* What the job does with the new stripes of a file. */
static void sync_at(const struct world *w, unsigned d, stripe_t at, stripe_t count)
{
	for (stripe_t i = at; i < at + count; i++) {
		extent_set(w->disk[d]->map, i, BLOCK_BLK, NULL);
		info_set(w->array->info, i, &(struct info){ .time = 160, .just_synced = true });
	}
}

/* a@1+1 last@20+3 on d1, with a hole of one block and one of many; the other disk ends at 6. */
static void make_tail(struct world *w)
{
	add(w, 0, "a", 1, 1);
	add(w, 0, "last", 20, 3);
	add(w, 1, "b", 0, 6);
}

static void the_last_file_goes_through_all_that_protects_it(void **state)
{
	struct world *w = *state;
	struct moves *moves;

	make_tail(w);
	moves = moves_plan_end(w->array, MANY);
	assert_non_null(moves);
	assert_int_equal(moves->count, 1);
	assert_int_equal(moves->blocks, 3);
	assert_int_equal(moves->end, 6);
	assert_int_equal(bitmap_count(moves->to), 3);
	assert_layout(w, 0, "a@1+1:b last@20+3:b");

	moves_promise(moves);
	assert_true(w->array->changed);
	assert_layout(w, 0, "a@1+1:b @2+3:o last@20+3:b");
	assert_hash(w, 0, 2, 20);
	assert_hash(w, 0, 4, 22);

	moves_begin(moves);
	assert_layout(w, 0, "a@1+1:b last@2+3:p @20+3:o");
	assert_hash(w, 0, 21, 21);

	sync_at(w, 0, 2, 3);
	moves_end(moves, true);
	assert_layout(w, 0, "a@1+1:b last@2+3:b @20+3:o");
	assert_hash(w, 0, 2, 20);
	assert_hash(w, 0, 4, 22);
	assert_int_equal(array_stripe_count(w->array), 6);
	moves_free(moves);
	assert_null(moves_plan_end(w->array, MANY));
}

static void a_file_that_was_not_done_is_back_as_promised(void **state)
{
	struct world *w = *state;
	struct moves *moves;
	struct info info;

	make_tail(w);
	moves = moves_plan_end(w->array, MANY);
	moves_promise(moves);
	moves_begin(moves);
	sync_at(w, 0, 2, 1);
	info_set(w->array->info, 4, &(struct info){ .time = 80, .bad = true });
	moves_end(moves, true);
	assert_layout(w, 0, "a@1+1:b @2+3:o last@20+3:b");
	assert_hash(w, 0, 2, 20);
	assert_hash(w, 0, 3, 21);
	assert_hash(w, 0, 22, 22);
	assert_true(info_get(w->array->info, 22, &info) && info.bad && info.time == 80);
	assert_true(info_get(w->array->info, 21, &info) && !info.bad);
	moves_free(moves);
}

static void without_a_durable_parity_all_files_are_back(void **state)
{
	struct world *w = *state;
	struct moves *moves;

	make_tail(w);
	moves = moves_plan_end(w->array, MANY);
	moves_promise(moves);
	moves_begin(moves);
	sync_at(w, 0, 2, 3);
	moves_end(moves, false);
	assert_layout(w, 0, "a@1+1:b @2+3:o last@20+3:b");
	moves_free(moves);
}

static void a_file_in_pieces_keeps_the_order_of_its_blocks(void **state)
{
	struct world *w = *state;
	struct file *file;
	struct moves *moves;

	file = add(w, 0, "last", 7, 1);
	extend(w, 0, file, 12, 2);
	extend(w, 0, file, 40, 1);
	add(w, 0, "x", 1, 1);
	add(w, 0, "y", 4, 1);
	add(w, 1, "b", 0, 6);
	moves = moves_plan_end(w->array, MANY);
	assert_int_equal(moves->end, 6);
	moves_promise(moves);
	assert_layout(w, 0, "@0+1:o x@1+1:b @2+2:o y@4+1:b @5+1:o last@7+1:b last@12+2:b last@40+1:b");
	moves_begin(moves);
	sync_at(w, 0, 0, 1);
	sync_at(w, 0, 2, 2);
	sync_at(w, 0, 5, 1);
	moves_end(moves, true);
	assert_hash(w, 0, 0, 7);
	assert_hash(w, 0, 2, 12);
	assert_hash(w, 0, 3, 13);
	assert_hash(w, 0, 5, 40);
	assert_int_equal(file_extent(file, 3)->at, 5);
	moves_free(moves);
}

static void no_file_goes_where_another_one_comes_from(void **state)
{
	struct world *w = *state;
	struct file *file;
	struct moves *moves;

	/* Both have to go; of "first" a piece lies at 3, where the other disk has a hole. */
	file = add(w, 0, "first", 3, 1);
	extend(w, 0, file, 30, 1);
	add(w, 1, "second", 31, 4);
	add(w, 1, "b", 0, 1);
	add(w, 0, "a", 0, 3);
	add(w, 0, "c", 6, 4);
	moves = moves_plan_end(w->array, MANY);
	assert_int_equal(moves->end, 10);
	assert_int_equal(moves->count, 2);
	moves_promise(moves);
	assert_layout(w, 0, "a@0+3:b first@3+1:b @4+2:o c@6+4:b first@30+1:b");
	assert_layout(w, 1, "b@0+1:b @4+4:o second@31+4:b");
	assert_false(bitmap_test(moves->to, 3));
	moves_free(moves);
}

static void what_is_not_worth_it_stays(void **state)
{
	struct world *w = *state;

	/* Four blocks for three stripes. */
	add(w, 0, "last", 5, 4);
	add(w, 1, "b", 0, 6);
	assert_null(moves_plan_end(w->array, MANY));
	/* One block for one stripe of more than a hundred. */
	add(w, 1, "c", 9, 141);
	add(w, 0, "d", 150, 1);
	assert_null(moves_plan_end(w->array, MANY));
}

static void all_files_may_move_down(void **state)
{
	struct world *w = *state;
	struct moves *moves;

	add(w, 0, "a", 20, 2);
	add(w, 0, "b", 30, 2);
	add(w, 1, "c", 25, 3);
	moves = moves_plan_end(w->array, MANY);
	assert_int_equal(moves->end, 4);
	moves_promise(moves);
	assert_layout(w, 0, "@0+4:o a@20+2:b b@30+2:b");
	assert_layout(w, 1, "@0+3:o c@25+3:b");
	moves_free(moves);
}

static void no_more_blocks_are_moved_than_allowed(void **state)
{
	struct world *w = *state;
	struct moves *moves;

	add(w, 0, "a", 20, 2);
	add(w, 0, "b", 30, 2);
	add(w, 0, "c", 40, 3);
	assert_null(moves_plan_end(w->array, 2));
	moves = moves_plan_end(w->array, 6);
	assert_int_equal(moves->blocks, 5);
	assert_int_equal(moves->end, 22);
	moves_free(moves);
	/* A plan that was given up leaves no mark on the files. */
	moves = moves_plan_end(w->array, 7);
	assert_int_equal(moves->blocks, 7);
	assert_int_equal(moves->end, 7);
	moves_free(moves);
}

static void a_file_that_fits_nowhere_leaves_those_behind_it_to_move(void **state)
{
	struct world *w = *state;
	struct moves *moves;

	/* "wide" has 8 blocks and there are 5 free ones before it. */
	add(w, 0, "a", 5, 5);
	add(w, 0, "wide", 12, 8);
	add(w, 0, "last", 60, 2);
	moves = moves_plan_end(w->array, MANY);
	assert_non_null(moves);
	assert_int_equal(moves->count, 1);
	assert_int_equal(moves->end, 20);
	moves_free(moves);
}

static void nothing_moves_that_is_bad_or_not_synced(void **state)
{
	struct world *w = *state;

	make_tail(w);
	info_set(w->array->info, 21, &(struct info){ .time = 80, .bad = true });
	assert_null(moves_plan_end(w->array, MANY));
	info_set(w->array->info, 21, &(struct info){ .time = 80 });
	extent_set(w->disk[0]->map, 22, BLOCK_CHG, NULL);
	assert_null(moves_plan_end(w->array, MANY));
}

static void nothing_moves_to_a_bad_stripe(void **state)
{
	struct world *w = *state;
	struct moves *moves;

	make_tail(w);
	info_set(w->array->info, 3, &(struct info){ .time = 80, .bad = true });
	moves = moves_plan_end(w->array, MANY);
	assert_int_equal(moves->count, 1);
	assert_false(bitmap_test(moves->to, 3));
	moves_free(moves);
}

static void without_hashes_that_can_promise_nothing_moves(void **state)
{
	struct world *w = *state;
	struct array *small = array_new(1024, 8);

	make_tail(w);
	w->array->past_hash.kind = HASH_MURMUR3;
	assert_null(moves_plan_end(w->array, MANY));
	assert_null(moves_plan_end(small, MANY));
	array_free(small);
}

static void files_of_the_tail_move_as_far_as_there_is_room(void **state)
{
	struct world *w = *state;
	struct moves *moves;

	add(w, 0, "a", 3, 3);
	add(w, 0, "wide", 8, 4);
	add(w, 0, "last", 12, 2);
	add(w, 1, "b", 0, 9);
	assert_null(moves_plan_tail(w->array, 14, MANY));
	moves = moves_plan_tail(w->array, 9, MANY);
	assert_int_equal(moves->count, 1);
	moves_promise(moves);
	/* "wide" was asked first: it has five blocks of room, the other one the rest. */
	assert_layout(w, 0, "@0+3:o a@3+3:b @6+1:o wide@8+4:b last@12+2:b");
	moves_free(moves);
	/* One more than allowed goes alone. */
	moves = moves_plan_tail(w->array, 9, 1);
	assert_int_equal(moves->count, 1);
	assert_int_equal(moves->blocks, 2);
	moves_free(moves);
	extent_forget_deleted_run(w->disk[0]->map, 0, extent_map_end(w->disk[0]->map));
	moves = moves_plan_tail(w->array, 12, MANY);
	moves_promise(moves);
	assert_layout(w, 0, "a@3+3:b @6+2:o wide@8+4:b last@12+2:b");
	moves_free(moves);
}

static void files_in_pieces_come_together_where_a_hole_holds_them(void **state)
{
	struct world *w = *state;
	struct file *file;
	struct moves *moves;

	file = add(w, 0, "two", 0, 1);
	extend(w, 0, file, 2, 1);
	file = add(w, 0, "four", 5, 2);
	extend(w, 0, file, 9, 2);
	add(w, 0, "whole", 20, 1);
	add(w, 1, "b", 0, 3);
	moves = moves_plan_whole(w->array, MANY);
	assert_int_equal(moves->count, 2);
	moves_promise(moves);
	assert_layout(w, 0, "two@0+1:b two@2+1:b @3+2:o four@5+2:b four@9+2:b @11+4:o whole@20+1:b");
	moves_free(moves);
}

static void an_array_ends_at_least_where_its_fullest_disk_has_no_hole(void **state)
{
	struct world *w = *state;

	assert_int_equal(moves_least_end(w->array), 0);
	make_tail(w);
	assert_int_equal(moves_least_end(w->array), 6);
	add(w, 0, "more", 50, 4);
	assert_int_equal(moves_least_end(w->array), 8);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_last_file_goes_through_all_that_protects_it),
		TEST(a_file_that_was_not_done_is_back_as_promised),
		TEST(without_a_durable_parity_all_files_are_back),
		TEST(a_file_in_pieces_keeps_the_order_of_its_blocks),
		TEST(no_file_goes_where_another_one_comes_from),
		TEST(what_is_not_worth_it_stays),
		TEST(all_files_may_move_down),
		TEST(no_more_blocks_are_moved_than_allowed),
		TEST(a_file_that_fits_nowhere_leaves_those_behind_it_to_move),
		TEST(nothing_moves_that_is_bad_or_not_synced),
		TEST(nothing_moves_to_a_bad_stripe),
		TEST(without_hashes_that_can_promise_nothing_moves),
		TEST(files_of_the_tail_move_as_far_as_there_is_room),
		TEST(files_in_pieces_come_together_where_a_hole_holds_them),
		TEST(an_array_ends_at_least_where_its_fullest_disk_has_no_hole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
