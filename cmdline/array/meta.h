/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file system knows of a file besides its data: what a complete restore brings back.
 *
 * Most files of an array share a few modes and owners, so these are interned: equal ones are one object, that
 * lives as long as the array. What differs from file to file, its times and links, stands apart. */
#ifndef ARRAY_META_H
#define ARRAY_META_H

#include "base/mem.h"

struct meta {
	uint32_t mode;		/* permission bits, 07777 */
	uint32_t uid, gid;
	bool sparse;		/* a file with holes */
	const uint8_t *xattrs;	/* base/xattrs.h; ACLs are among them */
	size_t xattr_bytes;
	uint32_t number;	/* for whoever writes them down */
};

/* Of one file or symbolic link; all zero: nothing is known. */
struct kept {
	struct meta *meta;	/* NULL: nothing is known */
	int64_t time_sec;	/* of a file its ctime, of a link its mtime */
	uint32_t time_nsec;
	uint32_t link_count;	/* of a file */
};

/* Of one directory of a disk; "" is the root. */
struct kept_dir {
	const char *path;	/* in the arena of the array */
	struct meta *meta;
	bool has_time;		/* false: it changes with our own files in it */
	int64_t mtime_sec;
	uint32_t mtime_nsec;
};

struct meta_table;

struct meta_table *meta_table_new(struct arena *arena);
void meta_table_free(struct meta_table *table);
/* The one that equals `like` in all but its number; `like` is copied if it is the first. */
struct meta *meta_intern(struct meta_table *table, const struct meta *like);

#endif
