/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "array/array.h"
#include "array/inodes.h"
#include "array/suffixed.h"
#include "io/restore.h"
#include "os/file.h"
#include "test/unit/os/scratch.h"
#include "tommyds/tommyhashdyn.h"

#define BLOCK 4
static const struct stamp recorded = { 10, 1000, 5 };
static struct array *array;		/* of one disk, with the files whose inodes are known */
static struct inodes *inodes;
static struct suffixed *beside;		/* of the same disk */
static struct seen seen;		/* by the reader of all files */
static const char whole_data[] = "aaaabbbbcc";

/* A file with that text and time. */
static void put(const char *path, const char *text, int64_t time)
{
	const struct timespec times[2] = { { time, 5 }, { time, 5 } };

	make_file(path, text);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void assert_holds(const char *path, const char *text)
{
	struct buf found = { NULL, 0, 0 };

	assert_int_equal(os_read_file(path, 1000, &found), 0);
	assert_int_equal(found.size, strlen(text));
	assert_memory_equal(found.data, text, found.size);
	buf_done(&found);
}

static void assert_time(const char *path, int64_t time)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, time);
}

/* Any address tells files apart. */
static const struct file *key_of(unsigned i)
{
	static char keys[1500];

	return (const struct file *)(const void *)&keys[i];
}

static int write_block(struct restore *restore, unsigned key, const char *path, unsigned block, bool proven)
{
	const struct draft_file of = { key_of(key), path, recorded, NULL, seen };
	const struct draft_block what = {
		.offset = block * BLOCK, .bytes = block == 2 ? 2 : BLOCK, .data = whole_data + block * BLOCK,
		.proven = proven,
	};

	return restore_write(restore, &of, &what);
}

static void finish(struct restore *restore, unsigned key, const char *path, bool whole)
{
	const struct draft_file of = { key_of(key), path, recorded, NULL, seen };

	restore_finish(restore, &of, whole ? RESTORE_WHOLE : RESTORE_PART);
}

static struct draft result_of(struct restore *restore, unsigned key)
{
	struct draft result;

	assert_true(restore_result(restore, true, &result));
	assert_ptr_equal(result.of.key, key_of(key));
	assert_false(restore_result(restore, true, &(struct draft){ 0 }));
	return result;
}

static struct restore *begin_with(int *root_fd, enum aside_rule rule)
{
	*root_fd = open_here();
	seen = (struct seen){ 0 };
	return restore_new(&(struct draft_place){ *root_fd, inodes, rule, false, true, beside });
}

static struct restore *begin(int *root_fd)
{
	return begin_with(root_fd, ASIDE_WAY);
}

/* The reader opens that file now. */
static void look(const char *path)
{
	struct stat st;

	seen = (struct seen){ .what = SEEN_NOTHING };
	if (stat(path, &st) == 0)
		seen = seen_file(&st);
}

/* What was kept aside for `path` holds that text. */
static void assert_kept(const struct draft *result, const char *path, const char *text)
{
	char *from, *to;

	assert_int_not_equal(result->aside.length, 0);
	aside_paths(&result->aside, path, &from, &to);
	assert_holds(to, text);
	free(from);
	free(to);
}

static void end(struct restore *restore, int root_fd)
{
	restore_free(restore);
	close(root_fd);
}

/* No temporary file is left in the directory. */
static void assert_clean(const char *dir)
{
	char command[200];

	snprintf(command, sizeof command, "test -z \"$(find %s -name '.snapraid-*')\"", dir);
	assert_int_equal(system(command), 0);
}

