/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/mount.h>
#include <sys/statvfs.h>

#include "base/mem.h"
#include "os/file.h"
#include "os/fs.h"
#include "test/unit/os/image.h"
#include "test/unit/os/scratch.h"

static void space_is_that_of_the_file_system(void **state)
{
	struct os_space space;
	struct statvfs fs;

	(void)state;
	assert_int_equal(os_space(".", &space), 0);
	assert_int_equal(statvfs(".", &fs), 0);
	assert_int_equal(space.total_bytes, (uint64_t)fs.f_blocks * fs.f_frsize);
	assert_true(space.free_bytes > 0 && space.free_bytes <= space.total_bytes);
	assert_int_equal(os_space("missing", &space), -1);
	assert_int_equal(errno, ENOENT);
}

static void a_path_that_is_not_there_is_an_error(void **state)
{
	struct os_fs fs;

	(void)state;
	assert_int_equal(os_fs_probe("missing", &fs), -1);
	assert_int_equal(errno, ENOENT);
}

static void a_file_system_without_a_device_has_a_kind_only(void **state)
{
	struct os_fs fs;

	(void)state;
	assert_int_equal(os_fs_probe("/proc/self", &fs), 0);
	assert_string_equal(fs.kind, "proc");
	assert_string_equal(fs.uuid, "");
	assert_string_equal(fs.label, "");
	os_fs_done(&fs);
	assert_null(fs.uuid);
}

static void only_some_kinds_keep_inodes(void **state)
{
	(void)state;
	assert_true(os_fs_inodes_persist("ext4"));
	assert_true(os_fs_inodes_persist("xfs"));
	assert_true(os_fs_inodes_persist("btrfs"));
	assert_false(os_fs_inodes_persist("vfat"));
	assert_false(os_fs_inodes_persist("exfat"));
	assert_false(os_fs_inodes_persist("fuseblk"));
	assert_false(os_fs_inodes_persist("fuse.mergerfs"));
	assert_false(os_fs_inodes_persist(""));
}

static void check_image(const struct image *image, bool has_extents)
{
	struct os_space space;
	struct statvfs statfs;
	struct os_fs fs;
	bool known;
	int fd;

	if (!image_mount(image))
		skip();
	make_dir("mnt/sub");
	assert_int_equal(os_fs_probe("mnt/sub", &fs), 0);
	assert_string_equal(fs.kind, image->kind);
	assert_string_equal(fs.uuid, image->uuid);
	assert_string_equal(fs.label, image->label);
	os_fs_done(&fs);
	assert_int_equal(os_space("mnt", &space), 0);
	assert_int_equal(statvfs("mnt", &statfs), 0);
	assert_int_equal(space.free_bytes, (uint64_t)statfs.f_bfree * statfs.f_frsize);
	fd = open("mnt/large", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(os_physical_offset(fd), 0);
	for (unsigned i = 0; i < 1024; ++i)	/* 64 KiB: more than btrfs keeps beside the inode */
		assert_int_equal(os_write_all(fd, scratch_path, sizeof(scratch_path)), 0);
	assert_int_equal(os_sync(fd), 0);
	known = os_physical_offset(fd) > 0;
	os_close(fd);
	assert_int_equal(umount2("mnt", MNT_DETACH), 0);
	assert_int_equal(known, has_extents);
}

static void ext4_tells_uuid_label_and_extents(void **state)
{
	const struct image image = {
		"ext4", "mkfs.ext4 -q -F -L 'My Disk' -U 1B4E28BA-2fa1-11d2-883f-0016d3cca427",
		"1b4e28ba-2fa1-11d2-883f-0016d3cca427", "My Disk", 16
	};

	(void)state;
	check_image(&image, true);
}

static void xfs_tells_uuid_label_and_extents(void **state)
{
	const struct image image = {
		"xfs", "mkfs.xfs -q -f -L xlabel -m uuid=2b4e28ba-2fa1-11d2-883f-0016d3cca427",
		"2b4e28ba-2fa1-11d2-883f-0016d3cca427", "xlabel", 320
	};

	(void)state;
	check_image(&image, true);
}

/* Its device number is not that of a block device. */
static void btrfs_tells_uuid_label_and_extents(void **state)
{
	const struct image image = {
		"btrfs", "mkfs.btrfs -q -f -L blabel -U 3b4e28ba-2fa1-11d2-883f-0016d3cca427",
		"3b4e28ba-2fa1-11d2-883f-0016d3cca427", "blabel", 128
	};

	(void)state;
	check_image(&image, true);
}

static void vfat_keeps_its_short_number(void **state)
{
	const struct image image = { "vfat", "mkfs.vfat -n FLABEL -i 1234ABCD", "1234-ABCD", "FLABEL", 16 };

	(void)state;
	check_image(&image, false);
}

static void a_mount_point_with_odd_bytes_is_found(void **state)
{
	struct os_fs fs;

	(void)state;
	make_dir("a b\n\\c");
	if (mount("odd source", "a b\n\\c", "tmpfs", 0, "size=64k") < 0)
		skip();
	assert_int_equal(os_fs_probe("a b\n\\c", &fs), 0);
	assert_string_equal(fs.kind, "tmpfs");
	os_fs_done(&fs);
	assert_int_equal(umount("a b\n\\c"), 0);
}

static void what_is_not_on_a_medium_has_no_offset(void **state)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(os_physical_offset(fd), 0);
	assert_int_equal(os_physical_offset(-1), 0);
	os_close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(space_is_that_of_the_file_system),
		in_scratch(a_path_that_is_not_there_is_an_error),
		cmocka_unit_test(a_file_system_without_a_device_has_a_kind_only),
		cmocka_unit_test(only_some_kinds_keep_inodes),
		in_scratch(ext4_tells_uuid_label_and_extents),
		in_scratch(xfs_tells_uuid_label_and_extents),
		in_scratch(btrfs_tells_uuid_label_and_extents),
		in_scratch(vfat_keeps_its_short_number),
		in_scratch(a_mount_point_with_odd_bytes_is_found),
		cmocka_unit_test(what_is_not_on_a_medium_has_no_offset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
