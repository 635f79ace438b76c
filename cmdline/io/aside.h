/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands where something is to be restored, and was not recorded: moved to a sibling that says when, as
 * NAME.changed-20310203-040506 (local time, .1, .2 ... if that is taken; a long NAME is shortened). It is never
 * followed, never deleted, and takes the name of nothing. */
#ifndef IO_ASIDE_H
#define IO_ASIDE_H

#include "base/types.h"

#define ASIDE_NAME_MAX 256	/* of one component, with its NUL */

/* How far a run may go. */
enum aside_rule {
	ASIDE_NOTHING,	/* what is in the way stays, and is an error of what should be restored there */
	ASIDE_NAME,	/* what has the very name of something that was asked for is moved */
	ASIDE_WAY,	/* so is what has the name of a directory above it, and is none */
};

/* What was moved for the sake of one path. */
struct aside {
	size_t length;			/* of the part of the path that names it; 0: nothing was moved */
	char name[ASIDE_NAME_MAX];	/* what it is called now, in the same directory */
};

/* Move `name` of an open directory, which the first `length` bytes of some path name. -1 with errno: `aside` is as
 * before. */
int aside_keep(int dir_fd, const char *name, size_t length, struct aside *aside);

/* Move the topmost name above `path` that is no directory. -1 with errno; ENOENT: there is none. */
int aside_clear_way(int root_fd, const char *path, struct aside *aside);

/* Where it was and where it is, relative to the root: both are the caller's to free. */
void aside_paths(const struct aside *aside, const char *path, char **from, char **to);

#endif
