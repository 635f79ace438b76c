/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/fs.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <uuid/uuid.h>

#include "base/buf.h"
#include "base/mem.h"
#include "os/file.h"
#include "os/recent.h"

#define MOUNTINFO	"/proc/self/mountinfo"
#define FDINFO_MAX	4096
#define MOUNTINFO_MAX	((size_t)64 << 20)

int os_space(const char *path, struct os_space *space)
{
	struct statvfs fs;

	if (statvfs(path, &fs) < 0)
		return -1;
	space->total_bytes = (uint64_t)fs.f_blocks * fs.f_frsize;
	space->free_bytes = (uint64_t)fs.f_bfree * fs.f_frsize;
	return 0;
}

bool os_has_data(const char *path)
{
	int fd = os_open_read(path);
	struct stat st;
	bool has = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_DATA) >= 0;

	os_close(fd);
	return has;
}

/* Bytes that would part the fields of mountinfo stand there as backslash and three octal digits. */
static void unescape_octal(char *text)
{
	char *to = text;

	while (*text != '\0') {
		unsigned value;

		if (text[0] == '\\' && sscanf(text + 1, "%3o", &value) == 1 && strlen(text) >= 4) {
			*to++ = (char)value;
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* One line, of the form of proc(5):
 * ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [MORE...] - KIND SOURCE OPTIONS */
struct mount {
	unsigned long id;
	dev_t device;
	char *kind, *source;	/* inside the line */
};

static bool mount_parse(char *line, struct mount *mount)
{
	char *tail = strstr(line, " - "), *rest = NULL;
	unsigned device_major, device_minor;

	if (tail == NULL || sscanf(line, "%lu %*u %u:%u ", &mount->id, &device_major, &device_minor) != 3)
		return false;
	mount->device = makedev(device_major, device_minor);
	mount->kind = strtok_r(tail + 3, " ", &rest);
	mount->source = strtok_r(NULL, " ", &rest);
	if (mount->kind == NULL || mount->source == NULL)
		return false;
	unescape_octal(mount->source);
	return true;
}

/* The mount that holds a file, by the number the kernel gives: a path may be hidden by a later mount, and btrfs gives
 * each subvolume a device number that no mount has. Else, number 0, by device. */
static bool mount_find(char *text, unsigned long id, dev_t device, struct mount *found)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
		if (mount_parse(line, found) && (id != 0 ? found->id == id : found->device == device))
			return true;
	return false;
}

/* 0: the kernel does not tell. What it says of an open file it says since 3.15, statx since 5.8 only. */
static unsigned long mount_id(const char *dir)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);	/* as a directory: automounts it */
	char *info_path = mem_printf("/proc/self/fdinfo/%d", fd);
	struct buf info = { 0 };
	unsigned long id = 0;
	const char *line;

	if (fd >= 0 && os_read_file(info_path, FDINFO_MAX, &info) == 0 && info.size > 0) {
		line = strstr(info.data, "mnt_id:");
		if (line != NULL)
			sscanf(line, "mnt_id: %lu", &id);
	}
	buf_done(&info);
	free(info_path);
	os_close(fd);
	return id;
}

/* The block device below: the number says it, or, where a file system spans devices and has a number that
 * is none, the source of the mount. NULL if there is none. */
static char *find_block_device(dev_t device, const char *source)
{
	struct stat st;
	char *name;

	if (major(device) != 0) {
		name = blkid_devno_to_devname(device);
		if (name != NULL)
			return name;
	}
	if (source[0] == '/' && stat(source, &st) == 0 && S_ISBLK(st.st_mode))
		return mem_strdup(source);
	return NULL;
}

/* UUIDs in the one spelling of libuuid. The short numbers of vfat and ntfs are no UUIDs and stay. */
static char *normalise_uuid(const char *text)
{
	char lower[UUID_STR_LEN];
	uuid_t uuid;

	if (uuid_parse(text, uuid) != 0)
		return mem_strdup(text);
	uuid_unparse_lower(uuid, lower);
	return mem_strdup(lower);
}

