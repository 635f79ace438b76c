/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the array records without a block: empty files, hard links, symbolic links, empty directories. Are they
 * as recorded, and made again if not.
 *
 * No symbolic link is followed on the way. A directory that is in the way is never removed; a file with data
 * in it is kept aside, unless it is a copy of what takes its place. Never reports. Not durable before
 * os_sync_fs. */
#ifndef IO_OBJECT_H
#define IO_OBJECT_H

#include "array/file.h"
#include "io/aside.h"

enum object_state {
	OBJECT_RIGHT,
	OBJECT_MISSING,
	OBJECT_WRONG,		/* something else has its name, or it says something else */
	OBJECT_ERROR,		/* cannot be looked at; errno */
};

enum object_state object_check_empty(int root_fd, const char *path);
enum object_state object_check_hardlink(int root_fd, const char *path, const char *target);
enum object_state object_check_symlink(int root_fd, const char *path, const char *text);
enum object_state object_check_dir(int root_fd, const char *path);

/* -1 with errno. `kept` is the suffix of what was kept aside, "" if nothing. */
int object_make_empty(int root_fd, const char *path, const struct stamp *stamp, char kept[ASIDE_MAX]);
int object_make_hardlink(int root_fd, const char *path, const char *target, char kept[ASIDE_MAX]);
int object_make_symlink(int root_fd, const char *path, const char *text, char kept[ASIDE_MAX]);
int object_make_dir(int root_fd, const char *path);

#endif
