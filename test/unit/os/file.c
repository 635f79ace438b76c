/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/utsname.h>
#include <time.h>

#include "base/mem.h"
#include "os/file.h"
#include "test/unit/os/image.h"
#include "test/unit/os/scratch.h"

static void whole_writes_are_read_back(void **state)
{
	size_t size = 300000;
	char *data = mem_alloc(size), *found = mem_alloc(size + 10);
	int fd = os_create_new("file", 0600);

	(void)state;
	for (size_t i = 0; i < size; ++i)
		data[i] = (char)(i * 7 + i / 256);
	assert_true(fd >= 0);
	assert_int_equal(os_write_all(fd, data, 1000), 0);
	assert_int_equal(os_pwrite_all(fd, data + 1000, size - 1000, 1000), 0);
	assert_int_equal(os_sync(fd), 0);
	assert_int_equal(os_sync_fs(fd), 0);
	os_write_behind(fd, 0, size);
	os_close(fd);

	fd = os_open_read("file");
	assert_int_equal(os_pread_all(fd, found, size + 10, 0), size);
	assert_memory_equal(found, data, size);
	assert_int_equal(os_pread_all(fd, found, 10, size - 4), 4);
	assert_memory_equal(found, data + size - 4, 4);
	assert_int_equal(os_pread_all(fd, found, 10, size + 4), 0);
	os_close(fd);
	free(data);
	free(found);
}

