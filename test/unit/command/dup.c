/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

static const uint8_t hash_a[32] = { 1 }, hash_b[32] = { 2 };
static const struct stamp stamp = { 2048, 1, 1 };

static struct array *make_array(void)
{
	struct array *array = array_new(1024, 16);

	array->hash.kind = HASH_SPOOKY2;
	array_add_disk(array, "d1", "/a/");
	array_add_disk(array, "d2", "/b/");
	return array;
}

static void files_of_equal_size_and_hashes_are_duplicates(void **state)
{
	struct session session = { .array = make_array() };
	struct disk *a = session.array->disk[0], *b = session.array->disk[1];
	const struct stamp shorter = { 2047, 1, 1 };

	(void)state;
	put_file(a, "one", &stamp, 0, 2, BLOCK_BLK, hash_a);
	put_file(a, "other", &stamp, 2, 2, BLOCK_BLK, hash_b);
	put_file(a, "empty", &(struct stamp){ 0, 1, 1 }, 0, 0, BLOCK_EMPTY, NULL);
	put_file(b, "empty too", &(struct stamp){ 0, 1, 1 }, 0, 0, BLOCK_EMPTY, NULL);
	put_file(b, "one of b", &stamp, 5, 2, BLOCK_REP, hash_a);
	put_file(b, "shorter", &shorter, 7, 2, BLOCK_BLK, hash_a);
	assert_int_equal(capture(command_dup, &session, 0), 0);
	assert_string_equal(capture_out, "Comparing...\n"
					 "        2048 one\\ of\\ b = one\n"
					 "\n"
					 "       1 duplicates, for 0 GB\n"
					 "There are duplicates!\n");
	assert_non_null(strstr(capture_log, "\ndup:d2:one of b:d1:one:2048: dup\n"));
	assert_non_null(strstr(capture_log, "summary:dup_count:1\nsummary:dup_size:2048\n"));
	assert_non_null(strstr(capture_log, "summary:exit:dup\n"));
	array_free(session.array);
}

static void a_past_hash_tells_nothing_of_the_data(void **state)
{
	struct session session = { .array = make_array() };

	(void)state;
	put_file(session.array->disk[0], "one", &stamp, 0, 2, BLOCK_BLK, hash_a);
	put_file(session.array->disk[1], "two", &stamp, 0, 2, BLOCK_CHG, hash_a);
	capture(command_dup, &session, 0);
	assert_non_null(strstr(capture_out, "No duplicates\n"));
	assert_non_null(strstr(capture_log, "summary:exit:unique\n"));
	array_free(session.array);
}

static void hashes_of_two_functions_never_match(void **state)
{
	struct session session = { .array = make_array() };
	struct array *array = session.array;
	stripe_t at;

	(void)state;
	array->past_hash.kind = HASH_MURMUR3;
	for (at = 0; at < 3; ++at)
		info_set(array->info, at, &(struct info){ .time = 8, .rehash = at < 2 });
	put_file(array->disk[0], "old", &stamp, 0, 2, BLOCK_BLK, hash_a);
	put_file(array->disk[0], "new", &stamp, 2, 2, BLOCK_BLK, hash_a);
	put_file(array->disk[1], "mixed", &stamp, 1, 2, BLOCK_BLK, hash_a);
	capture(command_dup, &session, 0);
	assert_non_null(strstr(capture_log, "summary:dup_count:0\n"));

	/* Those of the old one still tell among themselves. */
	put_file(array->disk[1], "old too", &(struct stamp){ 1024, 1, 1 }, 0, 1, BLOCK_BLK, hash_a);
	info_set(array->info, 4, &(struct info){ .time = 8, .rehash = true });
	put_file(array->disk[0], "third old", &(struct stamp){ 1024, 1, 1 }, 4, 1, BLOCK_BLK, hash_a);
	capture(command_dup, &session, 0);
	assert_non_null(strstr(capture_log, "dup:d2:old too:d1:third old:1024: dup\n"));
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_equal_size_and_hashes_are_duplicates),
		cmocka_unit_test(a_past_hash_tells_nothing_of_the_data),
		cmocka_unit_test(hashes_of_two_functions_never_match),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
