/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/donor.h"
#include "test/unit/os/scratch.h"

#define BLOCK 1024
static const struct hash_key key = { .kind = HASH_SPOOKY2, .seed = { 1, 2, 3 } };
static const struct hash_key past_key = { .kind = HASH_MURMUR3, .seed = { 4 } };
static _Alignas(64) char data[BLOCK];

/* A file of two full blocks and a short one, with that time. */
static void put(const char *path, char letter, int64_t time)
{
	const struct timespec times[2] = { { time, 7 }, { time, 7 } };
	char text[2 * BLOCK + 101];

	memset(text, letter, sizeof text);
	text[BLOCK] = text[2 * BLOCK] = '!';
	text[sizeof text - 1] = '\0';
	make_file(path, text);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static const struct stamp stamp = { 2 * BLOCK + 100, 1000, 7 };

/* The hash of the last, short block of such a file. */
static struct donor_want want_last(char letter, uint8_t hash[16], const struct hash_key *which)
{
	char text[100];

	memset(text, letter, sizeof text);
	text[0] = '!';
	hash_block(which, text, sizeof text, hash);
	return (struct donor_want){ which, hash, sizeof text };
}

static void assert_last(char letter)
{
	assert_int_equal(data[0], '!');
	for (unsigned i = 1; i < 100; i++)
		assert_int_equal(data[i], letter);
	for (unsigned i = 100; i < BLOCK; i++)
		assert_int_equal(data[i], 0);
}

static void finds_a_block_by_size_and_time_of_any_name(void **state)
{
	struct donor *donor = donor_new(BLOCK, 16);
	int fd = open_here();
	struct donor_want want;
	uint8_t hash[16];

	(void)state;
	make_dir("sub");
	put("sub/other-data", 'x', 1000);
	put("sub/wanted", 'a', 1000);
	put("another-time", 'b', 1001);
	donor_add_root(donor, fd);
	want = want_last('a', hash, &key);
	assert_true(donor_find_stamp(donor, &want, &stamp, 2, data));
	assert_last('a');
	assert_false(donor_find_stamp(donor, &want, &stamp, 0, data));
	want = want_last('b', hash, &key);
	assert_false(donor_find_stamp(donor, &want, &stamp, 2, data));
	donor_free(donor);
	close(fd);
}

static void finds_a_block_by_content_in_a_named_directory_only(void **state)
{
	struct donor *donor = donor_new(BLOCK, 16);
	int fd = open_here();
	struct donor_want want;
	uint8_t hash[16];

	(void)state;
	make_dir("import");
	put("import/file", 'a', 5);
	put("own", 'b', 5);
	donor_add_root(donor, fd);
	assert_false(donor_knows_content(donor));
	donor_add_dir(donor, "import");
	donor_add_key(donor, &key);
	donor_add_key(donor, &past_key);
	assert_true(donor_knows_content(donor));
	want = want_last('a', hash, &key);
	assert_true(donor_find_content(donor, &want, data));
	assert_last('a');
	want.bytes = 0;
	assert_true(donor_find_content(donor, &want, data));
	want.bytes = 99;
	assert_false(donor_find_content(donor, &want, data));
	want = want_last('a', hash, &past_key);
	assert_true(donor_find_content(donor, &want, data));
	want = want_last('b', hash, &key);
	assert_false(donor_find_content(donor, &want, data));
	donor_free(donor);
	close(fd);
}

static void a_donor_that_changed_or_went_away_is_a_miss(void **state)
{
	struct donor *donor = donor_new(BLOCK, 16);
	struct donor_want want;
	uint8_t hash[16];

	(void)state;
	make_dir("import");
	put("import/one", 'a', 1000);
	put("import/two", 'b', 1000);
	donor_add_dir(donor, "import");
	donor_add_dir(donor, "is-not-there");
	donor_add_key(donor, &key);
	want = want_last('a', hash, &key);
	assert_true(donor_find_content(donor, &want, data));
	put("import/one", 'c', 1000);
	assert_false(donor_find_content(donor, &want, data));
	assert_false(donor_find_stamp(donor, &want, &stamp, 2, data));
	want = want_last('b', hash, &key);
	assert_true(donor_find_stamp(donor, &want, &stamp, 2, data));
	assert_int_equal(unlink("import/two"), 0);
	assert_false(donor_find_content(donor, &want, data));
	assert_false(donor_find_stamp(donor, &want, &stamp, 2, data));
	donor_free(donor);
}

static void takes_a_block_of_a_path_only_if_its_hash_is_right(void **state)
{
	struct donor *donor = donor_new(BLOCK, 16);
	int fd = open_here();
	struct donor_want want;
	uint8_t hash[16];

	(void)state;
	put("file.unrecoverable", 'a', 1);
	assert_int_equal(symlink("file.unrecoverable", "link"), 0);
	want = want_last('a', hash, &key);
	assert_true(donor_find_path(donor, &want, fd, "file.unrecoverable", 2, data));
	assert_last('a');
	assert_false(donor_find_path(donor, &want, fd, "file.unrecoverable", 0, data));
	assert_false(donor_find_path(donor, &want, fd, "file.unrecoverable", 3, data));
	assert_false(donor_find_path(donor, &want, fd, "link", 2, data));
	assert_false(donor_find_path(donor, &want, -1, "file.unrecoverable", 2, data));
	donor_free(donor);
	close(fd);
}

static unsigned told;

static void tell_of_two(const void *argument, struct donor *donor)
{
	const int *fd = argument;
	uint8_t hash[16];

	told++;
	want_last('a', hash, &key);
	donor_know(donor, *fd, "recorded", 2 * BLOCK, 100, hash);
	want_last('z', hash, &key);
	donor_know(donor, *fd, "recorded", 0, BLOCK, hash);		/* not so any more */
	donor_know(donor, *fd, "gone", 0, BLOCK, hash);
}

static void finds_a_block_whose_digest_is_recorded(void **state)
{
	struct donor *donor = donor_new(BLOCK, 16);
	int fd = open_here();
	struct donor_want want;
	uint8_t hash[16];

	(void)state;
	told = 0;
	put("recorded", 'a', 5);
	put("not-recorded", 'b', 5);
	donor_add_key(donor, &key);
	donor_add_root(donor, fd);
	donor_set_recorded(donor, tell_of_two, &fd);
	assert_true(donor_knows_content(donor));
	assert_int_equal(told, 0);
	want = want_last('a', hash, &key);
	want.bytes = 0;
	assert_true(donor_find_content(donor, &want, data));
	assert_last('a');
	want = want_last('z', hash, &key);
	want.bytes = 0;
	assert_false(donor_find_content(donor, &want, data));
	want = want_last('b', hash, &key);
	assert_false(donor_find_content(donor, &want, data));
	assert_int_equal(told, 1);
	donor_free(donor);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(finds_a_block_by_size_and_time_of_any_name),
		in_scratch(finds_a_block_by_content_in_a_named_directory_only),
		in_scratch(finds_a_block_whose_digest_is_recorded),
		in_scratch(a_donor_that_changed_or_went_away_is_a_miss),
		in_scratch(takes_a_block_of_a_path_only_if_its_hash_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
