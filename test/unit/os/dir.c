/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "os/dir.h"
#include "os/file.h"
#include "test/unit/os/scratch.h"

static const struct os_entry *find(const struct os_entry *entries, size_t count, const char *name)
{
	const struct os_entry *found = NULL;

	for (size_t i = 0; i < count; ++i) {
		if (strcmp(entries[i].name, name) == 0) {
			assert_null(found);
			found = &entries[i];
		}
	}
	if (found == NULL)
		fail_msg("'%s' is not there", name);
	return found;
}

static void every_entry_comes_with_its_status(void **state)
{
	const struct timespec mtime = { 1500000000, 123456789 };
	struct arena *arena = arena_new();
	const struct os_entry *e;
	struct os_entry *entries;
	char long_name[256];
	const char *bad;
	struct stat st;
	size_t count;
	int here = open_here(), fd, file;

	(void)state;
	memset(long_name, 'n', 255);
	long_name[255] = '\0';
	make_dir("dir");
	make_dir("dir/sub");
	make_file("dir/.hidden", "12345");
	make_file("dir/with\nnewline", "");
	make_file("dir/invalid\xff\xc3", "");
	make_file("dir/...", "");
	make_file("dir/file", "abc");
	file = os_open_read("dir/file");
	assert_int_equal(os_set_times(file, &mtime), 0);
	os_close(file);
	assert_int_equal(link("dir/file", "dir/hard"), 0);
	assert_int_equal(symlink("file", "dir/soft"), 0);
	assert_int_equal(mkfifo("dir/fifo", 0600), 0);
	assert_int_equal(chdir("dir"), 0);
	make_file(long_name, "x");
	assert_int_equal(chdir(".."), 0);

	assert_int_equal(os_dir_read(here, "dir", true, arena, &fd, &entries, &count, &bad), 0);
	assert_null(bad);
	assert_int_equal(count, 10);
	for (size_t i = 1; i < count; ++i)
		assert_true(entries[i - 1].inode <= entries[i].inode);

	assert_int_equal(lstat("dir/file", &st), 0);
	e = find(entries, count, "file");
	assert_int_equal(e->kind, OS_FILE);
	assert_int_equal(e->inode, st.st_ino);
	assert_int_equal(e->device, st.st_dev);
	assert_int_equal(e->size, 3);
	assert_int_equal(e->mtime_sec, mtime.tv_sec);
	assert_int_equal(e->mtime_nsec, mtime.tv_nsec);
	assert_int_equal(e->link_count, 2);
	assert_int_equal(find(entries, count, "hard")->inode, st.st_ino);
	assert_int_equal(find(entries, count, ".hidden")->size, 5);
	assert_int_equal(find(entries, count, "sub")->kind, OS_DIR);
	assert_int_equal(find(entries, count, "soft")->kind, OS_SYMLINK);
	assert_int_equal(find(entries, count, "fifo")->kind, OS_SPECIAL);
	find(entries, count, "...");
	find(entries, count, "with\nnewline");
	find(entries, count, "invalid\xff\xc3");
	find(entries, count, long_name);

	assert_string_equal(os_read_link(fd, "soft", arena), "file");
	os_close(fd);
	os_close(here);
	arena_free(arena);
}

static void a_directory_of_many_files_is_read_whole(void **state)
{
	struct arena *arena = arena_new();
	bool seen[5000] = { false };
	struct os_entry *entries;
	const char *bad;
	size_t count;
	int here = open_here(), fd;

	(void)state;
	for (unsigned i = 0; i < 5000; ++i) {
		char name[32];

		snprintf(name, sizeof(name), "a-rather-long-name-%u", i);
		make_file(name, "");
	}
	assert_int_equal(os_dir_read(here, ".", false, arena, &fd, &entries, &count, &bad), 0);
	assert_int_equal(count, 5000);
	for (size_t i = 0; i < count; ++i) {
		unsigned number = 5000;

		assert_int_equal(sscanf(entries[i].name, "a-rather-long-name-%u", &number), 1);
		assert_true(number < 5000 && !seen[number]);
		seen[number] = true;
	}
	os_close(fd);
	os_close(here);
	arena_free(arena);
}

static void an_empty_directory_has_no_entries(void **state)
{
	struct arena *arena = arena_new();
	struct os_entry *entries;
	const char *bad;
	size_t count = 99;
	int here = open_here(), fd;

	(void)state;
	assert_int_equal(os_dir_read(here, ".", true, arena, &fd, &entries, &count, &bad), 0);
	assert_int_equal(count, 0);
	os_close(fd);
	os_close(here);
	arena_free(arena);
}

static void a_link_to_a_directory_is_not_entered(void **state)
{
	struct arena *arena = arena_new();
	struct os_entry *entries;
	const char *bad = "x";
	size_t count;
	int here = open_here(), fd = 5;

	(void)state;
	make_dir("dir");
	assert_int_equal(symlink("dir", "link"), 0);
	assert_int_equal(os_dir_read(here, "link", true, arena, &fd, &entries, &count, &bad), -1);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(fd, -1);
	assert_null(bad);
	assert_int_equal(os_dir_read(here, "missing", true, arena, &fd, &entries, &count, &bad), -1);
	assert_int_equal(errno, ENOENT);
	os_close(here);
	arena_free(arena);
}

static void an_entry_that_cannot_be_examined_is_named(void **state)
{
	struct arena *arena = arena_new();
	bool is_root = geteuid() == 0;
	struct os_entry *entries;
	const char *bad = NULL;
	int here, fd = 5, rc, error;
	size_t count;

	(void)state;
	make_dir("dir");
	make_file("dir/file", "");
	assert_int_equal(chmod("dir", 0444), 0);	/* names may be read, and no more */
	assert_int_equal(chmod(".", 0755), 0);
	here = open_here();
	if (is_root)
		assert_int_equal(seteuid(65534), 0);
	rc = os_dir_read(here, "dir", true, arena, &fd, &entries, &count, &bad);
	error = errno;
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod("dir", 0755), 0);
	assert_int_equal(rc, -1);
	assert_int_equal(error, EACCES);
	assert_string_equal(bad, "file");
	assert_int_equal(fd, -1);
	os_close(here);
	arena_free(arena);
}

static void a_link_is_read_whole_or_not_at_all(void **state)
{
	struct arena *arena = arena_new();
	char target[PATH_BYTES_MAX + 1];
	int here = open_here();

	(void)state;
	memset(target, 't', PATH_BYTES_MAX);
	target[PATH_BYTES_MAX] = '\0';
	make_file("file", "");
	make_dir("dir");
	assert_int_equal(symlink(target, "dir/long"), 0);
	assert_int_equal(symlink("dir", "link"), 0);
	assert_string_equal(os_read_link(here, "dir/long", arena), target);
	assert_null(os_read_link(here, "link/long", arena));
	assert_int_equal(errno, ELOOP);
	assert_null(os_read_link(here, "file", arena));
	assert_int_equal(errno, EINVAL);
	assert_null(os_read_link(here, "missing", arena));
	assert_int_equal(errno, ENOENT);
	os_close(here);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(every_entry_comes_with_its_status),
		in_scratch(a_directory_of_many_files_is_read_whole),
		in_scratch(an_empty_directory_has_no_entries),
		in_scratch(a_link_to_a_directory_is_not_entered),
		in_scratch(an_entry_that_cannot_be_examined_is_named),
		in_scratch(a_link_is_read_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
