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
static char kept[ASIDE_MAX];

static void assert_size(const char *path, off_t size)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(st.st_size, size);
}

static void an_empty_file_is_made_with_its_time_and_directories(void **state)
{
	int fd = open_here();
	struct stat st;

	(void)state;
	assert_int_equal(object_check_empty(fd, "a/b/empty"), OBJECT_MISSING);
	assert_int_equal(object_make_empty(fd, "a/b/empty", &stamp, kept), 0);
	assert_int_equal(object_check_empty(fd, "a/b/empty"), OBJECT_RIGHT);
	assert_int_equal(stat("a/b/empty", &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, 1000);
	assert_int_equal(st.st_mode & 07777, 0600);
	close(fd);
}

static void data_in_the_place_of_an_empty_file_is_kept(void **state)
{
	int fd = open_here();

	(void)state;
	make_file("empty", "data");
	assert_int_equal(object_check_empty(fd, "empty"), OBJECT_WRONG);
	assert_int_equal(object_make_empty(fd, "empty", &stamp, kept), 0);
	assert_string_equal(kept, ".edited");
	assert_size("empty.edited", 4);
	assert_size("empty", 0);
	close(fd);
}

static void a_directory_in_the_way_is_an_error_and_stays(void **state)
{
	int fd = open_here();

	(void)state;
	make_dir("dir");
	make_file("target", "x");
	assert_int_equal(object_make_empty(fd, "dir", &stamp, kept), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(object_make_symlink(fd, "dir", "text", kept), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(object_make_hardlink(fd, "dir", "target", kept), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(object_check_dir(fd, "dir"), OBJECT_RIGHT);
	assert_int_equal(system("test -z \"$(find . -name '.snapraid-*')\""), 0);
	close(fd);
}

static void a_hard_link_replaces_a_copy_and_keeps_anything_else(void **state)
{
	int fd = open_here();

	(void)state;
	make_file("target", "same");
	make_file("copy", "same");
	make_file("other", "else");
	assert_int_equal(object_check_hardlink(fd, "copy", "target"), OBJECT_WRONG);
	assert_int_equal(object_make_hardlink(fd, "copy", "target", kept), 0);
	assert_string_equal(kept, "");
	assert_int_equal(object_check_hardlink(fd, "copy", "target"), OBJECT_RIGHT);
	assert_int_equal(object_make_hardlink(fd, "other", "target", kept), 0);
	assert_string_equal(kept, ".edited");
	assert_size("other.edited", 4);
	assert_int_equal(object_check_hardlink(fd, "other", "target"), OBJECT_RIGHT);
	assert_int_equal(object_check_hardlink(fd, "none", "target"), OBJECT_MISSING);
	close(fd);
}

static void a_hard_link_of_nothing_cannot_be_made(void **state)
{
	int fd = open_here();

	(void)state;
	assert_int_equal(object_make_hardlink(fd, "link", "none", kept), -1);
	assert_int_equal(errno, ENOENT);
	make_file("file", "x");
	assert_int_equal(symlink("file", "sym"), 0);
	assert_int_equal(object_make_hardlink(fd, "link", "sym", kept), -1);
	close(fd);
}

static void a_symlink_is_made_with_its_text_and_not_followed(void **state)
{
	int fd = open_here();

	(void)state;
	make_file("file", "data");
	assert_int_equal(object_make_symlink(fd, "sub/link", "../file", kept), 0);
	assert_int_equal(object_check_symlink(fd, "sub/link", "../file"), OBJECT_RIGHT);
	assert_int_equal(object_check_symlink(fd, "sub/link", "file"), OBJECT_WRONG);
	assert_int_equal(object_make_symlink(fd, "sub/link", "file", kept), 0);
	assert_int_equal(object_check_symlink(fd, "sub/link", "file"), OBJECT_RIGHT);
	assert_int_equal(symlink("sub", "way"), 0);
	assert_int_equal(object_check_symlink(fd, "way/link", "file"), OBJECT_MISSING);
	assert_int_equal(object_make_symlink(fd, "way/link", "file", kept), -1);
	assert_size("file", 4);
	close(fd);
}

static void a_file_in_the_place_of_a_directory_is_an_error(void **state)
{
	int fd = open_here();

	(void)state;
	make_file("dir", "data");
	assert_int_equal(object_check_dir(fd, "dir"), OBJECT_WRONG);
	assert_int_equal(object_make_dir(fd, "dir"), -1);
	assert_int_equal(errno, EEXIST);
	assert_size("dir", 4);
	assert_int_equal(object_make_dir(fd, "x/y"), 0);
	assert_int_equal(object_check_dir(fd, "x/y"), OBJECT_RIGHT);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(an_empty_file_is_made_with_its_time_and_directories),
		in_scratch(data_in_the_place_of_an_empty_file_is_kept),
		in_scratch(a_directory_in_the_way_is_an_error_and_stays),
		in_scratch(a_hard_link_replaces_a_copy_and_keeps_anything_else),
		in_scratch(a_hard_link_of_nothing_cannot_be_made),
		in_scratch(a_symlink_is_made_with_its_text_and_not_followed),
		in_scratch(a_file_in_the_place_of_a_directory_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
