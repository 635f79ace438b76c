/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a data disk holds: files with blocks, links, empty directories. Paths are bytes relative to the
 * root of the disk. All are made by disk.h and live until removed from the disk. */
#ifndef ARRAY_FILE_H
#define ARRAY_FILE_H

#include "array/extent.h"
#include "array/meta.h"
#include "tommyds/tommylist.h"

#define NSEC_UNKNOWN UINT32_MAX

/* Size and time: what tells one version of a file from another. */
struct stamp {
	uint64_t size;
	int64_t mtime_sec;
	uint32_t mtime_nsec;	/* NSEC_UNKNOWN: the file system gave none */
};

struct file {
	struct tommy_node node;		/* in disk->files, in the order of the content file */
	const char *path;
	struct stamp stamp;
	uint64_t inode;			/* 0: unknown */
	struct extent *extent, *last;	/* chain in file order; NULL if the file is empty */
	struct kept kept;
	uint32_t mark;			/* for the command that runs; 0 after load */
	bool moving;			/* a plan gives it another place in the parity; see moves.h */
	bool suspect;			/* its ctime changed, its size and time did not: the data has to be looked at */
	bool assumed;			/* hashes were taken from a file of the same name, size and time in this run, or
					 * from itself with a time of fewer digits: its data was not looked at, and may
					 * be other */
	bool was_synced;		/* what is REP of it was BLK before a sync -F, and nothing that was promised: other
					 * data is damage, unless it is `assumed` */
};

struct link {
	struct tommy_node node;		/* in disk->links */
	const char *path, *target;
	bool hard;			/* target is the path of a file on the same disk; else the text of a symlink */
	struct kept kept;		/* of a symlink */
	uint32_t mark;
};

struct dir {
	struct tommy_node node;		/* in disk->dirs */
	const char *path;
	uint32_t mark;
};

static inline bool stamp_equal(const struct stamp *a, const struct stamp *b)
{
	return a->size == b->size && a->mtime_sec == b->mtime_sec && a->mtime_nsec == b->mtime_nsec;
}

block_t file_block_count(const struct file *file, uint32_t block_size);
/* Bytes of the file in that block: block_size, or less in the last one. */
uint32_t file_block_bytes(const struct file *file, block_t block, uint32_t block_size);
/* The extent with block `block` of the file. NULL: beyond the end. */
struct extent *file_extent(const struct file *file, block_t block);
/* Are its blocks of this state, or were they, in the parity with their hash? */
static inline bool file_was_synced(const struct file *file, enum block_state state)
{
	return state == BLOCK_BLK || (state == BLOCK_REP && file->was_synced);
}
bool file_has_state(const struct file *file, enum block_state state);
/* A BLK block of it is about to become REP. */
void file_note_synced(struct file *file);

#endif
