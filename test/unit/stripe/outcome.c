/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <cmocka.h>

#include "array/disk.h"
#include "report/report.h"
#include "stripe/outcome.h"
#include "test/unit/report/capture.h"

static struct capture text;

/* What is said while `run` does something to the outcomes, with the table at the end. */
static void say(void (*run)(struct outcomes *outcomes))
{
	struct outcomes *outcomes = outcomes_new();

	capture_begin(&text, false);
	assert_int_equal(report_open(&(struct report_options){ .verbosity = 0 }), 0);
	run(outcomes);
	outcomes_report(outcomes);
	report_close();
	capture_end(&text);
	outcomes_free(outcomes);
}

static void add_recovered(struct outcomes *outcomes)
{
	outcome_add(outcomes, OUTCOME_RECOVERED, NULL, "d1", "a");
	outcome_add(outcomes, OUTCOME_RECOVERED, NULL, "d1", "b");
}

static void a_run_in_which_all_was_recovered_has_no_table(void **state)
{
	(void)state;
	say(add_recovered);
	assert_string_equal(text.text[0], "");
	assert_string_equal(text.text[1], "");
}

static void add_many(struct outcomes *outcomes)
{
	outcome_add(outcomes, OUTCOME_SKIPPED, OUTCOME_CHANGED, "d2", "x");
	for (char name[2] = "a"; name[0] < 'f'; name[0]++)
		outcome_add(outcomes, OUTCOME_LOST, "gone", "d1", name);
	outcome_add(outcomes, OUTCOME_LOST, "other", "d1", "z\n");
	add_recovered(outcomes);
}

static void reasons_are_counted_with_a_few_names_each(void **state)
{
	(void)state;
	say(add_many);
	assert_string_equal(text.text[0],
			    "\nFiles, links and directories:\n"
			    "       2 recovered\n"
			    "       5 unrecoverable: gone\n"
			    "           'd1/a'\n"
			    "           'd1/b'\n"
			    "           'd1/c'\n"
			    "           and 2 more\n"
			    "       1 unrecoverable: other\n"
			    "           'd1/z\\x0a'\n"
			    "       1 skipped: changed since the last sync, and left as it is\n"
			    "           'd2/x'\n");
}

static void add_long(struct outcomes *outcomes)
{
	char path[201] = "";

	for (unsigned i = 0; i < 200; i += 2)
		memcpy(path + i, "\xc3\xa4", 2);
	path[0] = 'x';	/* now characters begin at odd places */
	memmove(path + 1, path + 2, 199);
	outcome_add(outcomes, OUTCOME_LOST, "gone", "d1", path);
}

static void of_a_long_path_the_end_is_shown_from_a_whole_character_on(void **state)
{
	const char *line;

	(void)state;
	say(add_long);
	line = strstr(text.text[0], "'...");
	assert_non_null(line);
	assert_memory_equal(line, "'...\xc3\xa4\xc3\xa4", 8);
	assert_null(strstr(line, "\\x"));
	assert_true(strcspn(line, "\n") <= 69);
}

static void fail_twice(struct outcomes *outcomes)
{
	outcome_failed(outcomes, "d1", "a", "/mnt/d1/a", ENOSPC);
	outcome_failed(outcomes, "d1", "b", "/mnt/d1/b", ENOSPC);
	outcome_failed(outcomes, "d2", "c", "/mnt/d2/c", ENOSPC);
	outcome_failed(outcomes, "d1", "d", "/mnt/d1/d", EISDIR);
	outcome_failed(outcomes, "d1", "e", "/mnt/d1/e", EACCES);
}

static void a_full_disk_is_said_once_and_all_else_each_time(void **state)
{
	(void)state;
	say(fail_twice);
	assert_non_null(strstr(text.text[1], "'/mnt/d1/a', and maybe others of disk 'd1': no space left on the disk"));
	assert_null(strstr(text.text[1], "d1/b"));
	assert_non_null(strstr(text.text[1], "d2/c"));
	assert_non_null(strstr(text.text[1], "'/mnt/d1/d': something else has its name; move it away"));
	assert_non_null(strstr(text.text[1], "'/mnt/d1/e': Permission denied."));
	assert_non_null(strstr(text.text[0], "\n       3 skipped: no space left on the disk\n"));
}

static void assert_path(const char *elsewhere, const char *expected)
{
	struct disk disk = { .name = (char[]){ "d1" }, .dir = (char[]){ "/mnt/one/" } };
	char *path = outcome_path(elsewhere, &disk, "a/b");

	assert_string_equal(path, expected);
	free(path);
}

static void a_thing_is_restored_on_its_disk_or_below_a_directory_of_its_name(void **state)
{
	(void)state;
	assert_path(NULL, "/mnt/one/a/b");
	assert_path("/room", "/room/d1/a/b");
	assert_path("/room/", "/room/d1/a/b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_in_which_all_was_recovered_has_no_table),
		cmocka_unit_test(reasons_are_counted_with_a_few_names_each),
		cmocka_unit_test(of_a_long_path_the_end_is_shown_from_a_whole_character_on),
		cmocka_unit_test(a_full_disk_is_said_once_and_all_else_each_time),
		cmocka_unit_test(a_thing_is_restored_on_its_disk_or_below_a_directory_of_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