static void a_missing_file_gets_its_name_only_when_it_is_whole(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct stat st;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(write_block(restore, 0, "a/b/file", i, true), 0);
		assert_false(exists("a/b/file"));
	}
	finish(restore, 0, "a/b/file", true);
	assert_int_equal(result_of(restore, 0).end, DRAFT_WHOLE);
	assert_holds("a/b/file", whole_data);
	assert_time("a/b/file", 1000);
	assert_int_equal(stat("a/b/file", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat("a/b", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_clean(".");
	end(restore, root_fd);
}

static void a_bad_block_is_written_in_place_and_nothing_else(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct stat before, after;

	(void)state;
	put("file", "aaaaXbbbcc", 1000);
	assert_int_equal(stat("file", &before), 0);
	assert_int_equal(write_block(restore, 0, "file", 1, true), 0);
	assert_time("file", 1000);	/* a run that dies now leaves no new version of the file */
	assert_int_equal(restore_inode(restore, key_of(0)), 0);
	finish(restore, 0, "file", true);
	assert_int_equal(result_of(restore, 0).end, DRAFT_WHOLE);
	assert_int_equal(stat("file", &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_holds("file", whole_data);
	assert_time("file", 1000);
	end(restore, root_fd);
}

static void what_was_written_to_a_file_after_the_sync_is_kept(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct draft result;
	struct stat st;

	(void)state;
	put("file", "aaaamore", 2000);
	chmod("file", 0751);
	assert_int_equal(write_block(restore, 0, "file", 1, true), 0);
	assert_int_equal(write_block(restore, 0, "file", 2, true), 0);
	assert_holds("file", "aaaamore");
	finish(restore, 0, "file", true);
	result = result_of(restore, 0);
	assert_int_equal(result.end, DRAFT_WHOLE);
	assert_kept(&result, "file", "aaaamore");
	assert_holds("file", whole_data);
	assert_int_equal(stat("file", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0751);
	end(restore, root_fd);
}

static void a_file_that_was_only_cut_leaves_nothing_to_keep(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct draft result;

	(void)state;
	put("file", "aaaabb", 2000);
	assert_int_equal(write_block(restore, 0, "file", 1, true), 0);
	assert_int_equal(write_block(restore, 0, "file", 2, true), 0);
	finish(restore, 0, "file", true);
	result = result_of(restore, 0);
	assert_int_equal(result.end, DRAFT_WHOLE);
	assert_int_equal(result.aside.length, 0);
	assert_holds("file", whole_data);
	assert_time("file", 1000);
	assert_int_equal(system("test $(ls | wc -l) = 1"), 0);
	end(restore, root_fd);
}

static void what_is_written_to_a_file_while_it_is_restored_is_kept(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct draft result;

	(void)state;
	put("file", "aaaabb", 2000);
	assert_int_equal(write_block(restore, 0, "file", 1, true), 0);
	assert_int_equal(write_block(restore, 0, "file", 2, true), 0);
	put("file", "zzzzzz", 2001);
	finish(restore, 0, "file", true);
	result = result_of(restore, 0);
	assert_int_equal(result.end, DRAFT_WHOLE);
	assert_kept(&result, "file", "zzzzzz");
	assert_holds("file", whole_data);
	end(restore, root_fd);
}

static void a_longer_file_is_cut_and_its_time_set_back(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct draft result;

	(void)state;
	put("file", "aaaabbbbcc and more", 2000);
	finish(restore, 0, "file", true);
	result = result_of(restore, 0);
	assert_int_equal(result.end, DRAFT_CUT);
	assert_holds("file", whole_data);
	assert_time("file", 1000);
	assert_kept(&result, "file", "aaaabbbbcc and more");

	put("other", "aaaabbbbcc and more", 1000);	/* nobody wrote to it */
	finish(restore, 1, "other", true);
	result = result_of(restore, 1);
	assert_int_equal(result.end, DRAFT_CUT);
	assert_int_equal(result.aside.length, 0);
	assert_holds("other", whole_data);
	end(restore, root_fd);
}

static void only_the_time_is_set_back_if_the_data_is_right(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("file", whole_data, 2000);
	finish(restore, 0, "file", true);
	assert_int_equal(result_of(restore, 0).end, DRAFT_TIME);
	assert_time("file", 1000);
	finish(restore, 1, "file", true);
	assert_int_equal(result_of(restore, 1).end, DRAFT_SAME);
	end(restore, root_fd);
}

static void a_damaged_file_is_kept_and_completed_by_a_later_run(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	assert_int_equal(write_block(restore, 0, "file", 0, true), 0);
	finish(restore, 0, "file", false);
	assert_int_equal(result_of(restore, 0).end, DRAFT_KEPT);
	assert_false(exists("file"));
	assert_holds("file.unrecoverable", "aaaa");

	assert_int_equal(write_block(restore, 1, "file", 1, true), 0);
	assert_holds("file.unrecoverable", "aaaa");	/* stays until the file is whole */
	assert_int_equal(write_block(restore, 1, "file", 2, true), 0);
	finish(restore, 1, "file", true);
	assert_int_equal(result_of(restore, 1).end, DRAFT_WHOLE);
	assert_holds("file", whole_data);
	assert_false(exists("file.unrecoverable"));
	end(restore, root_fd);
}

static void a_recorded_file_of_such_a_name_is_none_of_fix(void **state)
{
	int root_fd;
	struct restore *restore;
	char *part;

	(void)state;
	make_dir("dir");
	disk_add_file(array->disk[0], "dir/file.unrecoverable", &recorded, 0);
	beside = suffixed_new(array->disk[0], DRAFT_UNRECOVERABLE);
	restore = begin(&root_fd);
	put("dir/file.unrecoverable", "recorded", 1000);
	part = draft_unrecoverable_path(beside, "dir/file");
	assert_int_equal(write_block(restore, 0, "dir/file", 0, true), 0);
	finish(restore, 0, "dir/file", false);
	assert_int_equal(result_of(restore, 0).end, DRAFT_KEPT);
	assert_holds("dir/file.unrecoverable", "recorded");
	assert_holds(part, "aaaa");

	assert_int_equal(write_block(restore, 1, "dir/file", 1, true), 0);
	assert_int_equal(write_block(restore, 1, "dir/file", 2, true), 0);
	finish(restore, 1, "dir/file", true);
	assert_int_equal(result_of(restore, 1).end, DRAFT_WHOLE);
	assert_holds("dir/file", whole_data);
	assert_holds("dir/file.unrecoverable", "recorded");
	assert_false(exists(part));
	end(restore, root_fd);
	suffixed_free(beside);
	beside = NULL;
	free(part);
}

static void what_another_run_has_saved_is_kept(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct draft result;

	(void)state;
	make_file("file.unrecoverable", "earlier");
	put("file", "new data", 2000);
	assert_int_equal(write_block(restore, 0, "file", 0, true), 0);
	finish(restore, 0, "file", false);
	result = result_of(restore, 0);
	assert_int_equal(result.end, DRAFT_KEPT);
	assert_holds("file.unrecoverable", "aaaadata");
	result.aside = result.earlier;
	assert_kept(&result, "file.unrecoverable", "earlier");

	/* ... unless it is the same. */
	make_file("file.unrecoverable", "aaaadata");
	assert_int_equal(write_block(restore, 2, "file", 0, true), 0);
	finish(restore, 2, "file", false);
	result = result_of(restore, 2);
	assert_int_equal(result.end, DRAFT_KEPT);
	assert_int_equal(result.earlier.length, 0);

	make_file("other.unrecoverable", "earlier");
	put("other", "XaaaXbbbcc", 1000);
	assert_int_equal(write_block(restore, 1, "other", 0, true), 0);
	finish(restore, 1, "other", false);
	result = result_of(restore, 1);
	assert_int_equal(result.end, DRAFT_KEPT);
	assert_holds("other.unrecoverable", "aaaaXbbbcc");
	result.aside = result.earlier;
	assert_kept(&result, "other.unrecoverable", "earlier");
	end(restore, root_fd);
}

static void only_a_file_is_taken_for_one_damaged_before(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	make_file("elsewhere", "xxxxxxxxxx");
	assert_int_equal(symlink("elsewhere", "file.unrecoverable"), 0);
	assert_int_equal(mkdir("other.unrecoverable", 0755), 0);
	for (unsigned key = 0; key < 2; key++) {
		const char *path = key == 0 ? "file" : "other";

		for (unsigned block = 0; block < 3; block++)
			assert_int_equal(write_block(restore, key, path, block, true), 0);
		finish(restore, key, path, true);
		assert_int_equal(result_of(restore, key).end, DRAFT_WHOLE);
		assert_holds(path, whole_data);
	}
	assert_true(exists("file.unrecoverable"));
	assert_true(exists("other.unrecoverable"));
	assert_holds("elsewhere", "xxxxxxxxxx");
	end(restore, root_fd);
}

static void a_damaged_file_of_the_recorded_time_gets_the_other_name(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("file", "aaaaXbbbYY", 1000);
	assert_int_equal(write_block(restore, 0, "file", 1, true), 0);
	assert_int_equal(write_block(restore, 0, "file", 2, false), 0);
	finish(restore, 0, "file", false);
	assert_int_equal(result_of(restore, 0).end, DRAFT_KEPT);
	assert_false(exists("file"));
	assert_holds("file.unrecoverable", "aaaabbbbYY");	/* nothing doubtful was put into it */
	end(restore, root_fd);
}

static void a_file_written_to_since_stays_if_the_recorded_one_is_lost(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("file", "new data", 2000);
	finish(restore, 0, "file", false);
	assert_int_equal(result_of(restore, 0).end, DRAFT_LEFT);
	assert_holds("file", "new data");

	assert_int_equal(write_block(restore, 1, "file", 0, true), 0);
	finish(restore, 1, "file", false);
	assert_int_equal(result_of(restore, 1).end, DRAFT_KEPT);
	assert_holds("file", "new data");
	assert_holds("file.unrecoverable", "aaaadata");
	assert_clean(".");
	end(restore, root_fd);
}

static void what_may_not_be_moved_stays_and_stops_no_other_file(void **state)
{
	int root_fd;
	struct restore *restore = begin_with(&root_fd, ASIDE_NOTHING);
	struct draft result;

	(void)state;
	make_dir("dir");
	make_dir("dir/inside");
	make_file("outside", "precious");
	assert_int_equal(symlink("outside", "link"), 0);
	make_dir("real");
	assert_int_equal(symlink("real", "linked"), 0);
	make_file("plain", "text");
	assert_int_equal(write_block(restore, 0, "dir", 0, true), EISDIR);
	assert_int_equal(write_block(restore, 0, "dir", 1, true), EISDIR);
	assert_int_equal(write_block(restore, 1, "link", 0, true), ELOOP);
	assert_int_equal(write_block(restore, 2, "linked/file", 0, true), ELOOP);
	assert_int_equal(write_block(restore, 3, "plain/file", 0, true), ENOTDIR);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(write_block(restore, 4, "file", i, true), 0);
	finish(restore, 0, "dir", true);
	finish(restore, 1, "link", true);
	finish(restore, 2, "linked/file", true);
	finish(restore, 3, "plain/file", true);
	finish(restore, 4, "file", true);
	for (unsigned i = 0; i < 4; i++) {
		assert_true(restore_result(restore, i == 0, &result));
		assert_int_equal(result.end, DRAFT_FAILED);
		assert_int_not_equal(result.error, 0);
	}
	assert_true(restore_result(restore, false, &result));
	assert_int_equal(result.end, DRAFT_WHOLE);
	assert_holds("file", whole_data);
	assert_holds("outside", "precious");
	assert_true(exists("dir/inside"));
	assert_false(exists("real/file"));
	assert_clean(".");
	end(restore, root_fd);
}

static void what_is_in_the_way_is_moved_aside(void **state)
{
	static const char *const paths[] = { "dir", "link", "linked/file", "plain/file" };
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct draft result;

	(void)state;
	make_dir("dir");
	make_file("dir/inside", "kept");
	make_file("outside", "precious");
	assert_int_equal(symlink("outside", "link"), 0);
	make_dir("real");
	assert_int_equal(symlink("real", "linked"), 0);
	make_file("plain", "text");
	for (unsigned key = 0; key < 4; key++) {
		for (unsigned block = 0; block < 3; block++)
			assert_int_equal(write_block(restore, key, paths[key], block, true), 0);
		finish(restore, key, paths[key], true);
		result = result_of(restore, key);
		assert_int_equal(result.end, DRAFT_WHOLE);
		assert_holds(paths[key], whole_data);
		assert_int_equal(result.aside.length, strcspn(paths[key], "/"));
	}
	assert_kept(&result, "plain/file", "text");
	assert_int_equal(system("test -f dir.changed-*/inside && test \"$(readlink link.changed-*)\" = outside &&"
				"test \"$(readlink linked.changed-*)\" = real"), 0);
	assert_holds("outside", "precious");
	assert_false(exists("real/file"));
	assert_clean(".");
	end(restore, root_fd);
}

static void elsewhere_no_file_is_ever_touched(void **state)
{
	int root_fd = open_here();
	struct restore *restore = restore_new(&(struct draft_place){ root_fd, NULL, ASIDE_NOTHING, true, true, NULL });

	(void)state;
	put("same", "aaaaXXXXcc", 1000);	/* of the recorded size and time */
	assert_int_equal(write_block(restore, 0, "same", 1, true), EEXIST);
	finish(restore, 0, "same", true);
	assert_int_equal(result_of(restore, 0).end, DRAFT_FAILED);
	assert_holds("same", "aaaaXXXXcc");
	for (unsigned block = 0; block < 3; block++)
		assert_int_equal(write_block(restore, 1, "new/file", block, true), 0);
	finish(restore, 1, "new/file", true);
	assert_int_equal(result_of(restore, 1).end, DRAFT_WHOLE);
	assert_holds("new/file", whole_data);
	assert_clean(".");
	end(restore, root_fd);
}

/* The end of a file that its owner had a hand in: it is left as it is. */
static void assert_raced(struct restore *restore, unsigned key)
{
	const struct draft result = result_of(restore, key);

	assert_int_equal(result.end, DRAFT_FAILED);
	assert_int_equal(result.error, DRAFT_RACED);
	assert_int_equal(result.aside.length, 0);
	assert_clean(".");
	assert_int_equal(system("test -z \"$(find . -name '*.unrecoverable')\""), 0);
}

static void a_file_that_is_deleted_or_made_after_it_was_read_is_not_restored(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("file", "aaaabbbbXX", 1000);
	look("file");
	assert_int_equal(unlink("file"), 0);
	assert_int_equal(write_block(restore, 0, "file", 2, true), DRAFT_RACED);
	finish(restore, 0, "file", true);
	assert_raced(restore, 0);
	assert_false(exists("file"));

	look("file");
	put("file", "aaaaXXXXcc", 1000);
	assert_int_equal(write_block(restore, 1, "file", 0, true), DRAFT_RACED);
	finish(restore, 1, "file", true);
	assert_raced(restore, 1);
	assert_holds("file", "aaaaXXXXcc");
	end(restore, root_fd);
}

static void a_file_that_is_replaced_after_it_was_read_is_left_as_it_is(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("file", "aaaabbbbXX", 1000);
	look("file");
	put("other", "newnewnewn", 1000);	/* of the same size and time */
	assert_int_equal(rename("other", "file"), 0);
	assert_int_equal(write_block(restore, 0, "file", 2, true), DRAFT_RACED);
	finish(restore, 0, "file", true);
	assert_raced(restore, 0);
	assert_holds("file", "newnewnewn");

	look("file");
	assert_int_equal(write_block(restore, 1, "file", 0, true), 0);
	put("other", "nextnextne", 2000);
	assert_int_equal(rename("other", "file"), 0);
	finish(restore, 1, "file", true);
	assert_raced(restore, 1);
	assert_holds("file", "nextnextne");
	assert_time("file", 2000);
	end(restore, root_fd);
}

static void what_its_owner_writes_to_a_file_keeps_its_time(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("file", "XaaaXbbbXc", 1000);
	look("file");
	assert_int_equal(write_block(restore, 0, "file", 0, true), 0);
	assert_int_equal(write_block(restore, 0, "file", 1, true), 0);
	put("file", "aaaabbbbNN", 2000);
	assert_int_equal(write_block(restore, 0, "file", 2, true), DRAFT_RACED);
	finish(restore, 0, "file", true);
	assert_raced(restore, 0);
	assert_holds("file", "aaaabbbbNN");
	assert_time("file", 2000);

	put("file", "Xaaabbbbcc", 1000);
	look("file");
	assert_int_equal(write_block(restore, 1, "file", 0, true), 0);
	put("file", "aaaaNNbbcc", 2000);
	finish(restore, 1, "file", true);
	assert_raced(restore, 1);
	assert_time("file", 2000);

	put("file", whole_data, 2000);	/* only touched */
	look("file");
	put("file", "aaaaNNNNcc", 3000);
	finish(restore, 2, "file", true);
	assert_raced(restore, 2);
	assert_time("file", 3000);

	put("file", "aaaabbbbcc and more", 1000);	/* to be cut */
	look("file");
	put("file", "aaaabbbbcc and more data", 3000);
	finish(restore, 3, "file", true);
	assert_raced(restore, 3);
	assert_holds("file", "aaaabbbbcc and more data");
	end(restore, root_fd);
}

static void what_its_owner_wrote_is_not_put_away_as_damaged(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("file", "XaaaXbbbcc", 1000);
	look("file");
	assert_int_equal(write_block(restore, 0, "file", 0, true), 0);
	put("file", "new data", 2000);
	finish(restore, 0, "file", false);
	assert_raced(restore, 0);
	assert_holds("file", "new data");
	end(restore, root_fd);
}

/* The reader opens a file again where its blocks lie apart. */
static void a_file_of_which_the_reader_saw_two_versions_is_left_as_it_is(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct seen first;

	(void)state;
	put("file", "aaaabbbbXX", 1000);
	look("file");
	first = seen;
	put("file", "Nabbbbb", 2000);
	look("file");
	assert_int_equal(write_block(restore, 0, "file", 2, true), 0);
	seen = first;
	finish(restore, 0, "file", true);
	assert_raced(restore, 0);
	assert_holds("file", "Nabbbbb");
	end(restore, root_fd);
}

static void a_copy_that_is_not_what_was_read_is_not_published(void **state)
{
	const struct draft_file of = { key_of(0), "file", recorded, NULL, { 0 } };
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("file", "aaaaNNNNXX", 2000);
	assert_int_equal(write_block(restore, 0, "file", 2, true), 0);
	restore_finish(restore, &of, RESTORE_RACED);
	assert_raced(restore, 0);
	assert_holds("file", "aaaaNNNNXX");
	end(restore, root_fd);
}

static void where_inodes_change_by_themselves_they_are_not_compared(void **state)
{
	int root_fd = open_here();
	struct restore *restore = restore_new(&(struct draft_place){ root_fd, inodes, ASIDE_WAY, false, false, NULL });

	(void)state;
	put("file", "Xaaabbbbcc", 1000);
	look("file");
	seen.inode++;
	assert_int_equal(write_block(restore, 0, "file", 0, true), 0);
	finish(restore, 0, "file", true);
	assert_int_equal(result_of(restore, 0).end, DRAFT_WHOLE);
	assert_holds("file", whole_data);
	end(restore, root_fd);
}

static void nothing_is_moved_for_a_file_that_is_lost(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct draft result;

	(void)state;
	make_dir("dir");
	make_dir("other");
	assert_int_equal(write_block(restore, 0, "dir", 0, true), 0);
	finish(restore, 0, "dir", false);
	result = result_of(restore, 0);
	assert_int_equal(result.end, DRAFT_KEPT);
	assert_int_equal(result.aside.length, 0);
	assert_holds("dir.unrecoverable", "aaaa");
	finish(restore, 1, "other", false);
	assert_int_equal(result_of(restore, 1).end, DRAFT_LEFT);
	assert_int_equal(system("test $(ls -A | wc -l) = 3"), 0);
	end(restore, root_fd);
}

static void an_unfinished_file_leaves_nothing(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);

	(void)state;
	put("there", "new data", 2000);
	put("place", "XaaaXbbbcc", 1000);
	assert_int_equal(write_block(restore, 0, "file", 0, true), 0);
	assert_int_equal(write_block(restore, 1, "there", 0, true), 0);
	assert_int_equal(write_block(restore, 2, "place", 0, true), 0);
	end(restore, root_fd);
	assert_holds("place", "aaaaXbbbcc");
	assert_time("place", 1000);
	assert_false(exists("file"));
	assert_holds("there", "new data");
	assert_clean(".");
}

/* The two names have 32 bits of their hash in common. */
static void files_of_like_names_keep_apart(void **state)
{
	static const char *const path[] = { "dir/photo-004512.jpg", "dir/photo-033142.jpg" };
	int root_fd;
	struct restore *restore = begin(&root_fd);
	struct draft result;

	(void)state;
	assert_int_equal(tommy_hash_bytes(path[0], strlen(path[0])) & UINT32_MAX,
			 tommy_hash_bytes(path[1], strlen(path[1])) & UINT32_MAX);
	for (unsigned key = 0; key < 2; key++)
		assert_int_equal(write_block(restore, key, path[key], key, true), 0);
	for (unsigned block = 0; block < 3; block++)
		assert_int_equal(write_block(restore, 0, path[0], block, true), 0);
	for (unsigned key = 0; key < 2; key++)
		finish(restore, key, path[key], key == 0);
	for (unsigned key = 0; key < 2; key++) {
		assert_true(restore_result(restore, true, &result));
		assert_int_equal(result.end, result.of.key == key_of(0) ? DRAFT_WHOLE : DRAFT_KEPT);
	}
	assert_holds(path[0], whole_data);
	assert_int_equal(system("printf '\\0\\0\\0\\0bbbb' | cmp - dir/photo-033142.jpg.unrecoverable"), 0);
	assert_clean(".");
	end(restore, root_fd);
}

static void many_files_are_committed_together(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	static char path[1500][16];
	struct draft result;
	unsigned count = 0;

	(void)state;
	for (unsigned i = 0; i < 1500; i++) {
		snprintf(path[i], sizeof path[i], "f%u", i);
		for (unsigned block = 0; block < 3; block++)
			assert_int_equal(write_block(restore, i, path[i], block, true), 0);
		finish(restore, i, path[i], true);
		while (restore_result(restore, false, &result))
			count++;
	}
	while (restore_result(restore, true, &result))
		count++;
	assert_int_equal(count, 1500);
	for (unsigned i = 0; i < 1500; i++)
		assert_holds(path[i], whole_data);
	end(restore, root_fd);
}

static const char *kernel;		/* NULL: as it is */
static bool is_fuse;			/* all is of that file system */
static uint64_t unwritable;		/* an inode; syncfs does not tell */
static unsigned synced, waited_for;	/* files, one by one */

int uname(struct utsname *name)
{
	const long rc = syscall(SYS_uname, name);

	if (kernel != NULL)
		strcpy(name->release, kernel);
	return (int)rc;
}

int fstatfs(int fd, struct statfs *fs)
{
	const long rc = syscall(SYS_fstatfs, fd, fs);

	if (is_fuse)
		fs->f_type = 0x65735546;
	return (int)rc;
}

static int tell(int fd, unsigned *count)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	*count += S_ISREG(st.st_mode);
	if (st.st_ino != unwritable)
		return 0;
	errno = EIO;
	return -1;
}

int fsync(int fd)
{
	return tell(fd, &synced);
}

int sync_file_range(int fd, off_t at, off_t size, unsigned flags)
{
	(void)at;
	(void)size;
	return (flags & SYNC_FILE_RANGE_WAIT_AFTER) == 0 ? 0 : tell(fd, &waited_for);
}

static void restore_many(struct restore *restore, unsigned count)
{
	static char path[200][16];

	for (unsigned i = 0; i < count; i++) {
		snprintf(path[i], sizeof path[i], "f%u", i);
		for (unsigned block = 0; block < 3; block++)
			assert_int_equal(write_block(restore, i, path[i], block, true), 0);
		if (i == 70)
			unwritable = restore_inode(restore, key_of(i));
		finish(restore, i, path[i], true);
	}
}

static void assert_only_the_unwritable_fails(void)
{
	struct restore *restore;
	struct draft result;
	unsigned count = 0;
	int root_fd;

	restore = begin(&root_fd);
	synced = waited_for = 0;
	restore_many(restore, 200);
	while (restore_result(restore, true, &result)) {
		if (result.of.key == key_of(70)) {
			assert_int_equal(result.end, DRAFT_FAILED);
			assert_int_equal(result.error, EIO);
		} else {
			assert_int_equal(result.end, DRAFT_WHOLE);
			assert_holds(result.of.path, whole_data);
		}
		count++;
	}
	assert_int_equal(count, 200);
	assert_false(exists("f70"));
	assert_clean(".");
	end(restore, root_fd);
	unwritable = 0;
}

static void where_syncfs_tells_nothing_no_name_is_given_before_the_file_is_known_to_be_written(void **state)
{
	(void)state;
	kernel = "5.7.19-old";
	assert_only_the_unwritable_fails();
	assert_int_equal(waited_for, 200);
	assert_int_equal(synced, 0);
	kernel = NULL;
}

static void where_syncfs_does_not_reach_the_disk_each_file_is_synced(void **state)
{
	(void)state;
	kernel = "6.1";
	is_fuse = true;
	assert_only_the_unwritable_fails();
	assert_int_equal(synced, 200);
	is_fuse = false;
	kernel = NULL;
}

static void where_it_tells_all_they_are_synced_together(void **state)
{
	struct restore *restore;
	struct draft result;
	int root_fd;

	(void)state;
	kernel = "5.8.0";
	restore = begin(&root_fd);
	synced = waited_for = 0;
	restore_many(restore, 20);
	while (restore_result(restore, true, &result))
		assert_int_equal(result.end, DRAFT_WHOLE);
	assert_int_equal(synced + waited_for, 0);
	end(restore, root_fd);
	kernel = NULL;
}

static void a_temporary_file_of_a_killed_run_is_replaced(void **state)
{
	int root_fd;
	struct restore *restore = begin(&root_fd);
	pid_t child;

	(void)state;
	child = fork();
	if (child == 0) {
		write_block(restore, 0, "file", 1, true);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(write_block(restore, 0, "file", i, true), 0);
	finish(restore, 0, "file", true);
	assert_int_equal(result_of(restore, 0).end, DRAFT_WHOLE);
	assert_holds("file", whole_data);
	assert_clean(".");
	end(restore, root_fd);
}

/* The file systems that give the inode of a removed file to the next one are those where it matters. */
static void a_new_file_never_gets_inode_and_time_of_another_one(void **state)
{
	int root_fd;
	struct restore *restore;
	struct stat before, after;

	(void)state;
	put("old", "anything", 1000);
	assert_int_equal(stat("old", &before), 0);
	assert_int_equal(unlink("old"), 0);
	disk_add_file(array->disk[0], "old", &recorded, before.st_ino);
	inodes_free(inodes);
	inodes = inodes_new(array->disk[0]);
	restore = begin(&root_fd);
	for (unsigned i = 0; i < 3; ++i)
		assert_int_equal(write_block(restore, 0, "file", i, true), 0);
	finish(restore, 0, "file", true);
	assert_int_equal(result_of(restore, 0).end, DRAFT_WHOLE);
	assert_int_equal(stat("file", &after), 0);
	assert_int_not_equal(before.st_ino, after.st_ino);
	assert_int_equal(after.st_mtim.tv_sec, recorded.mtime_sec);
	end(restore, root_fd);
}

static void many_inodes_that_are_taken_use_up_no_descriptors(void **state)
{
	const struct rlimit few = { 100, 100 };
	int root_fd, status;
	struct stat st;

	(void)state;
	make_file("now", "x");
	assert_int_equal(stat("now", &st), 0);
	for (uint64_t inode = st.st_ino - st.st_ino % 4096 + 1; inode < st.st_ino + 8192; ++inode)
		disk_add_file(array->disk[0], "old", &recorded, inode);
	inodes_free(inodes);
	inodes = inodes_new(array->disk[0]);
	if (fork() == 0) {
		setrlimit(RLIMIT_NOFILE, &few);
		_exit(write_block(begin(&root_fd), 0, "file", 0, true) != 0);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
}

static int make_inodes(void **state)
{
	(void)state;
	array = array_new(1024, 16);
	inodes = inodes_new(array_add_disk(array, "d1", "/d1/"));
	return 0;
}

static int free_inodes(void **state)
{
	(void)state;
	inodes_free(inodes);
	array_free(array);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(a_missing_file_gets_its_name_only_when_it_is_whole),
		in_scratch(a_new_file_never_gets_inode_and_time_of_another_one),
		in_scratch(a_bad_block_is_written_in_place_and_nothing_else),
		in_scratch(what_was_written_to_a_file_after_the_sync_is_kept),
		in_scratch(a_file_that_was_only_cut_leaves_nothing_to_keep),
		in_scratch(what_is_written_to_a_file_while_it_is_restored_is_kept),
		in_scratch(a_longer_file_is_cut_and_its_time_set_back),
		in_scratch(only_the_time_is_set_back_if_the_data_is_right),
		in_scratch(a_damaged_file_is_kept_and_completed_by_a_later_run),
		in_scratch(a_recorded_file_of_such_a_name_is_none_of_fix),
		in_scratch(what_another_run_has_saved_is_kept),
		in_scratch(only_a_file_is_taken_for_one_damaged_before),
		in_scratch(a_damaged_file_of_the_recorded_time_gets_the_other_name),
		in_scratch(a_file_written_to_since_stays_if_the_recorded_one_is_lost),
		in_scratch(what_may_not_be_moved_stays_and_stops_no_other_file),
		in_scratch(what_is_in_the_way_is_moved_aside),
		in_scratch(elsewhere_no_file_is_ever_touched),
		in_scratch(a_file_that_is_deleted_or_made_after_it_was_read_is_not_restored),
		in_scratch(a_file_that_is_replaced_after_it_was_read_is_left_as_it_is),
		in_scratch(what_its_owner_writes_to_a_file_keeps_its_time),
		in_scratch(what_its_owner_wrote_is_not_put_away_as_damaged),
		in_scratch(a_file_of_which_the_reader_saw_two_versions_is_left_as_it_is),
		in_scratch(a_copy_that_is_not_what_was_read_is_not_published),
		in_scratch(where_inodes_change_by_themselves_they_are_not_compared),
		in_scratch(nothing_is_moved_for_a_file_that_is_lost),
		in_scratch(an_unfinished_file_leaves_nothing),
		in_scratch(files_of_like_names_keep_apart),
		in_scratch(many_files_are_committed_together),
		in_scratch(where_syncfs_tells_nothing_no_name_is_given_before_the_file_is_known_to_be_written),
		in_scratch(where_syncfs_does_not_reach_the_disk_each_file_is_synced),
		in_scratch(where_it_tells_all_they_are_synced_together),
		in_scratch(a_temporary_file_of_a_killed_run_is_replaced),
		in_scratch(many_inodes_that_are_taken_use_up_no_descriptors),
	};

	return cmocka_run_group_tests(tests, make_inodes, free_inodes);
}
