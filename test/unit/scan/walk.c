/* SPDX-License-Identifier: GPL-3.0-or-later */
/* behaviour.md 3.2 and 3.7: what becomes of each kind of entry. */
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

static void symbolic_links_are_stored_and_never_followed(void **state)
{
	struct world *w = *state;

	world_put(w, "outside/f", 10, 100, NSEC);
	world_symlink(w, "../outside", "d1/dir");
	world_symlink(w, "../outside/f", "d1/file");
	world_symlink(w, "nowhere", "d1/dangling");
	world_symlink(w, ".", "d1/loop");
	assert_items(w, "add:d1:dangling\nadd:d1:dir\nadd:d1:file\nadd:d1:loop\n");
	world_scan_and_apply(w);
	assert_int_equal(w->array->disk[0]->file_count, 0);
	assert_string_equal(((struct link *)w->array->disk[0]->links.head->data)->target, "nowhere");
}

static void special_files_are_told_and_left_out(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/f", 10, 100, NSEC);
	world_dir(w, "d1/dir");
	assert_int_equal(mkfifo(world_path(w, "d1/dir/pipe"), 0600), 0);
	assert_items(w, "add:d1:f\n");
	assert_true(world_said(w, "special file"));
	assert_true(world_said(w, "/d1/dir/pipe"));
	world_scan_and_apply(w);
	assert_int_equal(w->array->disk[0]->dir_count, 1);	/* it has nothing of the array */
	filter_add(w->config.filter, false, "pipe");
	assert_items(w, "");
	assert_false(world_said(w, "special file"));
}

static void another_file_system_below_a_disk_is_told_and_not_entered(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/dir/f", 10, 100, NSEC);
	world_dir(w, "d1/only/mount");
	/* In a namespace of its own, so that nothing of it can be left behind. */
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", world_path(w, "d1/only/mount"), "tmpfs", 0, NULL) < 0)
		skip();
	world_put(w, "d1/only/mount/g", 10, 100, NSEC);
	assert_items(w, "add:d1:dir/f\n");
	assert_true(world_said(w, "WARNING! Ignoring mount point '"));
	assert_true(world_said(w, "/d1/only/mount'"));
	world_scan_and_apply(w);
	assert_string_equal(((struct dir *)w->array->disk[0]->dirs.head->data)->path, "only");
	filter_add(w->config.filter, false, "/only/");
	assert_items(w, "");
	assert_false(world_said(w, "WARNING"));
	assert_int_equal(umount(world_path(w, "d1/only/mount")), 0);
}

static void only_the_deepest_empty_directory_is_recorded(void **state)
{
	struct world *w = *state;

	world_dir(w, "d1/a/b/c");
	world_put(w, "d1/out/x.tmp", 10, 100, NSEC);
	filter_add(w->config.filter, false, "*.tmp");
	world_scan_and_apply(w);
	assert_int_equal(w->array->disk[1]->dir_count, 0);	/* the root is not one */
	assert_int_equal(w->array->disk[0]->dir_count, 2);
	assert_string_equal(((struct dir *)w->array->disk[0]->dirs.head->data)->path, "a/b/c");
	assert_string_equal(((struct dir *)w->array->disk[0]->dirs.tail->data)->path, "out");
}

static void filters_leave_out_files_and_whole_directories(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/tmp/f", 10, 100, NSEC);
	world_put(w, "d1/a.bak", 10, 100, NSEC);
	world_put(w, "d1/a.txt", 10, 100, NSEC);
	world_symlink(w, "a.txt", "d1/l.bak");
	filter_add(w->config.filter, false, "*.bak");
	filter_add(w->config.filter, false, "tmp/");
	assert_items(w, "add:d1:a.txt\n");
	assert_true(world_said(w, "a.bak"));	/* excluded names are in the log */
}

