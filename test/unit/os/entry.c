/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/attr.h"
#include "os/entry.h"

static char dir[] = "/tmp/snapraid-unit-XXXXXX";
static int dir_fd = -1;

static int setup(void **state)
{
	(void)state;
	if (mkdtemp(dir) == NULL)
		return -1;
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY);
	return dir_fd < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	close(dir_fd);
	return rmdir(dir);	/* the tests leave nothing */
}

static void a_link_has_its_text_and_a_time_of_its_own(void **state)
{
	struct stat st;
	char text[16];

	(void)state;
	assert_int_equal(os_entry_symlink("to nothing", dir_fd, "link"), 0);
	assert_int_equal(os_link_time(dir_fd, "link", 1709634034, 123456789), 0);
	assert_int_equal(readlinkat(dir_fd, "link", text, sizeof(text)), 10);
	assert_memory_equal(text, "to nothing", 10);
	assert_int_equal(fstatat(dir_fd, "link", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(st.st_mtim.tv_sec, 1709634034);
	assert_int_equal(st.st_mtim.tv_nsec, 123456789);
	assert_int_equal(os_entry_unlink(dir_fd, "link"), 0);
}

static void a_taken_name_is_not_replaced(void **state)
{
	char text[16];

	(void)state;
	assert_int_equal(os_entry_symlink("first", dir_fd, "link"), 0);
	assert_int_equal(os_entry_symlink("second", dir_fd, "link"), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(readlinkat(dir_fd, "link", text, sizeof(text)), 5);
	assert_int_equal(os_entry_unlink(dir_fd, "link"), 0);
}

static void only_the_name_is_removed_and_only_of_the_kind_meant(void **state)
{
	(void)state;
	assert_int_equal(mkdirat(dir_fd, "dir", 0755), 0);
	assert_int_equal(os_entry_symlink("x", dir_fd, "dir/in"), 0);
	assert_int_equal(os_entry_symlink("dir", dir_fd, "to dir"), 0);
	assert_int_equal(os_entry_unlink(dir_fd, "dir"), -1);
	assert_int_equal(os_entry_rmdir(dir_fd, "to dir"), -1);
	assert_int_equal(os_entry_rmdir(dir_fd, "dir"), -1);
	assert_int_equal(errno, ENOTEMPTY);
	assert_int_equal(os_entry_unlink(dir_fd, "to dir"), 0);
	assert_int_equal(os_entry_unlink(dir_fd, "dir/in"), 0);
	assert_int_equal(os_entry_rmdir(dir_fd, "dir"), 0);
	assert_int_equal(os_entry_unlink(dir_fd, "dir"), -1);
	assert_int_equal(errno, ENOENT);
}

/* That of a file system which copies a part, and then says that this was all. */
ssize_t copy_file_range(int from_fd, off_t *from, int to_fd, off_t *to, size_t size, unsigned flags)
{
	char part[4];

	(void)size;
	(void)flags;
	if (*from > 0)
		return 0;
	assert_int_equal(pread(from_fd, part, sizeof part, *from), sizeof part);
	return pwrite(to_fd, part, sizeof part, *to);
}

static void all_is_copied_whatever_the_kernel_says(void **state)
{
	int from_fd = os_entry_create(dir_fd, "from"), to_fd = os_entry_create(dir_fd, "to");
	char text[20];

	(void)state;
	assert_int_equal(write(from_fd, "0123456789", 10), 10);
	assert_int_equal(os_copy(from_fd, to_fd, 8), 0);
	assert_int_equal(pread(to_fd, text, sizeof text, 0), 8);
	assert_memory_equal(text, "01234567", 8);
	assert_int_equal(os_copy(from_fd, to_fd, 100), 0);	/* more than there is */
	assert_int_equal(pread(to_fd, text, sizeof text, 0), 10);
	assert_memory_equal(text, "0123456789", 10);
	close(from_fd);
	close(to_fd);
	assert_int_equal(os_entry_unlink(dir_fd, "from"), 0);
	assert_int_equal(os_entry_unlink(dir_fd, "to"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_has_its_text_and_a_time_of_its_own),
		cmocka_unit_test(a_taken_name_is_not_replaced),
		cmocka_unit_test(only_the_name_is_removed_and_only_of_the_kind_meant),
		cmocka_unit_test(all_is_copied_whatever_the_kernel_says),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
