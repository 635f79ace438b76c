/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/block.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/btrfs.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <uuid/uuid.h>

#include "base/mem.h"
#include "base/path.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/fs.h"
#include "os/proc.h"

#define DEPTH_MAX	16	/* layers of devices over a disk */
#define ZFS_MAGIC	0x2fc12fc1u
#define SECTOR		4096	/* every disk reads so many at once */

/* Call `take` for each entry of a directory of sysfs that names a device; false if there is none. */
typedef void take_device(const char *dir, void *argument);

static bool for_each_device(const char *dir, take_device *take, void *argument)
{
	DIR *stream = opendir(dir);
	const struct dirent *entry;
	bool any = false;

	if (stream == NULL)
		return false;
	while ((entry = readdir(stream)) != NULL) {
		char *path;

		if (entry->d_name[0] == '.')
			continue;
		path = path_join(dir, entry->d_name);
		take(path, argument);
		free(path);
		any = true;
	}
	closedir(stream);
	return any;
}

/* The first line of an attribute, the caller's to free(); NULL: there is none. */
static char *read_attribute(const char *dir, const char *name)
{
	char *path = path_join(dir, name);
	struct buf text = { 0 };
	char *value = NULL;

	if (os_read_file(path, 4096, &text) == 0 && text.size > 0) {
		text.data[strcspn(text.data, "\n")] = '\0';
		value = mem_strdup(text.data);
	}
	buf_done(&text);
	free(path);
	return value;
}

static bool read_number(const char *dir, uint64_t *number)
{
	char *text = read_attribute(dir, "dev");
	unsigned device_major, device_minor;
	bool ok = text != NULL && sscanf(text, "%u:%u", &device_major, &device_minor) == 2;

	if (ok)
		*number = makedev(device_major, device_minor);
	free(text);
	return ok;
}

/* The directory of a device, links resolved, so that its parent is that of the whole disk; NULL: unknown. */
static char *device_dir(const char *root, uint64_t number)
{
	char *link = mem_printf("%s/sys/dev/block/%u:%u", root, major(number), minor(number));
	char *dir = realpath(link, NULL);

	free(link);
	return dir;
}

/* In the name of a directory of sysfs, ! stands for the slash of the node's name: cciss!c0d0. */
static char *node_path(const char *dir)
{
	char *mapped = read_attribute(dir, "dm/name");
	char *path = mapped != NULL ? path_join("/dev/mapper", mapped) : path_join("/dev", path_name(dir));

	if (mapped == NULL)
		for (char *c = path; *c != '\0'; ++c)
			if (*c == '!')
				*c = '/';
	free(mapped);
	return path;
}

bool os_block_accesses(const char *root, uint64_t number, uint64_t *accesses)
{
	char *dir = device_dir(root, number);
	char *text = dir == NULL ? NULL : read_attribute(dir, "stat");
	uint64_t reads, writes;
	/* Reads that were completed, merged, their sectors and time, then the same of writes. */
	bool known = text != NULL && sscanf(text, "%" SCNu64 " %*u %*u %*u %" SCNu64, &reads, &writes) == 2;

	if (known)
		*accesses = reads + writes;
	free(text);
	free(dir);
	return known;
}

char *os_block_path(const char *root, uint64_t number)
{
	char *dir = device_dir(root, number);
	char *path = dir != NULL ? node_path(dir) : mem_printf("%u:%u", major(number), minor(number));

	free(dir);
	return path;
}

struct walk {
	struct os_disk_list *list;
	unsigned depth;
};

static void add_disk(struct os_disk_list *list, const char *dir)
{
	struct os_disk disk = { 0 };
	char *rotational;

	if (!read_number(dir, &disk.number))
		return;
	for (unsigned i = 0; i < list->count; ++i)
		if (list->disk[i].number == disk.number)
			return;
	rotational = read_attribute(dir, "queue/rotational");
	disk.rotational = rotational != NULL && strcmp(rotational, "1") == 0;
	disk.path = node_path(dir);
	free(rotational);
	mem_grow(&list->disk, list->count, &list->room, sizeof(*list->disk));
	list->disk[list->count++] = disk;
}

static bool has_attribute(const char *dir, const char *name)
{
	char *path = path_join(dir, name);
	struct stat st;
	bool has = stat(path, &st) == 0;

	free(path);
	return has;
}

