/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

#include <time.h>

#define DAY (24 * 60 * 60)

static const uint8_t some_hash[64 * 16];
static struct session session;
static struct array *array;
static struct disk *disk;

/* Four synced stripes, scrubbed five to two days ago. */
static int make_session(void **state)
{
	struct stamp stamp = { 4000, 1, 1 };
	stripe_t at;

	(void)state;
	array = array_new(1024, 16);
	array->hash.kind = hash_best();
	array->level_count = 1;
	array->level[0].name = "parity";
	array->level[0].total_blocks = 30000000;
	array->level[0].free_blocks = 20000000;
	disk = array_add_disk(array, "d1", "/a/");
	disk->total_blocks = 30000000;
	disk->free_blocks = 10000000;
	put_file(disk, "f", &stamp, 0, 4, BLOCK_BLK, some_hash);
	array_add_disk(array, "d2", "/b/");
	for (at = 0; at < 4; ++at)
		info_set(array->info, at, &(struct info){ .time = time(NULL) - (int64_t)(5 - at) * DAY - 100 });
	session = (struct session){ .array = array };
	return 0;
}

static int drop_session(void **state)
{
	(void)state;
	array_free(array);
	return 0;
}

static void edit_info(stripe_t at, bool bad, bool rehash, bool just_synced)
{
	struct info info;

	assert_true(info_get(array->info, at, &info));
	info.bad = bad;
	info.rehash = rehash;
	info.just_synced = just_synced;
	info_set(array->info, at, &info);
}

static unsigned lines_like(const char *text, const char *begin)
{
	unsigned count = 0;

	for (text = strstr(text, begin); text != NULL; text = strstr(text + 1, begin))
		count += text[-1] == '\n';
	return count;
}

static void the_table_has_a_row_for_each_disk_and_a_total(void **state)
{
	(void)state;
	assert_int_equal(capture(command_status, &session, -9), 0);
	assert_non_null(strstr(capture_out,
		"SnapRAID status report:\n"
		"\n"
		"   Files Fragmented Excess  Wasted  Used    Free  Use Name\n"
		"            Files  Fragments  GB      GB      GB\n"
		"       1       0       0   -10.2       0      10   0% d1\n"
		"       0       0       0     0.0       0       -   -  d2\n"
		" --------------------------------------------------------------------------\n"
		"       1       0       0     0.0       0      10   0%\n"));
	assert_null(strstr(capture_out, "WARNING"));
}

static void the_chart_has_fifteen_rows_of_seventy_columns(void **state)
{
	const char *row;
	unsigned rows = 0;

	(void)state;
	capture(command_status, &session, 0);
	for (row = strstr(capture_out, "|"); row != NULL; row = strstr(row + 1, "|")) {
		assert_int_equal(row[-5], '\n');
		assert_int_equal(row[71], '\n');
		rows++;
	}
	assert_int_equal(rows, 15);
	assert_int_equal(lines_like(capture_out, " 25%|*"), 1);
	assert_int_equal(lines_like(capture_out, " 12%|*"), 1);
	assert_int_equal(lines_like(capture_out, "  0%|*"), 1);
	assert_non_null(strstr(capture_out,
		"\n     5                    days ago of the last scrub/sync                 2\n\n"));
	assert_non_null(strstr(capture_log, "\nscrub_graph_range:70:1\n"));
	assert_int_equal(lines_like(capture_log, "scrub_graph_bar:"), 70);
}

static void a_sound_array_has_the_sentences_of_one(void **state)
{
	(void)state;
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out,
		"The oldest block was scrubbed 5 days ago, the median 4, the newest 2.\n"
		"\n"
		"No sync is in progress.\n"
		"The full array was scrubbed at least one time.\n"
		"No file has a zero sub-second timestamp.\n"
		"No rehash is in progress or needed.\n"
		"No error detected.\n"));
	assert_null(strstr(capture_out, "sync in progress"));
	assert_non_null(strstr(capture_log, "\nsummary:exit:ok\n"));
}

