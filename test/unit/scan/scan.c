/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan says, in which order, and what it leaves alone. interface.md 5.2, 6.3. */
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/file.h"
#include "report/report.h"
#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

/* A synced array and one change of each class. Times differ, as the inode of a removed file is used again at
 * once. */
static void make_changes(struct world *w)
{
	world_put(w, "d1/keep", 10, 1, NSEC);
	world_put(w, "d1/gone", 10, 1, NSEC);
	world_put(w, "d1/old name", 10, 1, NSEC);
	world_put(w, "d1/edited", 10, 1, NSEC);
	world_put(w, "d1/copied", 10, 5, NSEC);
	world_put(w, "d1/restored", 10, 3, NSEC);
	world_put(w, "d2/relocated", 10, 4, NSEC);
	world_put(w, "d2/keep", 10, 1, NSEC);
	world_symlink(w, "keep", "d2/link");
	world_sync(w);
	world_put(w, "d1/added", 10, 2, NSEC);
	world_remove(w, "d1/gone");
	world_move(w, "d1/old name", "d1/new:name");
	world_put(w, "d1/edited", 20, 2, 1);
	world_copy(w, "d1/copied", "d2/copied");
	world_copy(w, "d1/restored", "d1/t");
	world_move(w, "d1/t", "d1/restored");
	world_copy(w, "d2/relocated", "d1/relocated");
	world_remove(w, "d2/relocated");
	world_remove(w, "d2/link");
}

static void items_come_disk_by_disk_with_removals_last(void **state)
{
	struct world *w = *state;

	make_changes(w);
	assert_items(w, "add:d1:added\n"
			"update:d1:edited: 10 1.123456789 -> 20 2.000000001\n"
			"move:d1:old name:new\\dname\n"
			"relocate:d2:relocated:d1:relocated\n"
			"restore:d1:restored\n"
			"copy:d1:copied:d2:copied\n"
			"remove:d1:gone\n"
			"remove:d2:link\n");
	w->options.one_by_one = true;
	w->options.report_equal = true;
	assert_items(w, "add:d1:added\n"
			"equal:d1:copied\n"
			"update:d1:edited: 10 1.123456789 -> 20 2.000000001\n"
			"equal:d1:keep\n"
			"move:d1:old name:new\\dname\n"
			"relocate:d2:relocated:d1:relocated\n"
			"restore:d1:restored\n"
			"copy:d1:copied:d2:copied\n"
			"equal:d2:keep\n"
			"remove:d1:gone\n"
			"remove:d2:link\n");
}

static void every_class_is_counted(void **state)
{
	struct world *w = *state;
	const struct scan_counts *counts;

	make_changes(w);
	assert_true(world_scan(w));
	counts = scan_counts(w->scan);
	assert_int_equal(counts->equal, 3);
	assert_int_equal(counts->added, 1);
	assert_int_equal(counts->removed, 2);
	assert_int_equal(counts->updated, 1);
	assert_int_equal(counts->moved, 1);
	assert_int_equal(counts->copied, 1);
	assert_int_equal(counts->relocated, 1);
	assert_int_equal(counts->restored, 1);
	assert_true(scan_differs(w->scan));
	assert_true(world_said(w, "list:scan_begin\n"));
	assert_true(world_said(w, "summary:equal:3\nsummary:added:1\nsummary:removed:2\nsummary:updated:1\n"
				  "summary:moved:1\nsummary:copied:1\nsummary:relocated:1\n"
				  "summary:restored:1\n"
				  "list:scan_end\n"));
}

static void a_scan_that_is_not_applied_changes_nothing(void **state)
{
	struct world *w = *state;

	make_changes(w);
	assert_true(world_scan(w));
	assert_false(w->array->changed);
	assert_layout(w, 0, "copied@0+1:b edited@1+1:b gone@2+1:b keep@3+1:b old name@4+1:b restored@5+1:b");
	assert_layout(w, 1, "keep@0+1:b relocated@1+1:b");
	world_scan_and_apply(w);
	assert_items(w, "");
}

/* Standard output of a scan as a command runs it. */
static char *screen_of(struct world *w, int verbosity)
{
	const struct report_options options = { .verbosity = verbosity };
	struct buf text = { 0 };
	int out = dup(1);

	fflush(stdout);
	assert_non_null(freopen(world_path(w, "screen"), "w", stdout));
	assert_int_equal(report_open(&options), 0);
	scan_free(w->scan);
	w->scan = scan_disks(w->array, &w->config, &w->options);
	scan_report_summary(w->scan, w->options.diff);
	report_close();
	fflush(stdout);
	dup2(out, 1);
	close(out);
	assert_int_equal(os_read_file(world_path(w, "screen"), 1 << 20, &text), 0);
	return text.data != NULL ? text.data : mem_strdup("");
}

static void diff_shows_items_and_counts(void **state)
{
	struct world *w = *state;
	char *text;

	make_changes(w);
	text = screen_of(w, 0);
	assert_string_equal(text, "Comparing...\n"
				  "add added\n"
				  "update edited\n"
				  "move old\\ name -> new:name\n"
				  "relocate relocated -> relocated\n"
				  "restore restored\n"
				  "copy copied -> copied\n"
				  "remove gone\n"
				  "remove link\n"
				  "\n"
				  "       3 equal\n"
				  "       1 added\n"
				  "       2 removed\n"
				  "       1 updated\n"
				  "       1 moved\n"
				  "       1 copied\n"
				  "       1 relocated\n"
				  "       1 restored\n");
	free(text);
}

static void sync_shows_the_disks_scanned_and_items_only_when_verbose(void **state)
{
	struct world *w = *state;
	char *text;

	world_put(w, "d1/a", 10, 1, NSEC);
	w->options.diff = false;
	text = screen_of(w, 0);
	assert_string_equal(text, "Scanning...\nScanned d1 in 0 seconds\nScanned d2 in 0 seconds\n");
	free(text);
	text = screen_of(w, 1);
	assert_non_null(strstr(text, "\nadd a\n"));
	free(text);
}

static void without_access_all_is_taken_as_it_was(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 1, NSEC);
	world_symlink(w, "a", "d1/l");
	world_dir(w, "d1/e");
	world_sync(w);
	world_remove(w, "d1/a");
	w->options.skip_access = true;
	assert_items(w, "");
	assert_int_equal(scan_counts(w->scan)->equal, 2);
	assert_int_equal(scan_check(w->scan, &(struct scan_guard){ 0 }), 0);
	world_scan_and_apply(w);
	assert_false(w->array->changed);
	assert_non_null(world_file(w, "d1/a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(items_come_disk_by_disk_with_removals_last),
		TEST(every_class_is_counted),
		TEST(a_scan_that_is_not_applied_changes_nothing),
		TEST(diff_shows_items_and_counts),
		TEST(sync_shows_the_disks_scanned_and_items_only_when_verbose),
		TEST(without_access_all_is_taken_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