static void a_list_of_includes_reaches_below_directories_not_named(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/Movies/x/y/m.mkv", 10, 100, NSEC);
	world_put(w, "d1/Other/o", 10, 100, NSEC);
	world_put(w, "d1/list.txt", 10, 100, NSEC);
	filter_add(w->config.filter, true, "/Movies/");
	filter_add(w->config.filter, true, "/list.txt");
	assert_items(w, "add:d1:Movies/x/y/m.mkv\nadd:d1:list.txt\n");
}

static void hidden_names_are_skipped_on_demand_with_their_trees(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/.git/config", 10, 100, NSEC);
	world_put(w, "d1/.hidden", 10, 100, NSEC);
	world_put(w, "d1/a", 10, 100, NSEC);
	assert_items(w, "add:d1:.git/config\nadd:d1:.hidden\nadd:d1:a\n");
	w->config.no_hidden = true;
	assert_items(w, "add:d1:a\n");
}

static void content_files_and_their_companions_are_not_part_of_the_array(void **state)
{
	struct world *w = *state;
	char *on_disk = strdup(world_path(w, "d1/sub/content"));
	char *elsewhere = strdup(world_path(w, "c/content"));
	const char *own[] = { on_disk, elsewhere };

	world_put(w, "d1/sub/content", 10, 100, NSEC);
	world_put(w, "d1/sub/content.tmp", 10, 100, NSEC);
	world_put(w, "d1/sub/content.lock", 0, 100, NSEC);
	world_put(w, "d1/sub/content.old", 10, 100, NSEC);
	world_put(w, "d1/content", 10, 100, NSEC);
	world_put(w, "d2/sub/content", 10, 100, NSEC);
	w->options.own_file = own;
	w->options.own_count = 2;
	assert_items(w, "add:d1:content\nadd:d1:sub/content.old\nadd:d2:sub/content\n");
	free(on_disk);
	free(elsewhere);
}

static void names_that_fix_writes_under_are_no_files_and_told(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/sub/.snapraid-0123abCD.tmp", 10, 100, NSEC);
	world_put(w, "d1/sub/.snapraid-0123abCD89ef4567.tmp", 10, 100, NSEC);
	world_put(w, "d1/sub/.snapraid-0123abCD8.tmp", 10, 100, NSEC);
	world_put(w, "d1/sub/.snapraid-0123abC.tmp", 10, 100, NSEC);
	world_put(w, "d1/sub/.snapraid-0123abCX.tmp", 10, 100, NSEC);
	world_put(w, "d1/sub/.snapraid-0123abCD.tmpx", 10, 100, NSEC);
	world_symlink(w, "x", "d1/.snapraid-00000000.tmp");
	assert_items(w, "add:d1:.snapraid-00000000.tmp\nadd:d1:sub/.snapraid-0123abC.tmp\n"
			"add:d1:sub/.snapraid-0123abCD.tmpx\nadd:d1:sub/.snapraid-0123abCD8.tmp\n"
			"add:d1:sub/.snapraid-0123abCX.tmp\n");
	assert_true(world_said(w, "/d1/sub/.snapraid-0123abCD.tmp' is what a fix restores into"));
	assert_true(world_said(w, "/d1/sub/.snapraid-0123abCD89ef4567.tmp' is what a fix restores into"));
	assert_false(world_said(w, ".snapraid-0123abCD8.tmp' is"));
}

static void names_are_bytes(void **state)
{
	static const char *const name[] = {
		"\nx", " lead", "#hash", "*", "\\", "\033[31m", "\xff\xfe", "caf\xc3\xa9", "cafe\xcc\x81",
		"quo\"te'", "tab\t", "trail ",
	};
	struct world *w = *state;
	char path[64], longest[300] = "d1/";

	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); ++i) {
		snprintf(path, sizeof(path), "d1/%s", name[i]);
		world_put(w, path, 10 + i, 100, NSEC);
	}
	memset(longest + 3, 'n', 255);
	world_put(w, longest, 10, 100, NSEC);
	world_symlink(w, "tar\nget", "d2/l k");
	world_sync(w);
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); ++i) {
		snprintf(path, sizeof(path), "d1/%s", name[i]);
		assert_non_null(world_file(w, path));
	}
	assert_non_null(world_file(w, longest));
	assert_items(w, "");
}