static void sums_and_ages_are_in_the_log(void **state)
{
	static const char *const tag[] = {
		"summary:block_size:1024", "summary:parity_block_count:4", "summary:parity_block_free_min:20000000",
		"summary:parity_size:4096", "summary:parity_size_max:20480004096", "summary:prev_hash:undefined",
		"summary:parity_block_total:parity:30000000", "summary:parity_block_free:parity:20000000",
		"summary:disk_file_count:d1:1", "summary:disk_fragmented_file_count:d1:0",
		"summary:disk_excess_fragment_count:d1:0", "summary:disk_block_count:d1:4",
		"summary:disk_zerosubsecond_file_count:d1:0", "summary:disk_file_size:d1:4000",
		"summary:disk_block_allocated:d1:4", "summary:disk_used:d1:4096",
		"summary:disk_block_total:d1:30000000", "summary:disk_block_free:d1:10000000",
		"summary:disk_block_max_by_space:d1:10000004", "summary:disk_block_max_by_parity:d1:20000004",
		"summary:disk_block_max:d1:10000004", "summary:disk_space_wasted:d1:-10240000000",
		"summary:disk_free:d1:10240000000", "summary:disk_use_percent:d1:0",
		"summary:disk_file_count:d2:0", "summary:disk_file_size:d2:0",
		"summary:file_count:1", "summary:file_size:4000", "summary:file_block_count:4",
		"summary:fragmented_file_count:0", "summary:excess_fragment_count:0",
		"summary:zerosubsecond_file_count:0", "summary:total_wasted:0", "summary:total_used:4000",
		"summary:total_free:10240000000", "summary:total_use_percent:0",
		"summary:scrub_oldest_days:5", "summary:scrub_median_days:4", "summary:scrub_newest_days:2",
		"block_count:4", "summary:has_unsynced:0", "summary:has_unscrubbed:0", "summary:has_rehash:0",
		"summary:has_bad:0:0:0", "info_count:4",
	};
	size_t i;

	(void)state;
	capture(command_status, &session, 0);
	for (i = 0; i < sizeof(tag) / sizeof(tag[0]); ++i) {
		char *line = mem_printf("\n%s\n", tag[i]);

		if (strstr(capture_log, line) == NULL)
			fail_msg("no '%s'", tag[i]);
		free(line);
	}
}

static void an_interrupted_sync_is_told(void **state)
{
	struct stamp stamp = { 1024, 1, 1 };

	(void)state;
	put_file(array->disk[1], "new", &stamp, 3, 1, BLOCK_CHG, some_hash);
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out, "\nWARNING! The array is NOT fully synced.\n"
					    "You have a sync in progress at 75%.\n"));
	assert_null(strstr(capture_out, "No sync is in progress"));
	assert_non_null(strstr(capture_log, "\nsummary:exit:unsynced\n"));
}

static void what_was_never_scrubbed_is_told(void **state)
{
	struct stamp stamp = { 1024, 1, 1 };

	(void)state;
	edit_info(1, false, false, true);
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out, "\n25% of the array is not scrubbed.\n"));
	assert_null(strstr(capture_out, "The full array"));

	/* Rounded up; and a stripe that was never synced was not scrubbed either. */
	put_file(array->disk[1], "new", &stamp, 6, 1, BLOCK_CHG, some_hash);
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out, "\n29% of the array is not scrubbed.\n"));
}

static void files_without_a_sub_second_time_are_counted(void **state)
{
	struct stamp stamp = { 0, 1, 0 };
	unsigned i;

	(void)state;
	for (i = 0; i < 60; ++i)
		disk_add_file(disk, "zero", &stamp, 1);
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out, "\nYou have 60 files with a zero sub-second timestamp.\n"));
	assert_null(strstr(capture_out, "No file has"));
	assert_int_equal(lines_like(capture_log, "zerosubsecond:d1:zero: "), 50);
	assert_int_equal(lines_like(capture_log, "zerosubsecond:d1:zero: (more follow)\n"), 1);
}

static void a_rehash_is_told(void **state)
{
	(void)state;
	edit_info(0, false, true, false);
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out, "\nYou have a rehash in progress at 75%.\n"));
	edit_info(0, false, false, false);
	array->hash.kind = hash_best() == HASH_MURMUR3 ? HASH_SPOOKY2 : HASH_MURMUR3;
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out, "'snapraid rehash'"));
	assert_null(strstr(capture_out, "rehash in progress"));
	assert_null(strstr(capture_out, "No rehash"));
}

