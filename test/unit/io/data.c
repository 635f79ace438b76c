/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "io/data.h"
#include "os/file.h"

#define BLOCK 1024u

struct fixture {
	char dir[64];
	int root;
	struct data_reader *reader;
	struct data_want want;
	struct file key;
	uint8_t data[BLOCK];
	bool changed;
	int error;
};

/* A file of 1500 bytes, "f", as the array would know it. */
static int setup(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));
	uint8_t bytes[1500];
	struct stat st;
	int fd;

	strcpy(f->dir, "/tmp/unit-data.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	f->root = os_open_dir(f->dir);
	fd = openat(f->root, "f", O_CREAT | O_WRONLY, 0600);
	memset(bytes, 0x5a, sizeof(bytes));
	assert_int_equal(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	fstat(fd, &st);
	close(fd);
	f->reader = data_reader_new(f->root);
	f->want = (struct data_want){ .key = &f->key, .path = "f", .inode = st.st_ino,
				      .stamp = { 1500, st.st_mtim.tv_sec, (uint32_t)st.st_mtim.tv_nsec } };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	data_reader_free(f->reader);
	unlinkat(f->root, "f", 0);
	unlinkat(f->root, "f", AT_REMOVEDIR);
	unlinkat(f->root, "other", 0);
	os_close(f->root);
	rmdir(f->dir);
	free(f);
	return 0;
}

static enum data_result read_block(struct fixture *f, uint64_t offset, uint32_t bytes)
{
	memset(f->data, 0xee, BLOCK);
	return data_read(f->reader, &f->want, offset, bytes, BLOCK, f->data, &f->changed, &f->error);
}

static void a_short_last_block_is_padded_with_zeros(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(read_block(f, 1024, 476), DATA_OK);
	assert_int_equal(f->data[475], 0x5a);
	for (unsigned i = 476; i < BLOCK; ++i)
		assert_int_equal(f->data[i], 0);
	assert_false(f->changed);
}

static void a_missing_file_is_missing(void **state)
{
	struct fixture *f = *state;

	unlinkat(f->root, "f", 0);
	assert_int_equal(read_block(f, 0, BLOCK), DATA_MISSING);
	assert_int_equal(f->error, ENOENT);
}

static void a_symlink_or_directory_or_fifo_in_place_of_the_file_is_missing(void **state)
{
	struct fixture *f = *state;
	struct file other_key = { .inode = 1 };

	renameat(f->root, "f", f->root, "other");
	assert_int_equal(symlinkat("other", f->root, "f"), 0);
	assert_int_equal(read_block(f, 0, BLOCK), DATA_MISSING);
	unlinkat(f->root, "f", 0);
	assert_int_equal(mkfifoat(f->root, "f", 0600), 0);
	f->want.key = &other_key;
	assert_int_equal(read_block(f, 0, BLOCK), DATA_MISSING);
	unlinkat(f->root, "f", 0);
	assert_int_equal(mkdirat(f->root, "f", 0700), 0);
	f->want.key = &f->key;
	assert_int_equal(read_block(f, 0, BLOCK), DATA_MISSING);
}

static void another_stamp_is_refused_only_when_asked(void **state)
{
	struct fixture *f = *state;

	f->want.stamp.mtime_sec -= 1;
	assert_int_equal(read_block(f, 0, BLOCK), DATA_OK);
	assert_true(f->changed);
	f->want.same_stamp = true;
	assert_int_equal(read_block(f, 0, BLOCK), DATA_CHANGED);
}

static void an_unknown_nanosecond_part_matches_any(void **state)
{
	struct fixture *f = *state;

	f->want.stamp.mtime_nsec = NSEC_UNKNOWN;
	f->want.same_stamp = true;
	assert_int_equal(read_block(f, 0, BLOCK), DATA_OK);
}

static void a_block_beyond_the_end_is_short_and_never_zeros(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(read_block(f, 2048, BLOCK), DATA_SHORT);
	assert_true(f->changed);
}

static void a_disk_that_is_not_there_has_no_file(void **state)
{
	struct fixture *f = *state;

	data_reader_free(f->reader);
	f->reader = data_reader_new(-1);
	assert_int_equal(read_block(f, 0, BLOCK), DATA_MISSING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_short_last_block_is_padded_with_zeros, setup, teardown),
		cmocka_unit_test_setup_teardown(a_missing_file_is_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(a_symlink_or_directory_or_fifo_in_place_of_the_file_is_missing,
						setup, teardown),
		cmocka_unit_test_setup_teardown(another_stamp_is_refused_only_when_asked, setup, teardown),
		cmocka_unit_test_setup_teardown(an_unknown_nanosecond_part_matches_any, setup, teardown),
		cmocka_unit_test_setup_teardown(a_block_beyond_the_end_is_short_and_never_zeros, setup, teardown),
		cmocka_unit_test_setup_teardown(a_disk_that_is_not_there_has_no_file, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
