/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

#include <time.h>

static const uint8_t some_hash[64];
static const struct stamp stamp = { 2048, 1, 1 };

static struct array *make_array(void)
{
	struct array *array = array_new(1024, 16);
	struct disk *disk = array_add_disk(array, "d1", "/a/");

	array->hash.kind = hash_best() == HASH_MURMUR3 ? HASH_SPOOKY2 : HASH_MURMUR3;
	memset(array->hash.seed, 9, sizeof(array->hash.seed));
	put_file(disk, "synced", &stamp, 0, 2, BLOCK_BLK, some_hash);
	put_file(disk, "copied", &stamp, 3, 2, BLOCK_REP, some_hash);
	info_set(array->info, 0, &(struct info){ .time = 80, .just_synced = true, .bad = true });
	info_set(array->info, 1, &(struct info){ .time = 160 });
	return array;
}

static void every_stripe_with_a_hash_is_marked_and_nothing_else_changes(void **state)
{
	struct session session = { .array = make_array() };
	struct array *array = session.array;
	struct hash_key before = array->hash;
	struct info info;

	(void)state;
	assert_int_equal(capture(command_rehash, &session, 0), 0);
	assert_int_equal(save_count, 1);
	assert_int_equal(array->hash.kind, hash_best());
	assert_memory_not_equal(array->hash.seed, before.seed, sizeof(before.seed));
	assert_int_equal(array->past_hash.kind, before.kind);
	assert_memory_equal(array->past_hash.seed, before.seed, sizeof(before.seed));
	assert_true(info_get(array->info, 0, &info));
	assert_true(info.rehash && info.bad && info.just_synced && info.time == 80);
	assert_true(info_get(array->info, 1, &info));
	assert_true(info.rehash && !info.bad && !info.just_synced && info.time == 160);
	assert_false(info_get(array->info, 2, &info));
	/* In the middle of a sync, and never good: its hashes are of the old function too. */
	assert_true(info_get(array->info, 3, &info));
	assert_true(info.rehash && info.just_synced);
	assert_true(info.time > time(NULL) - 3600);
	assert_non_null(strstr(capture_log, "summary:exit:scheduled\n"));
	array_free(array);
}

static void one_in_progress_is_not_started_again(void **state)
{
	struct session session = { .array = make_array() };
	struct hash_key before = session.array->hash;

	(void)state;
	session.array->past_hash.kind = HASH_SPOOKY2;
	assert_int_equal(capture(command_rehash, &session, 0), 1);
	assert_int_equal(save_count, 0);
	assert_memory_equal(&session.array->hash, &before, sizeof(before));
	assert_non_null(strstr(capture_log, "summary:exit:already_in_progress\n"));
	array_free(session.array);
}

static void the_best_hash_is_not_replaced(void **state)
{
	struct session session = { .array = make_array() };

	(void)state;
	session.array->hash.kind = hash_best();
	assert_int_equal(capture(command_rehash, &session, 0), 1);
	assert_int_equal(save_count, 0);
	assert_int_equal(session.array->past_hash.kind, HASH_NONE);
	assert_non_null(strstr(capture_log, "summary:exit:not_required\n"));
	array_free(session.array);
}

static void an_empty_array_takes_the_new_hash_at_once(void **state)
{
	struct session session = { .array = array_new(1024, 16) };

	(void)state;
	session.array->hash.kind = hash_best() == HASH_MURMUR3 ? HASH_SPOOKY2 : HASH_MURMUR3;
	assert_int_equal(capture(command_rehash, &session, 0), 0);
	assert_int_equal(session.array->hash.kind, hash_best());
	assert_int_equal(session.array->past_hash.kind, HASH_NONE);
	array_free(session.array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_stripe_with_a_hash_is_marked_and_nothing_else_changes),
		cmocka_unit_test(one_in_progress_is_not_started_again),
		cmocka_unit_test(the_best_hash_is_not_replaced),
		cmocka_unit_test(an_empty_array_takes_the_new_hash_at_once),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