/* A plain user may not read the device; the cache of libblkid may know what it said to root. */
static char *cached_tag(const char *device, const char *tag)
{
	char *value = blkid_get_tag_value(NULL, tag, device);

	return value != NULL ? value : mem_strdup("");
}

static char *probed_tag(blkid_probe probe, const char *tag)
{
	const char *value;

	return mem_strdup(blkid_probe_lookup_value(probe, tag, &value, NULL) == 0 ? value : "");
}

/* Fill uuid and label from the device itself. */
static void read_tags(const char *device, struct os_fs *fs)
{
	blkid_probe probe = blkid_new_probe_from_filename(device);
	char *uuid;

	if (probe != NULL) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_UUID | BLKID_SUBLKS_LABEL);
		blkid_do_safeprobe(probe);	/* on failure there are no values */
		uuid = probed_tag(probe, "UUID");
		fs->label = probed_tag(probe, "LABEL");
		blkid_free_probe(probe);
	} else {
		uuid = cached_tag(device, "UUID");
		fs->label = cached_tag(device, "LABEL");
	}
	fs->uuid = normalise_uuid(uuid);
	free(uuid);
}

int os_fs_probe(const char *dir, struct os_fs *fs)
{
	struct mount mount = { .kind = NULL, .source = NULL };
	struct buf text = { 0 };
	char *device = NULL;
	struct stat st;

	*fs = (struct os_fs){ 0 };
	if (stat(dir, &st) < 0)
		return -1;
	if (os_read_file(MOUNTINFO, MOUNTINFO_MAX, &text) == 0 &&
	    mount_find(text.data, mount_id(dir), st.st_dev, &mount)) {
		fs->kind = mem_strdup(mount.kind);
		device = find_block_device(st.st_dev, mount.source);
	}
	if (device != NULL)
		read_tags(device, fs);
	if (fs->kind == NULL)
		fs->kind = mem_strdup("");
	if (fs->uuid == NULL) {
		fs->uuid = mem_strdup("");
		fs->label = mem_strdup("");
	}
	free(device);
	buf_done(&text);
	return 0;
}

void os_fs_done(struct os_fs *fs)
{
	free(fs->uuid);
	free(fs->label);
	free(fs->kind);
	*fs = (struct os_fs){ 0 };
}

char *os_mount_source(const char *dir)
{
	struct buf text = { 0 };
	struct mount mount;
	char *source = NULL;
	struct stat st;

	if (stat(dir, &st) == 0 && os_read_file(MOUNTINFO, MOUNTINFO_MAX, &text) == 0 &&
	    mount_find(text.data, mount_id(dir), st.st_dev, &mount))
		source = mem_strdup(mount.source);
	buf_done(&text);
	return source != NULL ? source : mem_strdup("");
}

bool os_fs_inodes_persist(const char *kind)
{
	/* The FAT family has no inodes on the medium, and a server or a FUSE program may count anew at each
	 * mount. */
	static const char *const made_up[] = {
		"", "vfat", "msdos", "exfat", "cifs", "smb3", "fuse", "fuseblk",
	};

	for (unsigned i = 0; i < sizeof(made_up) / sizeof(made_up[0]); ++i)
		if (strcmp(kind, made_up[i]) == 0)
			return false;
	return strncmp(kind, "fuse.", 5) != 0;
}

uint64_t os_physical_offset(int fd)
{
	union {
		struct fiemap map;
		char room[sizeof(struct fiemap) + sizeof(struct fiemap_extent)];
	} request = { .map = { .fm_length = FIEMAP_MAX_OFFSET, .fm_extent_count = 1 } };
	const struct fiemap_extent *extent = request.map.fm_extents;
	const unsigned nowhere = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_DATA_INLINE;

	/* Without FIEMAP_FLAG_SYNC: an order of reading is not worth a flush. */
	if (ioctl(fd, FS_IOC_FIEMAP, &request.map) < 0 || request.map.fm_mapped_extents == 0)
		return 0;
	return (extent->fe_flags & nowhere) == 0 ? extent->fe_physical : 0;
}
