/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/path.h"
#include "io/parity.h"

#define BLOCK 1024u

struct fixture {
	char dir[64];
	struct level level;
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	strcpy(f->dir, "/tmp/unit-parity.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	f->level.name = "parity";
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	for (unsigned s = 0; s < f->level.split_count; ++s) {
		unlink(f->level.split[s].path);
		free(f->level.split[s].path);
	}
	rmdir(f->dir);
	free(f);
	return 0;
}

static void add_split(struct fixture *f, uint64_t declared)
{
	char name[16];

	snprintf(name, sizeof(name), "par%u", f->level.split_count);
	f->level.split[f->level.split_count].path = path_join(f->dir, name);
	f->level.split[f->level.split_count++].size_bytes = declared;
}

static struct parity *open_level(struct fixture *f, enum parity_mode mode)
{
	unsigned split = 0;

	return parity_open(&f->level, BLOCK, mode, &split);
}

static int64_t length_of(const struct fixture *f, unsigned split)
{
	struct stat st;

	return stat(f->level.split[split].path, &st) < 0 ? -1 : (int64_t)st.st_size;
}

static void fill_block(uint8_t *block, unsigned value)
{
	memset(block, (int)value, BLOCK);
}

static void what_is_written_is_read_back_across_splits(void **state)
{
	struct fixture *f = *state;
	uint8_t block[BLOCK], got[BLOCK];
	struct parity *parity;

	add_split(f, 0);
	add_split(f, 0);
	parity = open_level(f, PARITY_CREATE);
	assert_non_null(parity);
	/* The first split takes 3 blocks, as a full disk would. */
	assert_int_equal(parity_resize(parity, 3, 0, 0), 3);
	f->level.split[1].size_bytes = 2 * BLOCK;
	assert_int_equal(parity_resize(parity, 5, 0, 0), 5);
	assert_int_equal(f->level.split[0].size_bytes, 3 * BLOCK);
	for (stripe_t at = 0; at < 5; ++at) {
		fill_block(block, (unsigned)at + 1);
		assert_int_equal(parity_write(parity, at, block), 0);
	}
	for (stripe_t at = 0; at < 5; ++at) {
		fill_block(block, (unsigned)at + 1);
		assert_int_equal(parity_read(parity, at, got), 0);
		assert_memory_equal(block, got, BLOCK);
	}
	assert_int_equal(parity_sync(parity), 0);
	parity_close(parity);
	assert_int_equal(length_of(f, 0), 3 * BLOCK);
	assert_int_equal(length_of(f, 1), 2 * BLOCK);
}

static void what_was_not_there_is_never_read_as_zeros(void **state)
{
	struct fixture *f = *state;
	uint8_t got[BLOCK];
	struct parity *parity;

	add_split(f, 0);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_resize(parity, 4, 0, 0), 4);
	assert_int_equal(parity_read(parity, 2, got), -1);
	assert_int_equal(errno, ENODATA);
	assert_int_equal(parity_read(parity, 4, got), -1);
	parity_close(parity);
}

static void a_missing_file_is_created_only_when_asked(void **state)
{
	struct fixture *f = *state;

	add_split(f, 4 * BLOCK);
	assert_null(open_level(f, PARITY_READ));
	assert_int_equal(errno, ENOENT);
	assert_null(open_level(f, PARITY_WRITE));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(length_of(f, 0), -1);
}

static void a_refusal_creates_no_other_split(void **state)
{
	struct fixture *f = *state;

	add_split(f, 4 * BLOCK);
	add_split(f, 0);
	assert_null(open_level(f, PARITY_WRITE));
	assert_int_equal(length_of(f, 1), -1);
}

static void a_short_file_shows_in_the_usable_bytes(void **state)
{
	struct fixture *f = *state;
	struct parity *parity;

	add_split(f, 0);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_resize(parity, 8, 0, 0), 8);
	parity_close(parity);
	parity = open_level(f, PARITY_READ);
	assert_int_equal(parity_usable_bytes(parity), 8 * BLOCK);
	parity_close(parity);
	assert_int_equal(truncate(f->level.split[0].path, 5 * BLOCK + 100), 0);
	parity = open_level(f, PARITY_READ);
	assert_int_equal(parity_usable_bytes(parity), 5 * BLOCK);
	parity_close(parity);
}

