/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/disk.h"
#include "base/mem.h"

/* A disk of a few stripes, every block by itself: what the runs have to agree with. */
enum { STRIPES = 40, FILES = 8, HASH = 2 };

struct cell {
	enum block_state state;
	int file;		/* -1: none */
	block_t block;
	uint8_t hash[HASH];
};

struct world {
	struct arena *arena;
	struct disk *disk;
	struct file *file[FILES];
	struct cell cell[STRIPES];
	uint8_t fixed[4096];	/* stands for the mapped content file */
	uint8_t fixed_copy[4096];
	size_t fixed_used;
};

static struct world *world_new(void)
{
	struct world *w = mem_zalloc(sizeof(*w));

	w->arena = arena_new();
	w->disk = disk_new("d1", "/", HASH, w->arena);
	for (int i = 0; i < STRIPES; i++)
		w->cell[i].file = -1;
	for (size_t i = 0; i < sizeof(w->fixed); i++)
		w->fixed[i] = w->fixed_copy[i] = (uint8_t)(rand() | 1);
	return w;
}

static void world_free(struct world *w)
{
	assert_memory_equal(w->fixed, w->fixed_copy, sizeof(w->fixed));
	disk_free(w->disk);
	arena_free(w->arena);
	free(w);
}

static struct file *world_file(struct world *w, int i)
{
	struct stamp stamp = { 0, 0, 0 };

	if (w->file[i] == NULL)
		w->file[i] = disk_add_file(w->disk, "file", &stamp, 1);
	return w->file[i];
}

static int world_index(const struct world *w, const struct file *file)
{
	for (int i = 0; i < FILES; i++)
		if (file != NULL && w->file[i] == file)
			return i;
	return -1;
}

static block_t world_blocks(const struct world *w, int file)
{
	block_t count = 0;

	for (int i = 0; i < STRIPES; i++)
		count += w->cell[i].file == file;
	return count;
}

static void check_extent(const struct world *w, const struct extent *extent)
{
	assert_true(extent->count > 0);
	for (stripe_t at = extent->at; at < extent->at + extent->count; at++) {
		const struct cell *cell = &w->cell[at];

		assert_int_equal(extent->state, cell->state);
		assert_int_equal(world_index(w, extent->file), cell->file);
		assert_memory_equal(extent_hash(w->disk->map, extent, at), cell->hash, HASH);
		if (extent->file != NULL)
			assert_int_equal(extent->first + (at - extent->at), cell->block);
	}
}

/* No two neighbours could be one. */
static void check_whole(const struct extent *a)
{
	const struct extent *b = extent_next(a);
	bool one = b != NULL && a->file == b->file && a->state == b->state && a->at + a->count == b->at &&
		   (a->file == NULL || a->first + a->count == b->first) && a->writable == b->writable &&
		   a->hash + a->count * HASH == b->hash;

	assert_false(one);
	if (b != NULL)
		assert_ptr_equal(extent_prev(b), a);
	assert_true(b == NULL || b->at >= a->at + a->count);
}

static void check_chain(const struct world *w, int i)
{
	const struct extent *last = NULL;
	block_t next = 0;

	if (w->file[i] == NULL)
		return;
	for (const struct extent *e = w->file[i]->extent; e != NULL; e = e->next) {
		assert_int_equal(e->first, next);
		assert_ptr_equal(e->file, w->file[i]);
		next += e->count;
		last = e;
	}
	assert_ptr_equal(w->file[i]->last, last);
	assert_int_equal(next, world_blocks(w, i));
	for (block_t b = 0; b < next; b++) {
		const struct extent *e = file_extent(w->file[i], b);

		assert_true(b >= e->first && b < e->first + e->count);
	}
	assert_null(file_extent(w->file[i], next));
}

static void check_world(const struct world *w)
{
	const struct extent_map *map = w->disk->map;
	stripe_t end = 0;

	for (stripe_t at = 0; at < STRIPES; at++) {
		const struct extent *extent = extent_at(map, at), *from = extent_from(map, at);

		if (w->cell[at].state == BLOCK_EMPTY) {
			assert_null(extent);
			assert_true(from == NULL || from->at > at);
		} else {
			assert_non_null(extent);
			assert_ptr_equal(from, extent);
			check_extent(w, extent);
			end = at + 1;
		}
	}
	assert_int_equal(extent_map_end(map), end);
	for (const struct extent *e = extent_from(map, 0); e != NULL; e = extent_next(e))
		check_whole(e);
	for (int i = 0; i < FILES; i++)
		check_chain(w, i);
}

