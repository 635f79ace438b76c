/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing lost files and blocks back to one data disk.
 *
 *	what is there		how it is restored
 *	nothing			under a temporary name beside it, renamed when whole
 *	a file of that time	bad blocks are written in place; right data is never rewritten
 *	a file of another time	someone wrote to it since: a copy is restored under a temporary name. If data
 *				of the other one would be lost, it is kept as PATH.edited
 *	something else		an error of that file; it is not touched
 *
 * A file that cannot be made whole is kept as PATH.unrecoverable, with what could be recovered; such a file of an
 * earlier run is what a missing file starts from, and goes away once the file is whole. A file that was written
 * to since is then left as it is.
 *
 * Always true: a name never shows a file whose data is not durable; no symbolic link is followed. Many small
 *	files share one sync of the file system. What was not finished is removed at the end.
 * Threads: restore_write is for the writer of the disk, all else for the coordinator. One file is not written
 *	and finished at once. Never reports: errors are errno. */
#ifndef IO_RESTORE_H
#define IO_RESTORE_H

#include "array/file.h"
#include "io/aside.h"

struct inodes;
struct restore;

/* Both stay the caller's. A new file never gets inode and stamp of another one in `recorded`. */
struct restore *restore_new(int root_fd, const struct inodes *recorded);
void restore_free(struct restore *restore);	/* NULL is fine; removes the temporary files of unfinished ones */

struct restore_block {
	const struct file *key;	/* tells files apart; never followed */
	const char *path;	/* stays as it is until the file is finished */
	struct stamp stamp;	/* recorded */
	uint64_t offset;
	uint32_t bytes;
	const void *data;
	const struct meta *meta;	/* what a file made anew gets besides its data; NULL: mode 0600 */
	bool proven;		/* false: only good for an .unrecoverable file */
};

/* 0 or errno. After an error of a file all its later writes give the same. */
int restore_write(struct restore *restore, const struct restore_block *block);

struct restore_finish {
	const struct file *key;
	const char *path;	/* stays as it is until the result was taken */
	struct stamp stamp;
	bool whole;		/* all of the file is right, or was written now */
	const struct meta *meta;
};

/* No block of the file is written any more. It is committed together with others, in the background. */
void restore_finish(struct restore *restore, const struct restore_finish *finish);

/* The inode of the new file that was made for it; 0: it is written in place, or nothing was written. */
uint64_t restore_inode(struct restore *restore, const struct file *key);

/* Open what was written of it for reading, before it is finished. -1 with errno. */
int restore_open(struct restore *restore, const struct file *key);

enum restore_end {
	RESTORE_SAME,		/* there was nothing to do */
	RESTORE_TIME,		/* only the time was set */
	RESTORE_CUT,		/* was longer, and had no bad block */
	RESTORE_WHOLE,
	RESTORE_KEPT,		/* not whole: kept as .unrecoverable */
	RESTORE_LEFT,		/* not whole: nothing to keep, or written to since and left as it is */
	RESTORE_FAILED,		/* error tells why */
};

struct restore_result {
	const struct file *key;
	enum restore_end end;
	int error;
	unsigned unset;		/* of a new file: what of its meta could not be set (enum os_unset) */
	int unset_error;
	char kept[ASIDE_MAX];	/* suffix under which the other version was kept beside it; "" none */
};

/* The next file whose commit ended, in the order they were finished. false: none now. With `all`, waits for
 * every finished file. */
bool restore_result(struct restore *restore, bool all, struct restore_result *result);

#endif
