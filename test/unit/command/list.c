/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

static struct array *make_array(void)
{
	struct array *array = array_new(1024, 16);
	struct disk *a = array_add_disk(array, "d1", "/a/"), *b = array_add_disk(array, "d2", "/b/");
	struct stamp stamp = { 1200, 1709634034, 5 };

	disk_add_file(a, "z last", &stamp, 7);
	disk_add_file(a, "a:first", &stamp, 8);
	disk_add_link(a, "to z", "z last", false);
	disk_add_link(a, "hard", "a:first", true);
	stamp = (struct stamp){ 0, INT64_MAX, NSEC_UNKNOWN };
	disk_add_file(b, "far away", &stamp, 0);
	return array;
}

static void files_come_by_path_then_links_and_disks_in_order(void **state)
{
	struct session session = { .array = make_array() };

	(void)state;
	assert_int_equal(capture(command_list, &session, 0), 0);
	assert_string_equal(capture_out,
			    "Listing...\n"
			    "        1200 2024/03/05 10:20 a:first\n"
			    "        1200 2024/03/05 10:20 z\\ last\n"
			    "    hardlink                  hard -> a:first\n"
			    "     symlink                  to\\ z -> z\\ last\n"
			    "           0 @9223372036854775807 far\\ away\n"
			    "\n"
			    "       3 files, for 0 GB\n"
			    "       2 links\n");
	array_free(session.array);
}

static void times_far_away_are_shown_too(void **state)
{
	static const struct { int64_t seconds; const char *row; } far[] = {
		{ -1, " 1969/12/31 23:59 " },
		{ INT64_C(253402300800), " 10000/01/01 00:00 " },
		{ INT64_C(-62135596800), " 0001/01/01 00:00 " },
		{ INT64_C(-62167219200), " 0000/01/01 00:00 " },
		{ INT64_C(-62167219201), " @-62167219201 " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); ++i) {
		struct stamp stamp = { 0, far[i].seconds, 5 };
		struct session session = { .array = array_new(1024, 16) };

		disk_add_file(array_add_disk(session.array, "d1", "/a/"), "f", &stamp, 7);
		capture(command_list, &session, 0);
		assert_non_null(strstr(capture_out, far[i].row));
		array_free(session.array);
	}
}

static void the_log_has_a_tag_for_each_with_names_escaped(void **state)
{
	struct session session = { .array = make_array() };

	(void)state;
	capture(command_list, &session, -4);
	assert_non_null(strstr(capture_log, "\nfile:d1:a\\dfirst:1200:1709634034:5:8\n"));
	assert_non_null(strstr(capture_log, "\nfile:d2:far away:0:9223372036854775807:-1:0\n"));
	assert_non_null(strstr(capture_log, "\nlink_hardlink:d1:hard:a\\dfirst\n"));
	assert_non_null(strstr(capture_log, "\nlink_symlink:d1:to z:z last\n"));
	assert_non_null(strstr(capture_log, "\nsummary:file_count:3\nsummary:file_size:2400\nsummary:link_count:2\n"
					    "summary:exit:ok\n"));
	/* The rows are the answer: no -q takes them away. */
	assert_non_null(strstr(capture_out, "a:first"));
	assert_null(strstr(capture_out, "3 files"));
	array_free(session.array);
}

static void verbose_rows_have_the_nanoseconds(void **state)
{
	struct session session = { .array = make_array() };

	(void)state;
	capture(command_list, &session, 1);
	assert_non_null(strstr(capture_out, "        1200 2024/03/05 10:20:34.000000005 a:first\n"));
	assert_non_null(strstr(capture_out, "     symlink                               to\\ z -> z\\ last\n"));
	array_free(session.array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_come_by_path_then_links_and_disks_in_order),
		cmocka_unit_test(times_far_away_are_shown_too),
		cmocka_unit_test(the_log_has_a_tag_for_each_with_names_escaped),
		cmocka_unit_test(verbose_rows_have_the_nanoseconds),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