static void do_insert(struct world *w)
{
	static const enum block_state states[] = { BLOCK_BLK, BLOCK_CHG, BLOCK_REP, BLOCK_DELETED };
	enum block_state state = states[rand() % 4];
	stripe_t at = (stripe_t)rand() % STRIPES, count = (stripe_t)rand() % 6 + 1;
	int i = state == BLOCK_DELETED ? -1 : rand() % FILES;
	bool writable = rand() % 2, taken = false;
	uint8_t *hash;
	block_t first = i >= 0 ? world_blocks(w, i) : 0;

	if (at + count > STRIPES)
		count = STRIPES - at;
	/* Often right behind what the file has, with hashes right behind too: these have to join. */
	if (w->fixed_used + count * HASH > sizeof(w->fixed))
		writable = true;
	if (writable) {
		hash = arena_alloc(w->arena, count * HASH, 1);
		for (stripe_t k = 0; k < count * HASH; k++)
			hash[k] = (uint8_t)rand();
	} else {
		hash = w->fixed + w->fixed_used;
		w->fixed_used += count * HASH;
	}
	for (stripe_t k = at; k < at + count; k++)
		taken |= w->cell[k].state != BLOCK_EMPTY;
	if (taken) {
		assert_null(extent_insert(w->disk->map, i >= 0 ? world_file(w, i) : NULL, first, at, count,
					  state, hash, writable));
		return;
	}
	assert_non_null(extent_insert(w->disk->map, i >= 0 ? world_file(w, i) : NULL, first, at, count, state,
				      hash, writable));
	for (stripe_t k = 0; k < count; k++) {
		struct cell *cell = &w->cell[at + k];

		*cell = (struct cell){ .state = state, .file = i, .block = first + k };
		memcpy(cell->hash, hash + k * HASH, HASH);
	}
}

static void do_set(struct world *w, stripe_t from, stripe_t count)
{
	static const enum block_state states[] = { BLOCK_BLK, BLOCK_CHG, BLOCK_REP };
	enum block_state state = states[rand() % 3];
	bool fresh = rand() % 2;

	for (stripe_t at = from; at < from + count && at < STRIPES; at++) {
		uint8_t hash[HASH] = { (uint8_t)rand(), (uint8_t)rand() };

		if (w->cell[at].file < 0)
			continue;
		extent_set(w->disk->map, at, state, fresh ? hash : NULL);
		w->cell[at].state = state;
		if (fresh)
			memcpy(w->cell[at].hash, hash, HASH);
	}
}

static void do_delete(struct world *w, int i)
{
	if (w->file[i] == NULL)
		return;
	extent_delete_file(w->disk->map, w->file[i]);
	assert_null(w->file[i]->extent);
	for (int k = 0; k < STRIPES; k++) {
		struct cell *cell = &w->cell[k];

		if (cell->file != i)
			continue;
		if (cell->state == BLOCK_REP)
			memset(cell->hash, 0, HASH);
		cell->state = BLOCK_DELETED;
		cell->file = -1;
	}
}

static void do_forget(struct world *w, stripe_t at, stripe_t count)
{
	extent_forget_deleted_run(w->disk->map, at, count);
	for (stripe_t k = at; k < at + count && k < STRIPES; k++)
		if (w->cell[k].state == BLOCK_DELETED)
			w->cell[k] = (struct cell){ .file = -1 };
}

static void random_operations_agree_with_single_blocks(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 60; seed++) {
		struct world *w;

		srand(seed);
		w = world_new();
		for (int step = 0; step < 300; step++) {
			stripe_t at = (stripe_t)rand() % STRIPES, count = (stripe_t)rand() % 8 + 1;

			switch (rand() % 8) {
			case 0: case 1: case 2: do_insert(w); break;
			case 3: case 4: do_set(w, at, 1); break;
			case 5: do_set(w, at, count); break;
			case 6: do_delete(w, rand() % FILES); break;
			case 7: do_forget(w, at, count); break;
			}
			check_world(w);
		}
		world_free(w);
	}
}

static size_t extent_total(const struct extent_map *map)
{
	size_t count = 0;

	for (const struct extent *e = extent_from(map, 0); e != NULL; e = extent_next(e))
		count++;
	return count;
}

static void an_ascending_sync_never_holds_more_than_two_runs(void **state)
{
	struct arena *arena = arena_new();
	struct extent_map *map = extent_map_new(16, arena);
	struct file file = { .path = NULL };
	static uint8_t fixed[1000 * 16];
	uint8_t *copied = NULL;

	(void)state;
	extent_insert(map, &file, 0, 7, 1000, BLOCK_CHG, fixed, false);
	for (unsigned i = 0; i < 1000; i++) {
		uint8_t hash[16] = { 1, (uint8_t)i, (uint8_t)(i >> 8) };

		extent_set(map, 7 + i, BLOCK_BLK, hash);
		assert_int_equal(extent_total(map), i < 999 ? 2 : 1);
		/* Copied from the content file once, as a whole. */
		if (i == 0)
			copied = file.extent->hash;
		assert_ptr_equal(file.extent->hash, copied);
		assert_int_equal(file.extent->count, i + 1);
	}
	assert_int_equal(fixed[0], 0);
	assert_true(file.extent->writable);
	extent_map_free(map);
	arena_free(arena);
}

