/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in an open directory: made, moved and taken away, one component at a time, never through a link.
 *
 * All return -1 with errno. Nothing is durable before the directory is synced. Thread safe. */
#ifndef OS_ENTRY_H
#define OS_ENTRY_H

#include <sys/types.h>
#include "base/types.h"

/* A new file of mode 0600, to read and write; a file that has the name is removed first. */
int os_entry_create(int dir_fd, const char *name);
int os_entry_mkdir(int dir_fd, const char *name);	/* mode 0755; a directory that exists is EEXIST */
int os_entry_symlink(const char *text, int dir_fd, const char *name);
/* `name` becomes another name of the file that `target_fd`/`target_name` names; not of what a link points at. */
int os_entry_link(int target_fd, const char *target_name, int dir_fd, const char *name);
int os_entry_rename(int dir_fd, const char *from, const char *to);	/* replaces `to` */
int os_entry_rename_new(int dir_fd, const char *from, const char *to);	/* EEXIST if there is `to` */
int os_entry_unlink(int dir_fd, const char *name);	/* not a directory */
int os_entry_rmdir(int dir_fd, const char *name);	/* an empty directory */
struct stat;
int os_entry_stat(int dir_fd, const char *name, struct stat *st);	/* of a link itself */

/* Copy the first `size` bytes (or all there are, if fewer), shared by both where the file system can. */
int os_copy(int from_fd, int to_fd, uint64_t size);

int os_set_owner(int fd, const struct stat *like);	/* owner and mode of another file */

#endif