static void bad_stripes_are_listed_as_runs(void **state)
{
	(void)state;
	edit_info(0, true, false, false);
	edit_info(2, true, false, false);
	edit_info(3, true, false, false);
	assert_int_equal(capture(command_status, &session, 0), 0);
	assert_non_null(strstr(capture_out, "\nDANGER! In the array there are 3 errors!\n\nThey are at blocks: 0 2-3\n"));
	assert_null(strstr(capture_out, "No error detected"));
	assert_non_null(strstr(capture_log, "\nsummary:has_bad:3:0:3\n"));
	assert_non_null(strstr(capture_log, "\nsummary:exit:bad\n"));
}

static void the_list_of_bad_stripes_has_an_end(void **state)
{
	struct stamp stamp = { 1000 * 1024, 1, 1 };
	stripe_t at;

	(void)state;
	disk_remove_file(disk, tommy_list_head(&disk->files)->data);
	extent_forget_deleted_run(disk->map, 0, extent_map_end(disk->map));
	put_file(disk, "large", &stamp, 0, 60, BLOCK_BLK, some_hash);
	for (at = 0; at < 1000; at += 2)
		info_set(array->info, at, &(struct info){ .time = 80, .bad = true });
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out, "there are 500 errors!"));
	assert_non_null(strstr(capture_out, " 196 198 and more\n"));
}

static void an_array_that_was_never_synced_is_empty(void **state)
{
	(void)state;
	disk_remove_file(disk, tommy_list_head(&disk->files)->data);
	extent_forget_deleted_run(disk->map, 0, extent_map_end(disk->map));
	disk->total_blocks = 0;
	assert_int_equal(capture(command_status, &session, 0), 0);
	assert_non_null(strstr(capture_out, "       0       0       0     0.0       0       -   -  d1\n"));
	assert_non_null(strstr(capture_out, "       0       0       0     0.0       0       0   0%\n"
					    "\nWARNING! Free space info will be valid after the first sync.\n"
					    "The array is empty.\n"));
	assert_null(strstr(capture_out, "|"));
	assert_non_null(strstr(capture_log, "\nsummary:exit:ok\n"));
}

static void before_the_first_block_is_synced_there_is_no_chart_and_no_false_comfort(void **state)
{
	stripe_t at;

	(void)state;
	for (at = 0; at < 4; ++at) {
		extent_set(disk->map, at, BLOCK_REP, NULL);
		info_clear_run(array->info, at, 1);
	}
	assert_int_equal(capture(command_status, &session, 0), 0);
	assert_null(strstr(capture_out, "|"));
	assert_non_null(strstr(capture_out, "You have a sync in progress at 0%.\n"
					    "100% of the array is not scrubbed.\n"));
}

static void a_time_in_the_future_counts_as_today_and_is_told(void **state)
{
	(void)state;
	info_set(array->info, 3, &(struct info){ .time = time(NULL) + 10 * DAY });
	capture(command_status, &session, 0);
	assert_non_null(strstr(capture_out, "the newest 0.\n"));
	assert_non_null(strstr(capture_out, "WARNING! Some times of the last scrub are in the future."));
}

int main(void)
{
#define STATUS_TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)
	const struct CMUnitTest tests[] = {
		STATUS_TEST(the_table_has_a_row_for_each_disk_and_a_total),
		STATUS_TEST(the_chart_has_fifteen_rows_of_seventy_columns),
		STATUS_TEST(a_sound_array_has_the_sentences_of_one),
		STATUS_TEST(sums_and_ages_are_in_the_log),
		STATUS_TEST(an_interrupted_sync_is_told),
		STATUS_TEST(what_was_never_scrubbed_is_told),
		STATUS_TEST(files_without_a_sub_second_time_are_counted),
		STATUS_TEST(a_rehash_is_told),
		STATUS_TEST(bad_stripes_are_listed_as_runs),
		STATUS_TEST(the_list_of_bad_stripes_has_an_end),
		STATUS_TEST(an_array_that_was_never_synced_is_empty),
		STATUS_TEST(before_the_first_block_is_synced_there_is_no_chart_and_no_false_comfort),
		STATUS_TEST(a_time_in_the_future_counts_as_today_and_is_told),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
