/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that older C libraries have no function for: musl before 1.2.5. */
#ifndef OS_RECENT_H
#define OS_RECENT_H

#include <stdio.h>
#include <sys/stat.h>

#ifndef STATX_TYPE
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int statx(int dir_fd, const char *path, int flags, unsigned mask, struct statx *st)
{
	return (int)syscall(SYS_statx, dir_fd, path, flags, mask, st);
}
#endif

#ifndef RENAME_NOREPLACE
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
	return (int)syscall(SYS_renameat2, from_fd, from, to_fd, to, flags);
}
#endif

#endif
