/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Checkpoint logs: what a sync has done comes back, and a log that cannot be true changes nothing. */
#include <stdio.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/le.h"
#include "content/content.h"
#include "content/copies.h"
#include "content/journal.h"
#include "os/file.h"

static char dir[] = "/tmp/journal-test-XXXXXX";
static char content_path[sizeof(dir) + 20], log_path[sizeof(dir) + 20];
static const char *const paths[] = { content_path };

/* d1 has two blocks to be synced, d2 a deleted one beside the first and one to be synced beside the second. */
static struct array *configured(void)
{
	struct array *array = array_new(1024, 16);

	array_add_disk(array, "d1", "/1/");
	array_add_disk(array, "d2", "/2/");
	array->hash.kind = HASH_SPOOKY2;
	return array;
}

static void add(struct array *array, struct disk *disk, struct file *file, stripe_t at, stripe_t count,
		enum block_state state)
{
	extent_insert(disk->map, file, 0, at, count, state, memset(arena_alloc(array->arena, count * 16, 1), 7, count * 16),
		      true);
}

static int save(void **state)
{
	struct array *array = configured();
	struct stamp stamp = { 2048, 5, 5 };

	(void)state;
	array_map_disks(array);
	add(array, array->disk[0], disk_add_file(array->disk[0], "a", &stamp, 1), 0, 2, BLOCK_CHG);
	stamp.size = 1024;
	add(array, array->disk[1], NULL, 0, 1, BLOCK_DELETED);
	add(array, array->disk[1], disk_add_file(array->disk[1], "b", &stamp, 2), 1, 1, BLOCK_CHG);
	assert_int_equal(content_save(paths, 1, array), 0);
	array_free(array);
	return 0;
}

static struct array *load(struct content **content)
{
	const struct content_load how = { .path = paths, .count = 1 };
	struct array *array = configured();

	assert_int_equal(content_load(&how, array, content), CONTENT_LOADED);
	return array;
}

static enum block_state state_at(const struct array *array, unsigned disk, stripe_t at)
{
	const struct extent *extent = extent_at(array->disk[disk]->map, at);

	return extent != NULL ? extent->state : BLOCK_EMPTY;
}

static void a_stripe_that_was_appended_comes_back_and_no_other(void **state)
{
	const uint8_t hash[16] = "the data is this";
	struct content *content, *again;
	struct array *array = load(&content), *replayed;
	struct journal *journal = journal_new(paths, 1, array, 1 << 20);
	struct info info = { .time = 1600, .just_synced = true };

	(void)state;
	extent_set(array->disk[0]->map, 0, BLOCK_BLK, hash);
	extent_forget_deleted(array->disk[1]->map, 0);
	info_set(array->info, 0, &info);
	journal_note(journal, 0);
	journal_append(journal);
	journal_note(journal, 1);
	journal_free(journal);
	replayed = load(&again);
	assert_true(replayed->changed);
	assert_int_equal(state_at(replayed, 0, 0), BLOCK_BLK);
	assert_memory_equal(extent_hash(replayed->disk[0]->map, extent_at(replayed->disk[0]->map, 0), 0), hash, 16);
	assert_int_equal(state_at(replayed, 1, 0), BLOCK_EMPTY);
	assert_int_equal(state_at(replayed, 0, 1), BLOCK_CHG);
	assert_true(info_get(replayed->info, 0, &info));
	assert_int_equal(info.time, 1600);
	array_free(array);
	array_free(replayed);
	content_close(content);
	content_close(again);
}

static void put_integer(struct buf *out, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		buf_char(out, (char)(value & 0x7f));
	buf_char(out, (char)(value | 0x80));
}

static void put_chunk(struct buf *out, const void *data, size_t size)
{
	uint8_t head[8];

	le32_store(head, (uint32_t)size);
	le32_store(head + 4, crc32c(0, data, size));
	buf_add(out, head, sizeof(head));
	buf_add(out, data, size);
}

/* A whole log that says of `at` what is given; of each disk the state, EMPTY: it is not named. */
static void write_log(stripe_t at, uint64_t time, int flags, enum block_state first, enum block_state second)
{
	const enum block_state states[] = { first, second };
	struct buf log = { 0 }, stripe = { 0 };
	uint8_t head[24] = "SNAPLOG1";
	uint32_t tail;
	uint64_t size;
	int fd;

	assert_true(copy_ending(content_path, &tail, &size));
	le32_store(head + 8, tail);
	le64_store(head + 12, size);
	le32_store(head + 20, crc32c(0, head, 20));
	buf_add(&log, head, sizeof(head));
	put_chunk(&log, "\x82\x82" "d1\x82" "d2", 7);
	put_integer(&stripe, at);
	put_integer(&stripe, time);
	buf_char(&stripe, (char)flags);
	put_integer(&stripe, 0u + (first != BLOCK_EMPTY) + (second != BLOCK_EMPTY));
	for (unsigned d = 0; d < 2; d++) {
		if (states[d] == BLOCK_EMPTY)
			continue;
		put_integer(&stripe, d);
		buf_char(&stripe, (char)states[d]);
		buf_add(&stripe, "0123456789abcdef", 16);
	}
	put_chunk(&log, stripe.data, stripe.size);
	unlink(log_path);
	fd = os_create_new(log_path, 0600);
	assert_int_equal(os_write_all(fd, log.data, log.size), 0);
	os_close(fd);
	buf_done(&log);
	buf_done(&stripe);
}

