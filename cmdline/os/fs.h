/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File systems and the devices below them. */
#ifndef OS_FS_H
#define OS_FS_H

#include "base/types.h"

struct os_space {
	uint64_t total_bytes, free_bytes;	/* free includes what is reserved for root */
};

int os_space(const char *path, struct os_space *space);	/* -1 with errno */

/* What is known of the file system that holds `dir`. Strings are the caller's to free(), never NULL. */
struct os_fs {
	char *uuid;		/* "" if there is none or it cannot be found; lower case as libuuid prints */
	char *label;		/* "" likewise */
	char *kind;		/* "ext4", "xfs", "btrfs", "vfat", "tmpfs", "fuseblk"...; "" unknown */
};

int os_fs_probe(const char *dir, struct os_fs *fs);	/* -1 with errno: it cannot be reached */
void os_fs_done(struct os_fs *fs);
/* What the mount that holds `dir` was made from: "/dev/sda1", "pool/data", "server:/share"; "" if unknown. The
 * caller's to free(). The device is not read. */
char *os_mount_source(const char *dir);
bool os_fs_inodes_persist(const char *kind);		/* false for vfat, exfat, fuseblk... */

/* A regular file in which something was written: not only space taken, or a hole. */
bool os_has_data(const char *path);

/* Physical offset of the first byte of an open file, to read in the order of the medium. 0: unknown. */
uint64_t os_physical_offset(int fd);

#endif