/* Make directories of `name` inside each other below d1, and a file "f" in the last; returns its path. */
static char *make_deep(struct world *w, const char *name, size_t depth)
{
	char *path = malloc(depth * (strlen(name) + 1) + 2), *at = path;

	assert_int_equal(chdir(world_path(w, "d1")), 0);
	for (size_t i = 0; i < depth; ++i) {
		assert_int_equal(mkdir(name, 0755), 0);
		assert_int_equal(chdir(name), 0);
		at += sprintf(at, "%s/", name);
	}
	strcpy(at, "f");
	assert_non_null(freopen("f", "w", stdin));
	assert_int_equal(chdir("/"), 0);
	return path;
}

/* nftw() does not come there. */
static void remove_deep(struct world *w, const char *name, size_t depth)
{
	assert_int_equal(chdir(world_path(w, "d1")), 0);
	for (size_t i = 0; i < depth; ++i)
		assert_int_equal(chdir(name), 0);
	unlink("f");
	for (size_t i = 0; i < depth; ++i) {
		assert_int_equal(chdir(".."), 0);
		assert_int_equal(rmdir(name), 0);
	}
	assert_int_equal(chdir("/"), 0);
}

static void trees_deeper_than_files_can_be_open_are_walked(void **state)
{
	struct world *w = *state;
	struct rlimit limit, low = { 40, 40 };
	char *path = make_deep(w, "d", 1500);

	getrlimit(RLIMIT_NOFILE, &limit);
	low.rlim_max = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &low);
	world_scan_and_apply(w);
	setrlimit(RLIMIT_NOFILE, &limit);
	assert_int_equal(w->array->disk[0]->file_count, 1);
	assert_string_equal(((struct file *)w->array->disk[0]->files.head->data)->path, path);
	free(path);
	remove_deep(w, "d", 1500);
}

static void a_path_too_long_to_be_stored_is_told_and_the_rest_goes_on(void **state)
{
	struct world *w = *state;
	char name[201] = { 0 };

	memset(name, 'n', 200);
	free(make_deep(w, name, 22));
	world_put(w, "d1/z", 10, 100, NSEC);
	assert_items(w, "add:d1:z\n");
	assert_true(world_said(w, "error:0:d1:nnn"));
	remove_deep(w, name, 22);
}

static void rules_in_the_tree_hold_there_and_below(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a/keep.txt", 10, 100, NSEC);
	world_put(w, "d1/a/b/drop.tmp", 10, 100, NSEC);
	world_put(w, "d1/a/b/c/out", 10, 100, NSEC);
	world_put(w, "d1/a/cache/c1", 10, 100, NSEC);
	world_put(w, "d1/other/stay.tmp", 10, 100, NSEC);
	world_put(w, "d1/other/out", 10, 100, NSEC);
	world_text(w, "d1/a/.snapraidignore", "*.tmp\ncache/\n");
	world_text(w, "d1/a/b/.snapraidignore", "out\n");
	assert_items(w, "add:d1:a/.snapraidignore\nadd:d1:a/b/.snapraidignore\nadd:d1:a/keep.txt\n"
			"add:d1:other/out\nadd:d1:other/stay.tmp\n");
}

static void rules_in_the_tree_beat_an_include_and_hold_with_nohidden(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a.tmp", 10, 100, NSEC);
	world_put(w, "d1/b.tmp", 10, 100, NSEC);
	world_text(w, "d1/.snapraidignore", "/a.tmp\n");
	filter_add(w->config.filter, true, "*.tmp");
	assert_items(w, "add:d1:b.tmp\n");
	w->config.no_hidden = true;
	assert_items(w, "add:d1:b.tmp\n");
}

