/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the array records without a block: empty files, hard links, symbolic links, empty directories. Are they
 * as recorded, and made again if not.
 *
 * No symbolic link is followed on the way. What is in the way is kept aside (io/aside.h), unless nothing is lost with
 * it: an empty file, or a copy of what takes its place. Never reports. Not durable before os_sync_fs. */
#ifndef IO_OBJECT_H
#define IO_OBJECT_H

#include "array/file.h"
#include "io/aside.h"

enum object_state {
	OBJECT_RIGHT,
	OBJECT_TIME,		/* an empty file, but for its time */
	OBJECT_MISSING,
	OBJECT_WRONG,		/* something else has its name, or it says something else */
	OBJECT_ERROR,		/* cannot be looked at; errno */
};

enum object_state object_check_empty(int root_fd, const char *path, const struct stamp *stamp);
enum object_state object_check_hardlink(int root_fd, const char *path, const char *target);
enum object_state object_check_symlink(int root_fd, const char *path, const char *text);
enum object_state object_check_dir(int root_fd, const char *path);

/* Where something is made. */
struct object_place {
	int root_fd;
	enum aside_rule rule;
	struct aside *aside;	/* set by each make: what was in the way */
};

/* -1 with errno; of what was not allowed to be moved it is EISDIR, EEXIST, ELOOP or ENOTDIR. */
int object_make_empty(const struct object_place *place, const char *path, const struct stamp *stamp);
int object_set_time(int root_fd, const char *path, const struct stamp *stamp);
int object_make_hardlink(const struct object_place *place, const char *path, const char *target);
int object_make_symlink(const struct object_place *place, const char *path, const char *text);
int object_make_dir(const struct object_place *place, const char *path);

#endif