static void failures_are_told(void **state)
{
	char byte = 0;
	int fd;

	(void)state;
	assert_int_equal(os_open_read("missing"), -1);
	assert_int_equal(errno, ENOENT);
	make_file("file", "");
	assert_int_equal(os_create_new("file", 0600), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(os_open_dir("file"), -1);
	assert_int_equal(errno, ENOTDIR);
	fd = os_open_read("file");
	assert_int_equal(os_write_all(fd, &byte, 1), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(os_pwrite_all(fd, &byte, 1, 0), -1);
	os_close(fd);
	assert_int_equal(os_pread_all(fd, &byte, 1, 0), -1);
	assert_int_equal(os_write_all(open("/dev/full", O_WRONLY | O_CLOEXEC), &byte, 1), -1);
	assert_int_equal(errno, ENOSPC);
}

static void close_takes_no_descriptor_and_keeps_errno(void **state)
{
	(void)state;
	errno = ENOSPC;
	os_close(-1);
	os_close(987654);
	assert_int_equal(errno, ENOSPC);
}

static void read_file_appends_up_to_its_limit(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	make_file("file", "0123456789");
	make_file("empty", "");
	buf_str(&buf, ">");
	assert_int_equal(os_read_file("file", 10, &buf), 0);
	assert_string_equal(buf.data, ">0123456789");
	assert_int_equal(os_read_file("file", 9, &buf), -1);
	assert_int_equal(errno, EFBIG);
	assert_string_equal(buf.data, ">0123456789");
	assert_int_equal(os_read_file(".", 100, &buf), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(os_read_file("missing", 100, &buf), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(buf.size, 11);
	buf_done(&buf);
	assert_int_equal(os_read_file("empty", 0, &buf), 0);
	assert_string_equal(buf.data, "");
	assert_int_equal(os_read_file("/proc/self/status", 1 << 20, &buf), 0);
	assert_true(buf.size > 100);
	buf_done(&buf);
}

static void what_is_no_file_is_not_waited_for(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	make_file("file", "text");
	make_dir("dir");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	alarm(20);
	assert_int_equal(os_read_regular("fifo", 100, &buf), -1);
	alarm(0);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(os_read_regular("dir", 100, &buf), -1);
	assert_int_equal(os_read_regular("file", 3, &buf), -1);
	assert_int_equal(errno, EFBIG);
	assert_int_equal(os_read_regular("file", 4, &buf), 0);
	assert_string_equal(buf.data, "text");
	buf_done(&buf);
}

static void a_refused_large_file_leaves_no_part(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	make_file("file", "x");
	assert_int_equal(truncate("file", 100000), 0);
	buf_str(&buf, ">");
	assert_int_equal(os_read_file("file", 70000, &buf), -1);
	assert_int_equal(errno, EFBIG);
	assert_string_equal(buf.data, ">");
	assert_int_equal(buf.size, 1);
	assert_int_equal(os_read_file("file", 100000, &buf), 0);
	assert_int_equal(buf.size, 100001);
	buf_done(&buf);
}

static void a_map_is_what_is_in_the_file_or_an_error(void **state)
{
	const char *data;
	int fd;

	(void)state;
	make_file("file", "0123456789");
	fd = os_open_read("file");
	data = os_map(fd, 10);
	assert_non_null(data);
	assert_memory_equal(data, "0123456789", 10);
	os_unmap(data, 10);
	os_unmap(NULL, 0);
	/* A page that cannot be had, as one of a disk that fails. */
	errno = 0;
	data = os_map(fd, 1 << 20);
	if (data == NULL)
		assert_int_equal(errno, EIO);
	else
		print_message("this kernel does not tell\n");
	os_unmap(data, 1 << 20);
	os_close(fd);
	errno = 0;
	assert_null(os_map(-1, 10));
	assert_int_equal(errno, EBADF);
}

static void rename_replaces_the_target(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	make_dir("dir");
	make_file("dir/old", "old");
	make_file("dir/fresh", "fresh");
	assert_int_equal(os_rename_durable("dir/fresh", "dir/old"), 0);
	assert_int_equal(os_read_file("dir/old", 100, &buf), 0);
	assert_string_equal(buf.data, "fresh");
	assert_int_equal(access("dir/fresh", F_OK), -1);
	assert_int_equal(os_rename_durable("dir/old", "here"), 0);
	assert_int_equal(os_rename_durable("dir/missing", "here"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(access("here", F_OK), 0);
	assert_int_equal(os_sync_parent("here"), 0);
	assert_int_equal(os_sync_parent("missing/x"), -1);
	buf_done(&buf);
}

static void extend_adds_zeros_and_reserves_them(void **state)
{
	char found[5000];
	struct stat st;
	int fd;

	(void)state;
	make_file("file", "abc");
	fd = open("file", O_RDWR | O_CLOEXEC);
	assert_int_equal(os_extend(fd, 3, 0), 0);
	assert_int_equal(os_extend(fd, 3, 4997), 0);
	assert_int_equal(os_pread_all(fd, found, sizeof(found), 0), 5000);
	assert_memory_equal(found, "abc", 3);
	for (unsigned i = 3; i < 5000; ++i)
		assert_int_equal(found[i], 0);
	assert_int_equal(os_extend(fd, 5000, INT64_MAX), -1);
	assert_int_equal(errno, EFBIG);
	assert_int_equal(os_truncate(fd, 2), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 2);
	os_close(fd);
}

/* A full disk must be told when the room is asked for, not when parity is written. */
static void extend_on_a_full_disk_leaves_the_size(void **state)
{
	const struct image image = { .kind = "ext4", .make = "mkfs.ext4 -q -F", .mib = 16 };
	struct stat st;
	int fd, rc, error;

	(void)state;
	if (!image_mount(&image))
		skip();
	fd = open("mnt/file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(os_extend(fd, 0, 65536), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(st.st_blocks >= 65536 / 512);
	rc = os_extend(fd, 65536, 64 << 20);
	error = errno;
	assert_int_equal(fstat(fd, &st), 0);
	os_close(fd);
	assert_int_equal(umount2("mnt", MNT_DETACH), 0);
	assert_int_equal(rc, -1);
	assert_int_equal(error, ENOSPC);
	assert_int_equal(st.st_size, 65536);
}

static void times_are_set_to_the_nanosecond(void **state)
{
	const struct timespec mtime = { 1234567890, 987654321 };
	struct stat st;
	int fd;

	(void)state;
	make_file("file", "");
	fd = os_open_read("file");
	assert_int_equal(os_set_times(fd, &mtime), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, mtime.tv_sec);
	assert_int_equal(st.st_mtim.tv_nsec, mtime.tv_nsec);
	assert_int_equal(st.st_atim.tv_sec, mtime.tv_sec);
	os_close(fd);
}

static const char *release;

int uname(struct utsname *name)
{
	strcpy(name->release, release);
	return 0;
}

static void a_sync_of_the_file_system_is_sure_where_it_tells_what_failed(void **state)
{
	static const char *const sure[] = { "5.8.0", "5.10.0-28-amd64", "6.1", "10.0.0" };
	static const char *const unsure[] = { "5.7.19", "4.19.0", "3.10.0-1160.el7", "unknown" };
	int fd = open(".", O_RDONLY | O_DIRECTORY);

	(void)state;
	for (unsigned i = 0; i < 4; ++i) {
		release = sure[i];
		assert_true(os_sync_fs_is_sure(fd));
		release = unsure[i];
		assert_false(os_sync_fs_is_sure(fd));
	}
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(whole_writes_are_read_back),
		in_scratch(failures_are_told),
		cmocka_unit_test(close_takes_no_descriptor_and_keeps_errno),
		in_scratch(read_file_appends_up_to_its_limit),
		in_scratch(what_is_no_file_is_not_waited_for),
		in_scratch(a_sync_of_the_file_system_is_sure_where_it_tells_what_failed),
		in_scratch(a_refused_large_file_leaves_no_part),
		in_scratch(a_map_is_what_is_in_the_file_or_an_error),
		in_scratch(rename_replaces_the_target),
		in_scratch(extend_adds_zeros_and_reserves_them),
		in_scratch(extend_on_a_full_disk_leaves_the_size),
		in_scratch(times_are_set_to_the_nanosecond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
