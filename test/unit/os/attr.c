/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/xattr.h>

#include "os/attr.h"

#include "scratch.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)

static int make(void)
{
	int fd = open("file", O_RDWR | O_CREAT, 0600);

	assert_true(fd >= 0);
	return fd;
}

/* Some file systems have no extended attributes of users. */
static bool has_xattrs(int fd)
{
	return fsetxattr(fd, "user.probe", "1", 1, 0) == 0 && fremovexattr(fd, "user.probe") == 0;
}

static void attributes_come_back_sorted_by_name(void **state)
{
	int fd = make();
	struct buf set = { 0 }, again = { 0 };
	struct os_attr attr = { .mode = 0640, .uid = geteuid(), .gid = getegid() };
	struct cursor at;
	struct xattr xattr;
	int error;

	(void)state;
	if (!has_xattrs(fd)) {
		close(fd);
		skip();
	}
	assert_int_equal(fsetxattr(fd, "user.z", "zz", 2, 0), 0);
	assert_int_equal(fsetxattr(fd, "user.a", "", 0, 0), 0);
	assert_int_equal(os_xattrs_get(fd, &set), 0);
	at = (struct cursor){ .at = (const uint8_t *)set.data, .end = (const uint8_t *)set.data + set.size };
	assert_true(xattrs_next(&at, &xattr));
	assert_string_equal(xattr.name, "user.a");
	assert_true(xattrs_next(&at, &xattr));
	assert_string_equal(xattr.name, "user.z");
	assert_memory_equal(xattr.value, "zz", 2);

	fremovexattr(fd, "user.a");
	fsetxattr(fd, "user.z", "other", 5, 0);
	fsetxattr(fd, "user.mine", "1", 1, 0);
	attr.xattrs = (const uint8_t *)set.data;
	attr.xattr_bytes = set.size;
	assert_int_equal(os_attr_set(fd, &attr, &error), 0);
	assert_int_equal(os_xattrs_get(fd, &again), 0);
	assert_true(xattrs_find((const uint8_t *)again.data, again.size, "user.a", &xattr));
	assert_true(xattrs_find((const uint8_t *)again.data, again.size, "user.z", &xattr));
	assert_int_equal(xattr.size, 2);
	assert_true(xattrs_find((const uint8_t *)again.data, again.size, "user.mine", &xattr));	/* not ours to take */
	close(fd);
	buf_done(&set);
	buf_done(&again);
}

static void mode_and_owner_are_set(void **state)
{
	struct os_attr attr = { .mode = 04711, .uid = 1234, .gid = 99 };
	int fd = make(), error;
	struct stat st;

	(void)state;
	if (geteuid() != 0) {
		close(fd);
		skip();
	}
	assert_int_equal(os_attr_set(fd, &attr, &error), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 04711);
	assert_int_equal(st.st_uid, 1234);
	assert_int_equal(st.st_gid, 99);
	close(fd);
}

static void without_its_owner_nobody_gets_the_rights_of_another_one(void **state)
{
	struct os_attr attr = { .mode = 06755, .uid = 0, .gid = 0 };
	int fd = make(), error;
	struct stat st;

	(void)state;
	if (geteuid() != 0) {
		close(fd);
		skip();
	}
	assert_int_equal(fchown(fd, 1234, 1234), 0);
	assert_int_equal(setegid(1234), 0);
	assert_int_equal(seteuid(1234), 0);
	assert_int_equal(os_attr_set(fd, &attr, &error), UNSET_OWNER);
	assert_int_equal(error, EPERM);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(setegid(0), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	close(fd);
}

static void a_hole_is_seen_and_made(void **state)
{
	char page[8192];
	int fd = make();
	struct stat st;

	(void)state;
	memset(page, 'x', sizeof(page));
	assert_int_equal(write(fd, page, sizeof(page)), sizeof(page));
	assert_false(os_has_holes(fd, sizeof(page)));
	if (os_punch(fd, 4096, 4096) < 0) {
		close(fd);
		skip();
	}
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, sizeof(page));
	assert_int_equal(pread(fd, page, 4096, 4096), 4096);
	assert_int_equal(page[0], 0);
	assert_int_equal(page[4095], 0);
	assert_true(os_has_holes(fd, sizeof(page)));
	close(fd);
}

static void a_link_gets_owner_and_time_and_is_not_followed(void **state)
{
	struct stat st;
	int fd = make();

	(void)state;
	close(fd);
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(os_link_owner(AT_FDCWD, "link", geteuid(), getegid()), 0);
	assert_int_equal(os_link_time(AT_FDCWD, "link", 1000, 5), 0);
	assert_int_equal(lstat("link", &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, 1000);
	assert_int_equal(stat("file", &st), 0);
	assert_true(st.st_mtim.tv_sec > 1000);
	assert_int_equal(os_link_owner(AT_FDCWD, "none", 0, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(attributes_come_back_sorted_by_name),
		TEST(mode_and_owner_are_set),
		TEST(without_its_owner_nobody_gets_the_rights_of_another_one),
		TEST(a_hole_is_seen_and_made),
		TEST(a_link_gets_owner_and_time_and_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
