/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/link.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int os_symlink_at(int dir_fd, const char *name, const char *target, const struct timespec *mtime)
{
	if (symlinkat(target, dir_fd, name) < 0)
		return -1;
	if (mtime != NULL) {
		struct timespec times[2] = { *mtime, *mtime };

		/* Not every file system keeps the time of a link. */
		utimensat(dir_fd, name, times, AT_SYMLINK_NOFOLLOW);
	}
	return 0;
}

int os_remove_at(int dir_fd, const char *name)
{
	return unlinkat(dir_fd, name, 0);
}

int os_remove_dir_at(int dir_fd, const char *name)
{
	return unlinkat(dir_fd, name, AT_REMOVEDIR);
}
