/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both shims ask of the system, by calls that neither of them replaces. */
#ifndef FAULT_SHIM_H
#define FAULT_SHIM_H

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* The path of an open file or directory. */
static bool path_of_fd(int fd, char path[PATH_MAX])
{
	char link[64];
	ssize_t size;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, PATH_MAX - 1);
	path[size < 0 ? 0 : size] = '\0';
	return size > 0;
}

/* The path that a name in a directory stands for, without following it. */
static bool path_of_name(int dir_fd, const char *name, char path[PATH_MAX])
{
	char dir[PATH_MAX];

	if (name[0] == '/') {
		snprintf(path, PATH_MAX, "%s", name);
		return true;
	}
	if (dir_fd == AT_FDCWD ? getcwd(dir, sizeof(dir)) == NULL : !path_of_fd(dir_fd, dir))
		return false;
	return snprintf(path, PATH_MAX, "%s/%s", dir, name) < PATH_MAX;
}

/* What follows the flags of an opening. */
static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(args, int) : 0;
}

#endif