/* Down to what stands on nothing else. `dir` may be a link. */
static void walk_down(const char *dir, void *argument)
{
	struct walk *walk = argument;
	char *here = realpath(dir, NULL);
	char *below;

	if (here == NULL || walk->depth == DEPTH_MAX) {
		free(here);
		return;
	}
	++walk->depth;
	below = path_join(here, "slaves");
	if (has_attribute(here, "partition")) {
		char *whole = path_parent(here);

		walk_down(whole, walk);
		free(whole);
	} else if (!for_each_device(below, walk_down, walk)) {
		add_disk(walk->list, here);
	}
	--walk->depth;
	free(below);
	free(here);
}

void os_block_disks(const char *root, uint64_t number, struct os_disk_list *list)
{
	struct walk walk = { .list = list };
	char *dir = device_dir(root, number);

	if (dir != NULL)
		walk_down(dir, &walk);
	free(dir);
}

void os_disk_list_done(struct os_disk_list *list)
{
	for (unsigned i = 0; i < list->count; ++i)
		free(list->disk[i].path);
	free(list->disk);
	*list = (struct os_disk_list){ 0 };
}

/* What file systems with a device number of their own, major 0, stand on. */
struct members {
	struct os_disk_list *list;
	uint64_t first;		/* number of the first member; 0: none yet */
};

static void add_member(struct members *members, uint64_t number)
{
	if (members->first == 0)
		members->first = number;
	os_block_disks("", number, members->list);
}

static void add_member_dir(const char *dir, void *argument)
{
	uint64_t number;

	if (read_number(dir, &number))
		add_member(argument, number);
}

static void add_member_node(struct members *members, const char *path)
{
	struct stat st;

	if (path[0] == '/' && stat(path, &st) == 0 && S_ISBLK(st.st_mode))
		add_member(members, st.st_rdev);
}

static void find_btrfs(const char *path, struct members *members)
{
	struct btrfs_ioctl_fs_info_args info = { 0 };
	char uuid[UUID_STR_LEN];
	int fd = os_open_read(path);

	if (fd >= 0 && ioctl(fd, BTRFS_IOC_FS_INFO, &info) == 0) {
		char *dir;

		uuid_unparse_lower(info.fsid, uuid);
		dir = mem_printf("/sys/fs/btrfs/%s/devices", uuid);
		for_each_device(dir, add_member_dir, members);
		free(dir);
	}
	os_close(fd);
}

/* A mount names its device, or several of them, as bcachefs: /dev/sda:/dev/sdb. */
static void find_named(char *source, struct members *members)
{
	char *rest = NULL;

	for (char *path = strtok_r(source, ":", &rest); path != NULL; path = strtok_r(NULL, ":", &rest))
		add_member_node(members, path);
}

/* A data set of ZFS: its pool is the part before the first slash, and zpool lists the members, a line each. */
static void find_zfs(const char *source, struct members *members)
{
	static const struct os_proc_limit limit = { .time_ms = 10000, .output_bytes = 1 << 20 };
	char *pool = mem_printf("%.*s", (int)strcspn(source, "/"), source);
	const char *const argv[] = { "zpool", "list", "-vHPL", pool, NULL };
	struct buf out = { 0 };
	char *rest = NULL;

	os_run(argv, &limit, &out);
	if (out.size > 0)
		for (char *word = strtok_r(out.data, "\t\n ", &rest); word != NULL;
		     word = strtok_r(NULL, "\t\n ", &rest))
			add_member_node(members, word);
	buf_done(&out);
	free(pool);
}

int os_block_below(const char *path, uint64_t *number, struct os_disk_list *list)
{
	struct members members = { .list = list };
	struct statfs fs;
	struct stat st;
	char *source;

	if (stat(path, &st) < 0)
		return -1;
	*number = st.st_dev;
	if (major(st.st_dev) != 0) {
		os_block_disks("", st.st_dev, list);
		return 0;
	}
	source = os_mount_source(path);
	find_btrfs(path, &members);
	if (members.first == 0 && source[0] == '/')
		find_named(source, &members);
	else if (members.first == 0 && statfs(path, &fs) == 0 && (unsigned)fs.f_type == ZFS_MAGIC)
		find_zfs(source, &members);
	if (members.first != 0)
		*number = members.first;
	free(source);
	return 0;
}

int os_block_touch(const char *device_path)
{
	int fd = open(device_path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	void *sector = mem_aligned(SECTOR, SECTOR);
	uint64_t size = 0, place;
	int rc = -1;

	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &size) < 0)
		goto out;
	if (size < SECTOR) {
		errno = ENXIO;
		goto out;
	}
	/* Anywhere: the disk may have the place of the last time in its own cache. */
	os_random(&place, sizeof(place));
	if (os_pread_all(fd, sector, SECTOR, place % (size / SECTOR) * SECTOR) == SECTOR)
		rc = 0;
out:
	free(sector);
	os_close(fd);
	return rc;
}