static void a_run_whose_hashes_do_not_change_is_not_copied(void **state)
{
	struct arena *arena = arena_new();
	struct extent_map *map = extent_map_new(2, arena);
	struct file file = { .path = NULL };
	uint8_t fixed[] = "aabbcc";

	(void)state;
	extent_insert(map, &file, 0, 0, 3, BLOCK_REP, fixed, false);
	extent_set(map, 0, BLOCK_BLK, (const uint8_t *)"aa");
	extent_set(map, 1, BLOCK_BLK, NULL);
	extent_set(map, 2, BLOCK_BLK, (const uint8_t *)"cc");
	assert_int_equal(extent_total(map), 1);
	assert_ptr_equal(file.extent->hash, fixed);
	assert_false(file.extent->writable);
	extent_map_free(map);
	arena_free(arena);
}

static void a_taken_stripe_is_refused_and_nothing_changes(void **state)
{
	struct arena *arena = arena_new();
	struct extent_map *map = extent_map_new(2, arena);
	struct file a = { .path = NULL }, b = { .path = NULL };
	uint8_t fixed[20] = { 0 };

	(void)state;
	assert_non_null(extent_insert(map, &a, 0, 10, 5, BLOCK_BLK, fixed, false));
	assert_null(extent_insert(map, &b, 0, 14, 2, BLOCK_BLK, fixed, false));
	assert_null(extent_insert(map, &b, 0, 9, 2, BLOCK_BLK, fixed, false));
	assert_null(extent_insert(map, &b, 0, 8, 10, BLOCK_BLK, fixed, false));
	assert_null(extent_insert(map, NULL, 0, 12, 1, BLOCK_DELETED, fixed, false));
	assert_null(extent_at(map, 15));
	assert_null(extent_at(map, 9));
	assert_null(b.extent);
	assert_int_equal(extent_total(map), 1);
	assert_non_null(extent_insert(map, &b, 0, 15, 2, BLOCK_BLK, fixed, false));
	extent_map_free(map);
	arena_free(arena);
}

static void runs_of_a_file_may_jump_back(void **state)
{
	struct arena *arena = arena_new();
	struct extent_map *map = extent_map_new(2, arena);
	struct file a = { .path = NULL };
	uint8_t fixed[] = "aabbccdd";

	(void)state;
	extent_insert(map, &a, 0, 20, 2, BLOCK_BLK, fixed, false);
	extent_insert(map, &a, 2, 10, 2, BLOCK_BLK, fixed + 4, false);
	assert_int_equal(file_extent(&a, 3)->at, 10);
	assert_int_equal(a.extent->at, 20);
	extent_set(map, 20, BLOCK_CHG, NULL);
	assert_int_equal(a.extent->count, 1);
	assert_int_equal(a.extent->next->at, 21);
	assert_int_equal(a.extent->next->next->at, 10);
	extent_map_free(map);
	arena_free(arena);
}

static void runs_that_came_in_order_are_found_and_may_get_others_between_them(void **state)
{
	enum { RUNS = 1000 };
	struct arena *arena = arena_new();
	struct extent_map *map = extent_map_new(2, arena);
	static struct file file[RUNS], late[RUNS];
	uint8_t fixed[4] = { 0 };
	stripe_t at = 0;

	(void)state;
	for (stripe_t i = 0; i < RUNS; i++)
		assert_non_null(extent_insert(map, &file[i], 0, i * 4, 2, BLOCK_BLK, fixed, false));
	assert_ptr_equal(extent_at(map, 401)->file, &file[100]);
	assert_null(extent_at(map, 402));
	for (stripe_t i = RUNS; i-- > 0;)
		assert_non_null(extent_insert(map, &late[i], 0, i * 4 + 3, 1, BLOCK_BLK, fixed, false));
	for (stripe_t i = 0; i < RUNS; i += 2)
		extent_delete_file(map, &file[i]);
	extent_forget_deleted_run(map, 0, extent_map_end(map));
	for (const struct extent *e = extent_from(map, 0); e != NULL; e = extent_next(e)) {
		assert_true(e->at > at || at == 0);
		assert_ptr_equal(extent_at(map, e->at), e);
		at = e->at;
	}
	assert_int_equal(extent_total(map), RUNS + RUNS / 2);
	assert_int_equal(extent_map_end(map), RUNS * 4);
	extent_map_free(map);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_operations_agree_with_single_blocks),
		cmocka_unit_test(an_ascending_sync_never_holds_more_than_two_runs),
		cmocka_unit_test(a_run_whose_hashes_do_not_change_is_not_copied),
		cmocka_unit_test(a_taken_stripe_is_refused_and_nothing_changes),
		cmocka_unit_test(runs_of_a_file_may_jump_back),
		cmocka_unit_test(runs_that_came_in_order_are_found_and_may_get_others_between_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