/* The array is that of the content file, and so can be saved and loaded. */
static void expect_unchanged(void)
{
	struct content *content;
	struct array *array = load(&content);

	assert_false(array->changed);
	assert_int_equal(state_at(array, 0, 0), BLOCK_CHG);
	assert_int_equal(state_at(array, 1, 0), BLOCK_DELETED);
	assert_int_equal(state_at(array, 0, 1), BLOCK_CHG);
	assert_int_equal(state_at(array, 1, 1), BLOCK_CHG);
	array_free(array);
	content_close(content);
}

static void a_log_written_by_hand_is_replayed(void **state)
{
	struct content *content;
	struct array *array;

	(void)state;
	write_log(1, 1600, 0, BLOCK_BLK, BLOCK_REP);
	array = load(&content);
	assert_true(array->changed);
	assert_int_equal(state_at(array, 0, 1), BLOCK_BLK);
	assert_int_equal(state_at(array, 1, 1), BLOCK_REP);
	array_free(array);
	content_close(content);
}

static void a_time_before_1970_which_no_content_file_can_have_is_refused(void **state)
{
	(void)state;
	write_log(0, UINT64_MAX - 15, 0, BLOCK_BLK, BLOCK_EMPTY);
	expect_unchanged();
}

static void a_rehash_without_a_previous_hash_is_refused(void **state)
{
	(void)state;
	write_log(0, 1600, 2, BLOCK_BLK, BLOCK_EMPTY);
	expect_unchanged();
}

static void a_synced_stripe_without_a_time_is_refused(void **state)
{
	(void)state;
	write_log(0, 7, 0, BLOCK_BLK, BLOCK_EMPTY);
	expect_unchanged();
}

static void half_a_stripe_is_not_taken(void **state)
{
	(void)state;
	write_log(1, 1600, 0, BLOCK_BLK, BLOCK_DELETED);
	expect_unchanged();
}

static void a_stripe_of_which_not_all_files_are_named_is_not_taken(void **state)
{
	(void)state;
	write_log(1, 1600, 0, BLOCK_BLK, BLOCK_EMPTY);
	expect_unchanged();
	write_log(1, 0, 0, BLOCK_EMPTY, BLOCK_EMPTY);
	expect_unchanged();
}

static void a_block_where_no_file_is_is_refused(void **state)
{
	(void)state;
	write_log(0, 1600, 0, BLOCK_BLK, BLOCK_BLK);
	expect_unchanged();
	write_log(2, 1600, 0, BLOCK_BLK, BLOCK_EMPTY);
	expect_unchanged();
}

static void a_log_longer_than_the_limit_and_the_content_is_full_until_the_content_is_saved(void **state)
{
	struct content *content;
	struct array *array = load(&content);
	struct journal *journal = journal_new(paths, 1, array, 100);
	uint32_t tail;
	uint64_t size;
	unsigned notes = 0;

	(void)state;
	assert_true(copy_ending(content_path, &tail, &size));
	journal_note(journal, 0);
	assert_false(journal_is_full(journal));
	for (; !journal_is_full(journal); notes++) {
		journal_append(journal);
		journal_note(journal, 0);
		assert_true(notes < 1000);
	}
	/* a note of the stripe: its number, time, flags, two disks with state and hash */
	assert_in_range(notes * 41, size - 41, size + 41);
	journal_append(journal);
	assert_true(journal_is_full(journal));
	journal_restart(journal);
	assert_false(journal_is_full(journal));
	journal_free(journal);
	array_free(array);
	content_close(content);
}

static void a_log_that_cannot_be_read_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(symlink(log_path, log_path), 0);	/* ELOOP */
	expect_unchanged();
	unlink(log_path);
}

static int remove_log(void **state)
{
	(void)state;
	unlink(log_path);
	unlink(content_path);
	return 0;
}

#define WITH_CONTENT(test) cmocka_unit_test_setup_teardown(test, save, remove_log)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_CONTENT(a_stripe_that_was_appended_comes_back_and_no_other),
		WITH_CONTENT(a_log_written_by_hand_is_replayed),
		WITH_CONTENT(a_time_before_1970_which_no_content_file_can_have_is_refused),
		WITH_CONTENT(a_rehash_without_a_previous_hash_is_refused),
		WITH_CONTENT(a_synced_stripe_without_a_time_is_refused),
		WITH_CONTENT(half_a_stripe_is_not_taken),
		WITH_CONTENT(a_stripe_of_which_not_all_files_are_named_is_not_taken),
		WITH_CONTENT(a_log_longer_than_the_limit_and_the_content_is_full_until_the_content_is_saved),
		WITH_CONTENT(a_log_that_cannot_be_read_changes_nothing),
		WITH_CONTENT(a_block_where_no_file_is_is_refused),
	};
	int failed;

	if (mkdtemp(dir) == NULL)
		return 1;
	snprintf(content_path, sizeof(content_path), "%s/content", dir);
	snprintf(log_path, sizeof(log_path), "%s/content.log", dir);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(dir);
	return failed;
}
