/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One file of a data disk on its way back.
 *
 *	what is there		how it is restored
 *	nothing			under a temporary name beside it, renamed when whole
 *	a file of that time	bad blocks are written in place; right data is never rewritten
 *	a file of another time	someone wrote to it since: a copy is restored under a temporary name. If data
 *				of the other one would be lost, it is kept aside
 *	something else		kept aside, and then there is nothing
 *
 * What the reader saw of the file must be what is there when it is begun, and stay so until it has its time: if its owner
 * writes to it, or replaces it, it is left as it is (DRAFT_RACED).
 *
 * "Kept aside" is io/aside.h, as far as the rule of the place allows; where it does not, that is an error of the file
 * and what is there stays.
 *
 * A file that cannot be made whole is kept as PATH.unrecoverable, with what could be recovered; such a file of an
 * earlier run is what a missing file starts from, and goes away once the file is whole; another one is kept aside, and
 * what is recorded under such a name is no such file. A file that was written
 * to since is then left as it is.
 *
 * Life: opened and written block by block, then completed (all but its name), made durable by the caller or here,
 *	published (its name). An error is kept, and nothing more is done for the file.
 * Always true: no symbolic link is followed. Never reports: errors are errno.
 * Threads: one draft, one thread at a time. */
#ifndef IO_DRAFT_H
#define IO_DRAFT_H

#include <errno.h>

#include "array/file.h"
#include "io/aside.h"
#include "io/seen.h"

#define DRAFT_RACED ESTALE	/* the file changed while it was restored */

#define DRAFT_UNRECOVERABLE ".unrecoverable"

struct inodes;
struct suffixed;

/* The disk. Both stay the caller's. A new file does not get inode and stamp of another one in `recorded`, unless
 * it takes too many to find one. */
struct draft_place {
	int root_fd;
	const struct inodes *recorded;	/* NULL: none */
	enum aside_rule rule;
	bool elsewhere;			/* not where the files were: what is there is never touched, a file neither */
	bool inodes_stay;		/* a file keeps its inode: another one is another file */
	const struct suffixed *beside;	/* recorded names that end in DRAFT_UNRECOVERABLE; NULL: none */
};

/* What it shall be. */
struct draft_file {
	const struct file *key;		/* tells files apart; never followed */
	const char *path;		/* stays as it is as long as the draft lives */
	struct stamp stamp;
	const struct meta *meta;	/* what a file made anew gets besides its data; NULL: mode 0600 */
	struct seen seen;		/* by the reader, when it found some blocks right */
};

struct draft_block {
	uint64_t offset;
	uint32_t bytes;
	const void *data;
	bool proven;		/* false: only good for an .unrecoverable file */
};

enum draft_how {
	HOW_NONE,	/* not touched yet */
	HOW_PLACE,	/* the file itself */
	HOW_FRESH,	/* a temporary file; there was none */
	HOW_COPY,	/* a temporary copy of a file written to since */
};

enum draft_end {
	DRAFT_SAME,		/* there was nothing to do */
	DRAFT_TIME,		/* only the time was set */
	DRAFT_CUT,		/* was longer, and had no bad block */
	DRAFT_WHOLE,
	DRAFT_KEPT,		/* not whole: kept, see draft_unrecoverable_path */
	DRAFT_LEFT,		/* not whole: nothing to keep, or written to since and left as it is */
	DRAFT_FAILED,		/* error tells why */
};

#define DRAFT_TEMPORARY_MAX 32

struct draft {
	struct draft_file of;
	enum draft_how how;
	char temporary[DRAFT_TEMPORARY_MAX];
	uint64_t inode;			/* of the temporary file; 0: none */
	struct seen there;		/* HOW_PLACE, HOW_COPY: the file, as it was found, or left by the last write */
	bool continues;			/* HOW_FRESH: it began from what an earlier run could save */
	bool loses;			/* HOW_COPY: that file has data which the restored one has not */
	bool obstructed;		/* HOW_FRESH: something that is no file has the name */
	bool apart;			/* on a file system that is mounted below the root: it is synced by itself */
	int error;			/* errno of the first failure */
	bool whole;			/* set before draft_complete: all of the file is right, or was written now */
	/* what it came to */
	enum draft_end end;
	unsigned unset;			/* of a new file: what of its meta could not be set (enum os_unset) */
	int unset_error;
	struct aside aside;		/* what was in the way */
	struct aside earlier;		/* what had the name that the part of it got; of the path of that */
};

/* Under which name the new thing of that path is made, beside it. */
void draft_temporary_name(char name[DRAFT_TEMPORARY_MAX], const char *path);
void draft_init(struct draft *draft, const struct draft_place *place, const struct draft_file *of);
/* Where a part of the file `path` is kept: beside it, with the suffix, or with a short name and the suffix where the name
 * has no room for it, or is `recorded`; malloc. */
char *draft_unrecoverable_path(const struct suffixed *recorded, const char *path);

/* The descriptor to write blocks to: decides how the file is restored if it was not touched yet. -1: see error. */
int draft_open(const struct draft_place *place, struct draft *draft);
/* Open what was written so far. -1 with errno; ENOENT: nothing. */
int draft_reopen(const struct draft_place *place, const struct draft *draft);
/* 0 or errno. After an error of a file all its later writes give the same. */
int draft_write(struct draft *draft, int fd, const struct draft_block *block);

/* Size, attributes and time as recorded; durable once it, or the file system of the root, is synced. The descriptor, for
 * the caller to sync and close; -1: there is none. */
int draft_complete(const struct draft_place *place, struct draft *draft);
/* What was completed gets its name; durable if `sync`, else once that file system is synced. Sets `end`, but for DRAFT_FAILED. */
void draft_publish(const struct draft_place *place, struct draft *draft, bool sync);
/* Instead of both: it never got its last block. One in place keeps what was written, which is right. */
void draft_discard(const struct draft_place *place, const struct draft *draft);

#endif
