/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mode, owner, extended attributes (POSIX ACLs are among them) and holes of an open file or directory. Thread safe. */
#ifndef OS_ATTR_H
#define OS_ATTR_H

#include "base/xattrs.h"

/* All extended attributes (base/xattrs.h) but those that would mean nothing on another file. -1 with errno; on a file
 * system that has none the set is empty. */
int os_xattrs_get(int fd, struct buf *set);

/* Has the file a hole? false as well if that cannot be told. */
bool os_has_holes(int fd, uint64_t size);
/* Give that range back to the file system, if it can: it reads as zeros then; the size stays. -1 with errno. */
int os_punch(int fd, uint64_t offset, uint64_t size);

struct os_attr {
	uint32_t mode;		/* 07777 */
	uint32_t uid, gid;
	const uint8_t *xattrs;
	size_t xattr_bytes;
};

enum os_unset {
	UNSET_OWNER = 1,	/* only root may */
	UNSET_MODE = 2,
	UNSET_ACL = 4,
	UNSET_XATTR = 8,
};

/* Bring an open file or directory to that; other attributes than those named stay, ACLs do not. Where an owner
 * cannot be given, nobody gets the rights of another one: set-user-ID and set-group-ID of a file are left out.
 * Returns what could not be set (enum os_unset); `*error` is the errno of the first. */
unsigned os_attr_set(int fd, const struct os_attr *attr, int *error);
/* The owner of a symbolic link (it has no mode) and its time. -1 with errno. */
int os_link_owner(int dir_fd, const char *name, uint32_t uid, uint32_t gid);
int os_link_time(int dir_fd, const char *name, int64_t sec, uint32_t nsec);

#endif