static void shrinking_waits_for_trim(void **state)
{
	struct fixture *f = *state;
	struct parity *parity;

	add_split(f, 0);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_resize(parity, 8, 0, 0), 8);
	assert_int_equal(parity_resize(parity, 3, 0, 0), 3);
	assert_int_equal(length_of(f, 0), 8 * BLOCK);
	assert_int_equal(f->level.split[0].size_bytes, 3 * BLOCK);
	assert_int_equal(parity_trim(parity), 0);
	assert_int_equal(length_of(f, 0), 3 * BLOCK);
	parity_close(parity);
}

/* parity.md 11.2: with room for 12, 14 and 16 blocks. */
static void splits_fill_one_after_the_other(void **state)
{
	static const struct {
		stripe_t count, reached;
		uint64_t split[3];
	} rows[] = {
		{ 12, 12, { 12, 0, 0 } }, { 25, 25, { 12, 13, 0 } }, { 35, 35, { 12, 14, 9 } },
		{ 12, 12, { 12, 0, 0 } }, { 5, 5, { 5, 0, 0 } },
	};
	struct fixture *f = *state;
	struct parity *parity;

	for (unsigned s = 0; s < 3; ++s)
		add_split(f, 0);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
		parity = open_level(f, PARITY_CREATE);
		/* Of 9 KiB the spread of the made-up limit gives room for 12, 14 and 16 blocks. */
		assert_int_equal(parity_resize(parity, rows[i].count, 9216, 0), rows[i].reached);
		assert_int_equal(parity_trim(parity), 0);
		parity_close(parity);
		for (unsigned s = 0; s < 3; ++s) {
			assert_int_equal(f->level.split[s].size_bytes, rows[i].split[s] * BLOCK);
			assert_int_equal(length_of(f, s), rows[i].split[s] * BLOCK);
		}
	}
	parity = open_level(f, PARITY_CREATE);
	assert_true(parity_resize(parity, 88, 9216, 0) < 88);
	parity_close(parity);
}

static void write_blocks(struct parity *parity, stripe_t first, stripe_t end)
{
	uint8_t block[BLOCK];

	for (stripe_t at = first; at < end; ++at) {
		fill_block(block, (unsigned)at);
		assert_int_equal(parity_write(parity, at, block), 0);
	}
}

static void a_short_level_is_whole_when_it_is_released_and_not_before(void **state)
{
	struct fixture *f = *state;
	uint8_t block[BLOCK], got[BLOCK];
	struct parity *parity;

	add_split(f, 4 * BLOCK);
	add_split(f, 4 * BLOCK);
	/* Of the second one 3 blocks are needed. */
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_reserve(parity, 8, 0, 0), 8);
	parity_hold(parity, 7);
	assert_true(parity_is_short(parity));
	write_blocks(parity, 0, 7);
	assert_int_equal(parity_cut_to_valid(parity), 0);
	parity_close(parity);
	assert_int_equal(length_of(f, 0), 3 * BLOCK);
	assert_int_equal(length_of(f, 1), 2 * BLOCK);

	/* The last one of the first is pending, say. */
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_reserve(parity, 8, 0, 0), 8);
	parity_hold(parity, 7);
	write_blocks(parity, 6, 7);
	assert_int_equal(parity_release(parity), 0);
	assert_false(parity_is_short(parity));
	assert_int_equal(parity_cut_to_valid(parity), 0);
	fill_block(block, 6);
	assert_int_equal(parity_read(parity, 6, got), 0);
	assert_memory_equal(got, block, BLOCK);
	parity_close(parity);
	assert_int_equal(length_of(f, 0), 4 * BLOCK);
	assert_int_equal(length_of(f, 1), 3 * BLOCK);

	/* What is whole is written as it comes. */
	parity = open_level(f, PARITY_CREATE);
	parity_hold(parity, 7);
	assert_false(parity_is_short(parity));
	fill_block(block, 9);
	assert_int_equal(parity_write(parity, 3, block), 0);
	assert_int_equal(parity_read(parity, 3, got), 0);
	assert_memory_equal(got, block, BLOCK);
	/* Sizes that do not reach cannot be made whole. */
	parity_hold(parity, 9);
	assert_int_equal(parity_release(parity), 0);
	assert_true(parity_is_short(parity));
	parity_close(parity);
}

