/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lock file: one running instance per array. */
#ifndef OS_LOCK_H
#define OS_LOCK_H

/* Create (mode 0600) or open `path` and take an exclusive flock on it, without waiting. The descriptor
 * holds the lock until closed; the file is never removed. One that is there serves on a read-only file system
 * too. -1: errno EWOULDBLOCK is "held by another". */
int os_lock(const char *path);

#endif
