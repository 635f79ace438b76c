/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in a directory that is open: make symbolic links, remove. All return -1 with errno; thread safe. */
#ifndef OS_LINK_H
#define OS_LINK_H

struct timespec;

/* A symbolic link, with that time of its own unless `mtime` is NULL. EEXIST: the name is taken. */
int os_symlink_at(int dir_fd, const char *name, const char *target, const struct timespec *mtime);
int os_remove_at(int dir_fd, const char *name);		/* anything but a directory */
int os_remove_dir_at(int dir_fd, const char *name);	/* an empty directory */

#endif
