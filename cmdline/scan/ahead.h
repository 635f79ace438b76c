/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Directories of one disk, read before the walk comes to them. Inside scan/ only.
 *
 * A walk goes through its disk depth first and in one thread, so what it finds has one order. What takes its time is the
 * system, which tells names and status: helpers ask for these ahead of the walk, in the order in which it will come.
 * Without helpers a directory is read when the walk is there.
 *
 * Threads: all calls are the walk's. */
#ifndef SCAN_AHEAD_H
#define SCAN_AHEAD_H

#include "base/buf.h"
#include "os/dir.h"

/* One directory. */
struct listing {
	struct os_entry *entry;		/* sorted by inode, or in the order of the OS */
	size_t count;
	struct buf xattrs;		/* of the directory itself, if asked for; empty where it gives none */
	int error;			/* errno; 0: it was read */
	const char *bad;		/* the entry that could not be examined; NULL: the error is of the directory */
	struct arena *arena;		/* of all this */
};

struct ahead;

struct ahead_options {
	int root_fd;		/* stays the caller's */
	bool by_inode;		/* sort so */
	bool xattrs;
	unsigned helpers;
};

struct ahead *ahead_begin(const struct ahead_options *options);
void ahead_end(struct ahead *ahead);
/* The walk will come to this directory, and before that to none that it told of already. */
void ahead_tell(struct ahead *ahead, const char *path);
/* Read the directory, or wait until it is read. "" is the root. */
struct listing *ahead_take(struct ahead *ahead, const char *path);
void listing_free(struct listing *listing);

#endif