static void a_bad_rule_is_told_and_the_others_hold(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/p/a.tmp", 10, 100, NSEC);
	world_text(w, "d1/p/.snapraidignore", "# first\n../out.bin\n*.tmp\n");
	assert_items(w, "add:d1:p/.snapraidignore\n");
	assert_true(world_said(w, "/p/.snapraidignore', line 2"));
	assert_true(world_said(w, "'../out.bin'"));
}

static void rules_with_a_slash_are_anchored_where_they_stand(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/p/out", 10, 100, NSEC);
	world_put(w, "d1/p/s/out", 10, 100, NSEC);
	world_put(w, "d1/out", 10, 100, NSEC);
	world_text(w, "d1/p/.snapraidignore", "/out\n");
	assert_items(w, "add:d1:out\nadd:d1:p/.snapraidignore\nadd:d1:p/s/out\n");
}

static void rules_that_cannot_be_read_end_the_scan(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/sub/.snapraidignore", (1 << 20) + 1, 100, NSEC);
	assert_false(world_scan(w));
	assert_true(world_said(w, "cannot read the rules in '"));
	assert_true(world_said(w, "/d1/sub/.snapraidignore'"));
}

static void a_link_is_no_file_of_rules(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a.tmp", 10, 100, NSEC);
	world_text(w, "rules", "*.tmp\n");
	world_symlink(w, "../rules", "d1/.snapraidignore");
	assert_items(w, "add:d1:.snapraidignore\nadd:d1:a.tmp\n");
}

static void a_disk_that_is_not_there_ends_the_scan(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 10, 100, NSEC);
	world_sync(w);
	world_move(w, "d1", "away");
	assert_false(world_scan(w));
	assert_true(world_said(w, "Disk 'd1'"));
	assert_true(world_said(w, "mounted"));
	assert_non_null(world_file(w, "d1/a"));
}

static void a_directory_that_cannot_be_read_ends_the_scan(void **state)
{
	struct world *w = *state;

	if (geteuid() == 0)
		skip();
	world_put(w, "d1/sub/a", 10, 100, NSEC);
	assert_int_equal(chmod(world_path(w, "d1/sub"), 0), 0);
	assert_false(world_scan(w));
	assert_true(world_said(w, "Disk 'd1'"));
	assert_true(world_said(w, "exclude /sub/"));
	filter_add(w->config.filter, false, "/sub/");
	assert_items(w, "");
	assert_int_equal(chmod(world_path(w, "d1/sub"), 0755), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(symbolic_links_are_stored_and_never_followed),
		TEST(special_files_are_told_and_left_out),
		TEST(another_file_system_below_a_disk_is_told_and_not_entered),
		TEST(only_the_deepest_empty_directory_is_recorded),
		TEST(filters_leave_out_files_and_whole_directories),
		TEST(a_list_of_includes_reaches_below_directories_not_named),
		TEST(hidden_names_are_skipped_on_demand_with_their_trees),
		TEST(content_files_and_their_companions_are_not_part_of_the_array),
		TEST(names_that_fix_writes_under_are_no_files_and_told),
		TEST(names_are_bytes),
		TEST(trees_deeper_than_files_can_be_open_are_walked),
		TEST(a_path_too_long_to_be_stored_is_told_and_the_rest_goes_on),
		TEST(rules_in_the_tree_hold_there_and_below),
		TEST(rules_in_the_tree_beat_an_include_and_hold_with_nohidden),
		TEST(a_bad_rule_is_told_and_the_others_hold),
		TEST(rules_with_a_slash_are_anchored_where_they_stand),
		TEST(rules_that_cannot_be_read_end_the_scan),
		TEST(a_link_is_no_file_of_rules),
		TEST(a_disk_that_is_not_there_ends_the_scan),
		TEST(a_directory_that_cannot_be_read_ends_the_scan),
	};

	int failed = cmocka_run_group_tests_name("one thread", tests, NULL, NULL);

	world_helpers = 3;
	return failed + cmocka_run_group_tests_name("with helpers", tests, NULL, NULL);
}
