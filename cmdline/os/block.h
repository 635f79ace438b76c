/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disks below a file system: partitions, LVM, mdraid, dm-crypt, bcache and the like, followed through
 * sysfs, and file systems of several devices. Only memory of the kernel is read: no disk wakes.
 *
 * `root` is "" but in tests, which have a made-up /sys there. Numbers are dev_t. Thread safe. */
#ifndef OS_BLOCK_H
#define OS_BLOCK_H

#include "base/types.h"

struct os_disk {
	uint64_t number;
	char *path;		/* "/dev/sda" */
	bool rotational;	/* as the kernel believes */
};

struct os_disk_list {
	struct os_disk *disk;
	unsigned count;
	size_t room;
};

/* Add the disks below the block device `number`, each once; not those that the list already has. */
void os_block_disks(const char *root, uint64_t number, struct os_disk_list *list);
/* The same for the file system that holds `path`, whose own device comes back in `number`: where it has none
 * of its own, as btrfs and ZFS, that of the first of its members. -1 with errno: the path cannot be reached.
 * No disk is added for a file system that is on none, or on one that cannot be found. */
int os_block_below(const char *path, uint64_t *number, struct os_disk_list *list);
void os_disk_list_done(struct os_disk_list *list);

/* "/dev/sda1", "/dev/mapper/home"; "MAJOR:MINOR" if it is unknown. The caller's to free(). */
char *os_block_path(const char *root, uint64_t number);

/* How often the device was read and written since the system started. false: the kernel does not tell. */
bool os_block_accesses(const char *root, uint64_t number, uint64_t *accesses);

/* Wake a disk: read a place of it past every cache. -1 with errno. */
int os_block_touch(const char *device_path);

#endif