static void what_is_mended_creates_nothing(void **state)
{
	struct fixture *f = *state;
	uint8_t block[BLOCK];
	struct parity *parity;

	add_split(f, 4 * BLOCK);
	add_split(f, 4 * BLOCK);
	assert_null(open_level(f, PARITY_MEND));
	assert_int_equal(errno, ENOENT);
	parity = open_level(f, PARITY_CREATE);
	write_blocks(parity, 4, 8);
	parity_close(parity);
	assert_int_equal(unlink(f->level.split[0].path), 0);

	parity = open_level(f, PARITY_MEND);
	assert_non_null(parity);
	parity_hold(parity, 8);
	assert_true(parity_is_short(parity));
	fill_block(block, 7);
	assert_int_equal(parity_write(parity, 5, block), 0);
	assert_int_equal(parity_write(parity, 1, block), -1);
	assert_int_equal(parity_cut_to_valid(parity), 0);
	assert_int_equal(parity_sync(parity), 0);
	parity_close(parity);
	assert_int_equal(length_of(f, 0), -1);
	assert_int_equal(length_of(f, 1), 4 * BLOCK);
}

static void a_part_that_is_lost_leaves_the_others_readable(void **state)
{
	struct fixture *f = *state;
	uint8_t block[BLOCK], got[BLOCK];
	unsigned split = 7;
	struct parity *parity;

	add_split(f, 3 * BLOCK);
	add_split(f, 2 * BLOCK);
	add_split(f, 0);
	parity = open_level(f, PARITY_CREATE);
	fill_block(block, 7);
	assert_int_equal(parity_write(parity, 4, block), 0);
	parity_close(parity);
	parity = parity_open(&f->level, BLOCK, PARITY_READ_PARTS, &split);
	assert_int_equal(split, 3);
	parity_close(parity);

	assert_int_equal(unlink(f->level.split[0].path), 0);
	assert_null(open_level(f, PARITY_READ));
	parity = parity_open(&f->level, BLOCK, PARITY_READ_PARTS, &split);
	assert_non_null(parity);
	assert_int_equal(split, 0);
	assert_int_equal(length_of(f, 0), -1);
	assert_int_equal(parity_usable_bytes(parity), 0);
	assert_int_equal(parity_read(parity, 1, got), -1);
	assert_int_equal(errno, ENODATA);
	assert_int_equal(parity_read(parity, 4, got), 0);
	assert_memory_equal(got, block, BLOCK);
	parity_close(parity);
	/* Where the others lie nobody knows then. */
	f->level.split[0].size_bytes = SPLIT_SIZE_UNKNOWN;
	assert_null(open_level(f, PARITY_READ_PARTS));
	assert_int_equal(errno, ENOENT);
	f->level.split[0].size_bytes = 3 * BLOCK;
	assert_int_equal(unlink(f->level.split[1].path), 0);
	assert_int_equal(unlink(f->level.split[2].path), 0);
	assert_null(parity_open(&f->level, BLOCK, PARITY_READ_PARTS, &split));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(split, 0);
}

static void a_split_whose_disk_is_too_small_leaves_the_next_one_where_it_was(void **state)
{
	struct fixture *f = *state;
	uint8_t block[BLOCK], got[BLOCK];
	struct parity *parity;

	/* Of 9 KiB there is room for 12 blocks, of 6 KiB for 8. */
	add_split(f, 0);
	add_split(f, 0);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_resize(parity, 15, 9216, 0), 15);
	fill_block(block, 7);
	assert_int_equal(parity_write(parity, 13, block), 0);
	parity_close(parity);
	assert_int_equal(unlink(f->level.split[0].path), 0);

	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_reserve(parity, 15, 6144, 0), -1);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(f->level.split[0].size_bytes, 12 * BLOCK);
	assert_int_equal(f->level.split[1].size_bytes, 3 * BLOCK);
	assert_int_equal(parity_read(parity, 13, got), 0);
	assert_memory_equal(got, block, BLOCK);
	parity_close(parity);
}

static void an_aborted_recreation_is_cut_to_what_was_written(void **state)
{
	struct fixture *f = *state;
	uint8_t block[BLOCK];
	struct parity *parity;

	add_split(f, 8 * BLOCK);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_resize(parity, 8, 0, 0), 8);
	fill_block(block, 7);
	assert_int_equal(parity_write(parity, 2, block), 0);
	assert_int_equal(parity_cut_to_valid(parity), 0);
	parity_close(parity);
	assert_int_equal(length_of(f, 0), 3 * BLOCK);
}

