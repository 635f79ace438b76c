/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/sysmacros.h>

#include "base/mem.h"
#include "os/block.h"
#include "test/unit/os/image.h"
#include "test/unit/os/scratch.h"

/* A made-up sysfs under the scratch directory. Devices are named by their folders: "pci/block/sda/sda1". */
static void put(const char *device, const char *attribute, const char *value)
{
	char *command = mem_printf("mkdir -p \"$(dirname 'sys/devices/%s/%s')\" && printf '%%s\\n' '%s' > 'sys/devices/%s/%s'",
				   device, attribute, value, device, attribute);

	assert_int_equal(system(command), 0);
	free(command);
}

static void add_device(const char *device, const char *number)
{
	char *command;

	put(device, "dev", number);
	command = mem_printf("mkdir -p sys/dev/block 'sys/devices/%s/slaves' && ln -s '../../devices/%s' 'sys/dev/block/%s'",
			     device, device, number);
	assert_int_equal(system(command), 0);
	free(command);
}

static void add_disk(const char *device, const char *number, const char *rotational)
{
	add_device(device, number);
	put(device, "queue/rotational", rotational);
}

static void add_partition(const char *device, const char *number)
{
	add_device(device, number);
	put(device, "partition", "1");
}

static void add_below(const char *device, const char *below)
{
	char *command = mem_printf("ln -s \"$PWD/sys/devices/%s\" 'sys/devices/%s/slaves/'", below, device);

	assert_int_equal(system(command), 0);
	free(command);
}

/* "/dev/sda /dev/sdb": the disks below, in no order of the file system. */
static int compare_disks(const void *a, const void *b)
{
	return strcmp(((const struct os_disk *)a)->path, ((const struct os_disk *)b)->path);
}

static void check_disks(unsigned device_major, unsigned device_minor, const char *expected)
{
	struct os_disk_list list = { 0 };
	char found[256] = "";

	os_block_disks(scratch_path, makedev(device_major, device_minor), &list);
	if (list.count > 0)
		qsort(list.disk, list.count, sizeof(*list.disk), compare_disks);
	for (unsigned i = 0; i < list.count; ++i)
		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%s", i > 0 ? " " : "",
			 list.disk[i].path);
	assert_string_equal(found, expected);
	os_disk_list_done(&list);
}

static void the_kernel_tells_how_often_a_disk_was_accessed(void **state)
{
	uint64_t accesses = 7;

	(void)state;
	add_disk("pci/block/sdq", "8:112", "1");
	assert_false(os_block_accesses(scratch_path, makedev(8, 112), &accesses));
	put("pci/block/sdq", "stat", "    1000        5    30000      400     2345        6    70000      800   0  1  2");
	assert_true(os_block_accesses(scratch_path, makedev(8, 112), &accesses));
	assert_int_equal(accesses, 3345);
	put("pci/block/sdq", "stat", "nonsense");
	assert_false(os_block_accesses(scratch_path, makedev(8, 112), &accesses));
	assert_false(os_block_accesses(scratch_path, makedev(9, 9), &accesses));
}

static void a_partition_is_on_its_disk(void **state)
{
	(void)state;
	add_disk("pci/block/sda", "8:0", "1");
	add_partition("pci/block/sda/sda1", "8:1");
	check_disks(8, 1, "/dev/sda");
	check_disks(8, 0, "/dev/sda");
}

static void crypt_over_lvm_over_raid_is_on_the_disks_of_the_raid(void **state)
{
	(void)state;
	add_disk("pci/block/sda", "8:0", "1");
	add_partition("pci/block/sda/sda1", "8:1");
	add_disk("pci/block/sdb", "8:16", "1");
	add_device("virtual/block/md0", "9:0");
	add_below("virtual/block/md0", "pci/block/sda/sda1");
	add_below("virtual/block/md0", "pci/block/sdb");
	add_partition("virtual/block/md0/md0p1", "259:0");
	add_device("virtual/block/dm-0", "253:0");
	add_below("virtual/block/dm-0", "virtual/block/md0/md0p1");
	add_device("virtual/block/dm-1", "253:1");
	add_below("virtual/block/dm-1", "virtual/block/dm-0");
	check_disks(253, 1, "/dev/sda /dev/sdb");
}

static void bcache_is_on_its_disk_and_on_its_cache(void **state)
{
	(void)state;
	add_disk("pci/block/sda", "8:0", "1");
	add_disk("pci/nvme/nvme0/nvme0n1", "259:0", "0");
	add_device("virtual/block/bcache0", "252:0");
	add_below("virtual/block/bcache0", "pci/block/sda");
	add_below("virtual/block/bcache0", "pci/nvme/nvme0/nvme0n1");
	check_disks(252, 0, "/dev/nvme0n1 /dev/sda");
}

