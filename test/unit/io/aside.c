/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/aside.h"
#include "test/unit/os/scratch.h"

/* Does it begin with `name`, and go on as .changed-YYYYMMDD-HHMMSS? */
static void assert_named_after(const char *to, const char *name)
{
	static const char form[] = ".changed-dddddddd-dddddd";
	size_t size = strlen(name);

	assert_int_equal(strncmp(to, name, size), 0);
	for (size_t i = 0; i < strlen(form); i++)
		if (form[i] == 'd' && i > 8)
			assert_in_range(to[size + i], '0', '9');
		else
			assert_int_equal(to[size + i], form[i]);
}

static void the_new_name_says_when_and_never_is_one_that_is_taken(void **state)
{
	int fd = open_here();
	struct aside to[4];

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		char text[2] = { (char)('0' + i), 0 };

		make_file("file", text);
		assert_int_equal(aside_keep(fd, "file", 4, &to[i]), 0);
		assert_named_after(to[i].name, "file");
		assert_false(exists("file"));
	}
	for (unsigned i = 0; i < 4; i++) {
		int kept = open(to[i].name, O_RDONLY);
		char text = 0;

		assert_int_equal(read(kept, &text, 1), 1);
		assert_int_equal(text, '0' + i);
		close(kept);
	}
	close(fd);
}

static void directories_and_links_are_moved_as_they_are(void **state)
{
	int fd = open_here();
	struct aside to;
	char path[ASIDE_NAME_MAX + 10];

	(void)state;
	make_dir("dir");
	make_file("dir/mine", "x");
	assert_int_equal(aside_keep(fd, "dir", 3, &to), 0);
	snprintf(path, sizeof path, "%s/mine", to.name);
	assert_true(exists(path));
	assert_int_equal(symlink("nowhere", "link"), 0);
	assert_int_equal(aside_keep(fd, "link", 4, &to), 0);
	assert_int_equal(readlink(to.name, path, sizeof path), 7);
	assert_int_equal(aside_keep(fd, "nothing", 7, &to), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(to.length, 4);
	close(fd);
}

static void a_long_name_is_cut_between_two_characters(void **state)
{
	int fd = open_here();
	char name[ASIDE_NAME_MAX];
	struct aside to;

	(void)state;
	memset(name, 'n', 255);
	name[255] = '\0';
	make_file(name, "x");
	assert_int_equal(aside_keep(fd, name, strlen(name), &to), 0);
	assert_int_equal(strlen(to.name), 255);
	assert_true(exists(to.name));

	/* 231 bytes are left for the name, in the middle of a character of two bytes */
	for (unsigned i = 0; i < 254; i += 2)
		memcpy(name + i, "\xc3\xa4", 2);
	name[254] = '\0';
	make_file(name, "x");
	assert_int_equal(aside_keep(fd, name, strlen(name), &to), 0);
	assert_int_equal(strlen(to.name), 254);
	name[230] = '\0';
	assert_named_after(to.name, name);
	close(fd);
}

static void the_topmost_of_what_is_no_directory_is_moved_out_of_the_way(void **state)
{
	int fd = open_here();
	struct aside aside = { 0, "" };
	char *from, *to;

	(void)state;
	make_dir("a");
	make_dir("real");
	assert_int_equal(symlink("../real", "a/b"), 0);
	make_file("a/b/c", "inside");
	assert_int_equal(aside_clear_way(fd, "a/b/c/file", &aside), 0);
	assert_int_equal(aside.length, 3);
	assert_named_after(aside.name, "b");
	aside_paths(&aside, "a/b/c/file", &from, &to);
	assert_string_equal(from, "a/b");
	assert_true(exists(to));
	assert_false(exists("a/b"));
	assert_true(exists("real/c"));
	free(from);
	free(to);

	aside = (struct aside){ 0, "" };
	assert_int_equal(aside_clear_way(fd, "a/new/file", &aside), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(aside_clear_way(fd, "real/c", &aside), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(aside.length, 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(the_new_name_says_when_and_never_is_one_that_is_taken),
		in_scratch(directories_and_links_are_moved_as_they_are),
		in_scratch(a_long_name_is_cut_between_two_characters),
		in_scratch(the_topmost_of_what_is_no_directory_is_moved_out_of_the_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
