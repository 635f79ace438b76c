/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bringing many files back to one data disk: the drafts that are written to, and commits of those that are done.
 *
 * Always true: a name never shows a file whose data is not durable. Many small files share one sync of the file
 *	system. What was not finished is removed at the end.
 * Threads: restore_write is for the writer of the disk, all else for the coordinator. One file is not written
 *	and finished at once. Never reports: errors are errno. */
#ifndef IO_RESTORE_H
#define IO_RESTORE_H

#include "io/draft.h"

struct restore;

/* What `place` names stays the caller's. */
struct restore *restore_new(const struct draft_place *place);
void restore_free(struct restore *restore);	/* NULL is fine; removes the temporary files of unfinished ones */

/* 0 or errno. After an error of a file all its later writes give the same. */
int restore_write(struct restore *restore, const struct draft_file *of, const struct draft_block *block);

enum restore_as {
	RESTORE_WHOLE,	/* all of it is right, or was written now */
	RESTORE_PART,
	RESTORE_RACED,	/* it changed meanwhile */
};

/* No block of the file is written any more. It is committed together with others, in the background. `of->seen` is of the
 * first block that was read; if another file was written to, it changed meanwhile. */
void restore_finish(struct restore *restore, const struct draft_file *of, enum restore_as as);

/* The inode of the new file that was made for it; 0: it is written in place, or nothing was written. */
uint64_t restore_inode(struct restore *restore, const struct file *key);

/* Open what was written of it for reading, before it is finished. -1 with errno. */
int restore_open(struct restore *restore, const struct file *key);

/* The next file whose commit ended, in the order they were finished. false: none now. With `all`, waits for
 * every finished file. */
bool restore_result(struct restore *restore, bool all, struct draft *result);

#endif