static void the_kernel_tells_what_rotates(void **state)
{
	struct os_disk_list list = { 0 };

	(void)state;
	add_disk("pci/block/sda", "8:0", "1");
	add_disk("pci/nvme/nvme0/nvme0n1", "259:0", "0");
	os_block_disks(scratch_path, makedev(8, 0), &list);
	os_block_disks(scratch_path, makedev(259, 0), &list);
	assert_int_equal(list.count, 2);
	assert_true(list.disk[0].rotational);
	assert_false(list.disk[1].rotational);
	assert_int_equal(list.disk[1].number, makedev(259, 0));
	os_disk_list_done(&list);
}

static void a_disk_is_listed_once(void **state)
{
	struct os_disk_list list = { 0 };

	(void)state;
	add_disk("pci/block/sda", "8:0", "1");
	add_partition("pci/block/sda/sda1", "8:1");
	add_partition("pci/block/sda/sda2", "8:2");
	os_block_disks(scratch_path, makedev(8, 1), &list);
	os_block_disks(scratch_path, makedev(8, 2), &list);
	assert_int_equal(list.count, 1);
	os_disk_list_done(&list);
}

static void a_loop_of_devices_ends(void **state)
{
	(void)state;
	add_device("virtual/block/dm-0", "253:0");
	add_device("virtual/block/dm-1", "253:1");
	add_below("virtual/block/dm-0", "virtual/block/dm-1");
	add_below("virtual/block/dm-1", "virtual/block/dm-0");
	check_disks(253, 0, "");
}

static void an_unknown_device_has_no_disk(void **state)
{
	char *path;

	(void)state;
	check_disks(8, 0, "");
	path = os_block_path(scratch_path, makedev(8, 0));
	assert_string_equal(path, "8:0");
	free(path);
}

static void nodes_have_the_names_that_users_know(void **state)
{
	char *path;

	(void)state;
	add_disk("pci/block/cciss!c0d0", "104:0", "1");
	path = os_block_path(scratch_path, makedev(104, 0));
	assert_string_equal(path, "/dev/cciss/c0d0");
	free(path);
	add_device("virtual/block/dm-3", "253:3");
	put("virtual/block/dm-3", "dm/name", "vg-photos");
	path = os_block_path(scratch_path, makedev(253, 3));
	assert_string_equal(path, "/dev/mapper/vg-photos");
	free(path);
}

static void check_image(const struct image *image)
{
	struct os_disk_list list = { 0 };
	uint64_t number = 0;

	if (!image_mount(image))
		skip();
	assert_int_equal(os_block_below("mnt", &number, &list), 0);
	assert_int_equal(umount2("mnt", MNT_DETACH), 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(number, list.disk[0].number);
	assert_memory_equal(list.disk[0].path, "/dev/loop", 9);
	os_disk_list_done(&list);
}

static void ext4_is_on_its_device(void **state)
{
	(void)state;
	check_image(&(const struct image){ "ext4", "mkfs.ext4 -q -F", "", "", 16 });
}

static void btrfs_is_on_its_members(void **state)
{
	(void)state;
	check_image(&(const struct image){ "btrfs", "mkfs.btrfs -q -f", "", "", 128 });
}

static void a_file_system_without_devices_has_none(void **state)
{
	struct os_disk_list list = { 0 };
	uint64_t number = 0;

	(void)state;
	assert_int_equal(os_block_below("/proc/self", &number, &list), 0);
	assert_int_equal(list.count, 0);
	assert_int_equal(major(number), 0);
	assert_int_equal(os_block_below("missing", &number, &list), -1);
	assert_int_equal(errno, ENOENT);
}

static void what_is_no_disk_cannot_be_woken(void **state)
{
	(void)state;
	make_file("file", "text");
	assert_int_equal(os_block_touch("file"), -1);
	assert_int_equal(os_block_touch("missing"), -1);
	assert_int_equal(errno, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(the_kernel_tells_how_often_a_disk_was_accessed),
		in_scratch(a_partition_is_on_its_disk),
		in_scratch(crypt_over_lvm_over_raid_is_on_the_disks_of_the_raid),
		in_scratch(bcache_is_on_its_disk_and_on_its_cache),
		in_scratch(the_kernel_tells_what_rotates),
		in_scratch(a_disk_is_listed_once),
		in_scratch(a_loop_of_devices_ends),
		in_scratch(an_unknown_device_has_no_disk),
		in_scratch(nodes_have_the_names_that_users_know),
		in_scratch(ext4_is_on_its_device),
		in_scratch(btrfs_is_on_its_members),
		in_scratch(a_file_system_without_devices_has_none),
		in_scratch(what_is_no_disk_cannot_be_woken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
