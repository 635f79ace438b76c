/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/object.h"
#include "os/file.h"
#include "test/unit/os/scratch.h"

static const struct stamp stamp = { 0, 1000, 5 };
static struct aside aside;

static struct object_place in(int fd, enum aside_rule rule)
{
	return (struct object_place){ fd, rule, &aside };
}

static void assert_size(const char *path, off_t size)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(st.st_size, size);
}

/* What was kept aside for that path has that size. */
static void assert_kept(const char *path, off_t size)
{
	char *from, *to;

	assert_int_not_equal(aside.length, 0);
	aside_paths(&aside, path, &from, &to);
	assert_size(to, size);
	free(from);
	free(to);
}

static void an_empty_file_is_made_with_its_time_and_directories(void **state)
{
	int fd = open_here();
	struct object_place way = in(fd, ASIDE_WAY);
	struct stat st;

	(void)state;
	assert_int_equal(object_check_empty(fd, "a/b/empty", &stamp), OBJECT_MISSING);
	assert_int_equal(object_make_empty(&way, "a/b/empty", &stamp), 0);
	assert_int_equal(object_check_empty(fd, "a/b/empty", &stamp), OBJECT_RIGHT);
	assert_int_equal(stat("a/b/empty", &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, 1000);
	assert_int_equal(utimensat(AT_FDCWD, "a/b/empty", NULL, 0), 0);
	assert_int_equal(object_check_empty(fd, "a/b/empty", &stamp), OBJECT_TIME);
	assert_int_equal(object_set_time(fd, "a/b/empty", &stamp), 0);
	assert_int_equal(object_check_empty(fd, "a/b/empty", &stamp), OBJECT_RIGHT);
	assert_int_equal(st.st_mode & 07777, 0600);
	close(fd);
}

static void data_in_the_place_of_an_empty_file_is_kept(void **state)
{
	int fd = open_here();
	struct object_place way = in(fd, ASIDE_WAY);

	(void)state;
	make_file("empty", "data");
	assert_int_equal(object_check_empty(fd, "empty", &stamp), OBJECT_WRONG);
	assert_int_equal(object_make_empty(&way, "empty", &stamp), 0);
	assert_kept("empty", 4);
	assert_size("empty", 0);
	close(fd);
}

static void what_may_not_be_moved_is_an_error_and_stays(void **state)
{
	int fd = open_here();
	struct object_place nothing = in(fd, ASIDE_NOTHING), name = in(fd, ASIDE_NAME);

	(void)state;
	make_dir("dir");
	make_file("target", "x");
	make_file("empty", "");
	assert_int_equal(symlink("dir", "link"), 0);
	assert_int_equal(object_make_empty(&nothing, "dir", &stamp), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(object_make_symlink(&nothing, "target", "text"), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(object_make_hardlink(&nothing, "empty", "target"), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(object_make_dir(&nothing, "target"), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(object_make_dir(&name, "target/sub"), -1);
	assert_int_equal(errno, ENOTDIR);
	assert_int_equal(object_make_empty(&name, "link/sub", &stamp), -1);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(object_check_dir(fd, "dir"), OBJECT_RIGHT);
	assert_size("target", 1);
	assert_size("empty", 0);
	assert_int_equal(object_check_symlink(fd, "link", "dir"), OBJECT_RIGHT);
	assert_int_equal(system("test $(ls -A | wc -l) = 4"), 0);
	close(fd);
}

static void anything_in_the_way_is_kept_as_it_is(void **state)
{
	int fd = open_here();
	struct object_place way = in(fd, ASIDE_WAY);

	(void)state;
	make_dir("dir");
	make_file("dir/mine", "x");
	make_file("target", "x");
	assert_int_equal(object_make_empty(&way, "dir", &stamp), 0);
	assert_size("dir", 0);
	assert_int_equal(aside.length, 3);
	assert_int_equal(system("test -f dir.changed-*/mine"), 0);
	assert_int_equal(symlink("elsewhere", "sym"), 0);
	assert_int_equal(object_make_hardlink(&way, "sym", "target"), 0);
	assert_kept("sym", 9);
	assert_int_equal(object_check_hardlink(fd, "sym", "target"), OBJECT_RIGHT);
	make_file("folder", "data");
	assert_int_equal(object_make_dir(&way, "folder"), 0);
	assert_kept("folder", 4);
	make_file("above", "data");
	assert_int_equal(object_make_symlink(&way, "above/b/link", "text"), 0);
	assert_int_equal(aside.length, 5);
	assert_kept("above/b/link", 4);
	assert_int_equal(object_check_symlink(fd, "above/b/link", "text"), OBJECT_RIGHT);
	close(fd);
}

static void a_hard_link_replaces_a_copy_and_keeps_anything_else(void **state)
{
	int fd = open_here();
	struct object_place way = in(fd, ASIDE_WAY);

	(void)state;
	make_file("target", "same");
	make_file("copy", "same");
	make_file("other", "else");
	assert_int_equal(object_check_hardlink(fd, "copy", "target"), OBJECT_WRONG);
	assert_int_equal(object_make_hardlink(&way, "copy", "target"), 0);
	assert_int_equal(aside.length, 0);
	assert_int_equal(object_check_hardlink(fd, "copy", "target"), OBJECT_RIGHT);
	assert_int_equal(object_make_hardlink(&way, "other", "target"), 0);
	assert_kept("other", 4);
	assert_int_equal(object_check_hardlink(fd, "other", "target"), OBJECT_RIGHT);
	assert_int_equal(object_check_hardlink(fd, "none", "target"), OBJECT_MISSING);
	close(fd);
}

static void a_hard_link_of_nothing_cannot_be_made(void **state)
{
	int fd = open_here();
	struct object_place way = in(fd, ASIDE_WAY);

	(void)state;
	assert_int_equal(object_make_hardlink(&way, "link", "none"), -1);
	assert_int_equal(errno, ENOENT);
	make_file("file", "x");
	assert_int_equal(symlink("file", "sym"), 0);
	assert_int_equal(object_make_hardlink(&way, "link", "sym"), -1);
	close(fd);
}

static void a_symlink_is_made_with_its_text_and_not_followed(void **state)
{
	int fd = open_here();
	struct object_place way = in(fd, ASIDE_WAY);

	(void)state;
	make_file("file", "data");
	assert_int_equal(object_make_symlink(&way, "sub/link", "../file"), 0);
	assert_int_equal(object_check_symlink(fd, "sub/link", "../file"), OBJECT_RIGHT);
	assert_int_equal(object_check_symlink(fd, "sub/link", "file"), OBJECT_WRONG);
	assert_int_equal(object_make_symlink(&way, "sub/link", "file"), 0);
	assert_int_equal(object_check_symlink(fd, "sub/link", "file"), OBJECT_RIGHT);
	assert_int_equal(symlink("sub", "way"), 0);
	assert_int_equal(object_check_symlink(fd, "way/link", "file"), OBJECT_MISSING);
	assert_int_equal(object_make_symlink(&way, "way/link", "text"), 0);
	assert_int_equal(object_check_symlink(fd, "sub/link", "file"), OBJECT_RIGHT);
	assert_int_equal(object_check_symlink(fd, "way/link", "text"), OBJECT_RIGHT);
	assert_size("file", 4);
	close(fd);
}

static void a_directory_is_made_with_those_above_it(void **state)
{
	int fd = open_here();
	struct object_place way = in(fd, ASIDE_WAY);

	(void)state;
	make_file("dir", "data");
	assert_int_equal(object_check_dir(fd, "dir"), OBJECT_WRONG);
	assert_int_equal(object_make_dir(&way, "x/y"), 0);
	assert_int_equal(object_check_dir(fd, "x/y"), OBJECT_RIGHT);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(an_empty_file_is_made_with_its_time_and_directories),
		in_scratch(data_in_the_place_of_an_empty_file_is_kept),
		in_scratch(what_may_not_be_moved_is_an_error_and_stays),
		in_scratch(anything_in_the_way_is_kept_as_it_is),
		in_scratch(a_hard_link_replaces_a_copy_and_keeps_anything_else),
		in_scratch(a_hard_link_of_nothing_cannot_be_made),
		in_scratch(a_symlink_is_made_with_its_text_and_not_followed),
		in_scratch(a_directory_is_made_with_those_above_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