static void what_was_made_and_not_used_is_given_back(void **state)
{
	struct fixture *f = *state;
	struct parity *parity;

	add_split(f, SPLIT_SIZE_UNKNOWN);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_resize(parity, 2, 0, 0), 2);
	parity_give_back(parity);
	parity_close(parity);
	assert_int_equal(length_of(f, 0), -1);

	parity = open_level(f, PARITY_CREATE);
	parity_resize(parity, 2, 0, 0);
	parity_close(parity);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_resize(parity, 5, 0, 0), 5);
	parity_give_back(parity);
	parity_close(parity);
	assert_int_equal(length_of(f, 0), 2 * BLOCK);
	parity_give_back(NULL);
}

static void a_level_that_is_made_anew_is_as_long_as_it_was_written(void **state)
{
	struct fixture *f = *state;
	uint8_t block[BLOCK], got[BLOCK];
	struct parity *parity;

	add_split(f, 8 * BLOCK);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_reserve(parity, 8, 0, 0), 8);
	assert_int_equal(length_of(f, 0), 0);
	fill_block(block, 7);
	for (stripe_t at = 0; at < 3; ++at)
		assert_int_equal(parity_write(parity, at, block), 0);
	assert_int_equal(length_of(f, 0), 3 * BLOCK);
	assert_int_equal(parity_read(parity, 2, got), 0);
	assert_int_equal(parity_read(parity, 3, got), -1);
	assert_int_equal(parity_cut_to_valid(parity), 0);
	parity_close(parity);
	assert_int_equal(length_of(f, 0), 3 * BLOCK);
	parity = open_level(f, PARITY_READ);
	assert_int_equal(parity_usable_bytes(parity), 3 * BLOCK);
	parity_close(parity);
}

static void what_is_only_reserved_gets_its_length_by_trim(void **state)
{
	struct fixture *f = *state;
	struct parity *parity;
	uint8_t got[BLOCK];

	add_split(f, SPLIT_SIZE_UNKNOWN);
	parity = open_level(f, PARITY_CREATE);
	assert_int_equal(parity_reserve(parity, 4, 0, 0), 4);
	assert_int_equal(parity_trim(parity), 0);
	assert_int_equal(length_of(f, 0), 4 * BLOCK);
	assert_int_equal(parity_read(parity, 0, got), -1);
	parity_close(parity);
}

static void only_a_file_tells_that_a_level_was_made(void **state)
{
	struct fixture *f = *state;
	char *mark;

	add_split(f, SPLIT_SIZE_UNKNOWN);
	mark = path_add_suffix(f->level.split[0].path, ".made");
	assert_int_equal(mkfifo(mark, 0600), 0);
	alarm(20);
	assert_false(parity_is_made_for(&f->level, "name"));
	alarm(0);
	assert_int_equal(parity_mark_made(&f->level, "name"), 0);
	assert_true(parity_is_made_for(&f->level, "name"));
	assert_false(parity_is_made_for(&f->level, "other"));
	assert_int_equal(parity_unmark(&f->level), 0);
	free(mark);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_written_is_read_back_across_splits, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_not_there_is_never_read_as_zeros, setup, teardown),
		cmocka_unit_test_setup_teardown(a_missing_file_is_created_only_when_asked, setup, teardown),
		cmocka_unit_test_setup_teardown(a_refusal_creates_no_other_split, setup, teardown),
		cmocka_unit_test_setup_teardown(a_short_file_shows_in_the_usable_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(shrinking_waits_for_trim, setup, teardown),
		cmocka_unit_test_setup_teardown(splits_fill_one_after_the_other, setup, teardown),
		cmocka_unit_test_setup_teardown(a_short_level_is_whole_when_it_is_released_and_not_before, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_mended_creates_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(a_part_that_is_lost_leaves_the_others_readable, setup, teardown),
		cmocka_unit_test_setup_teardown(a_split_whose_disk_is_too_small_leaves_the_next_one_where_it_was, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_only_reserved_gets_its_length_by_trim, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_made_and_not_used_is_given_back, setup, teardown),
		cmocka_unit_test_setup_teardown(a_level_that_is_made_anew_is_as_long_as_it_was_written, setup,
						teardown),
		cmocka_unit_test_setup_teardown(an_aborted_recreation_is_cut_to_what_was_written, setup, teardown),
		cmocka_unit_test_setup_teardown(only_a_file_tells_that_a_level_was_made, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
