/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that seem to have gone elsewhere are read before their old place is given up. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "hash/hash.h"
#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

#define FILM_BYTES 2500		/* two blocks and a short one */

/* d1/film, whose recorded hashes are those of its data. */
static void make(struct world *w)
{
	static char data[BLOCK];
	struct file *file;

	w->array->hash.kind = HASH_SPOOKY2;
	memset(data, 'x', sizeof(data));
	world_put(w, "d1/film", FILM_BYTES, 100, NSEC);
	world_put(w, "d1/other", 10, 200, NSEC);
	world_sync(w);
	file = world_file(w, "d1/film");
	for (block_t i = 0; i < 3; ++i) {
		uint8_t hash[16];

		hash_block(&w->array->hash, data, file_block_bytes(file, i, BLOCK), hash);
		extent_set(w->array->disk[0]->map, file->extent->at + i, BLOCK_BLK, hash);
	}
}

static void move(struct world *w)
{
	world_copy(w, "d1/film", "d2/film");
	world_remove(w, "d1/film");
}

static void damage(struct world *w, const char *path, off_t at)
{
	assert_int_equal(truncate(world_path(w, path), at), 0);
	assert_int_equal(truncate(world_path(w, path), FILM_BYTES), 0);
	world_touch(w, path, 100, NSEC);
}

static bool is_assumed(struct world *w, const char *path)
{
	scan_apply(w->scan, w->array);
	return world_file(w, path)->assumed;
}

static void what_came_whole_is_proven(void **state)
{
	struct world *w = *state;

	make(w);
	move(w);
	assert_true(world_scan(w));
	assert_int_equal(world_prove(w), 0);
	assert_true(world_said(w, "1 files"));
	assert_false(is_assumed(w, "d2/film"));
}

static void one_wrong_byte_refuses_it(void **state)
{
	static const off_t at[] = { 0, 1024, FILM_BYTES - 1 };

	for (unsigned i = 0; i < 3; ++i) {
		struct world *w = *state;

		make(w);
		move(w);
		damage(w, "d2/film", at[i]);
		assert_true(world_scan(w));
		assert_int_equal(scan_counts(w->scan)->relocated, 1);
		assert_int_equal(world_prove(w), -1);
		assert_true(world_said(w, "/d1/film"));
		assert_true(world_said(w, "/d2/film"));
		assert_true(world_said(w, "--force-nocopy"));
		world_teardown(state);
		world_setup(state);
	}
}

static void a_copy_of_a_file_that_stays_is_not_read(void **state)
{
	struct world *w = *state;

	make(w);
	world_copy(w, "d1/film", "d2/film");
	damage(w, "d2/film", 5);
	assert_true(world_scan(w));
	assert_int_equal(world_prove(w), 0);
	assert_false(world_said(w, "Verifying"));
	assert_true(is_assumed(w, "d2/film"));
}

static void a_copy_of_a_file_that_was_replaced_is(void **state)
{
	struct world *w = *state;

	make(w);
	move(w);
	damage(w, "d2/film", 5);
	world_put(w, "d1/film", 10, 900, NSEC);
	assert_true(world_scan(w));
	assert_int_equal(scan_counts(w->scan)->copied, 1);
	assert_int_equal(world_prove(w), -1);
}

static void what_changed_since_the_scan_or_is_gone_is_refused(void **state)
{
	struct world *w = *state;

	make(w);
	move(w);
	assert_true(world_scan(w));
	world_touch(w, "d2/film", 101, NSEC);
	assert_int_equal(world_prove(w), -1);
	assert_true(world_said(w, "/d2/film"));
	assert_true(world_said(w, "changed since the scan"));
	world_remove(w, "d2/film");
	assert_int_equal(world_prove(w), -1);
	assert_true(world_said(w, "No such file"));
}

static void nothing_moved_says_nothing(void **state)
{
	struct world *w = *state;

	make(w);
	world_remove(w, "d1/film");
	world_put(w, "d2/new", 10, 900, NSEC);
	assert_true(world_scan(w));
	assert_int_equal(world_prove(w), 0);
	assert_string_equal(w->log, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_came_whole_is_proven),
		TEST(one_wrong_byte_refuses_it),
		TEST(a_copy_of_a_file_that_stays_is_not_read),
		TEST(a_copy_of_a_file_that_was_replaced_is),
		TEST(what_changed_since_the_scan_or_is_gone_is_refused),
		TEST(nothing_moved_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
