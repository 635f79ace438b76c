/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that check or fix goes through: what was met in it so far, and how it ends. Coordinator only. */
#ifndef STRIPE_FIX_FILE_H
#define STRIPE_FIX_FILE_H

#include "stripe/job_fix.h"

struct fix_file {
	struct disk *disk;
	struct file *file;
	stripe_t left;		/* blocks of the run that were not retired yet */
	uint64_t fixed;		/* blocks written */
	struct seen seen;	/* by the reader, at its first block */
	bool partial;		/* has blocks that are not in the run */
	bool bad;		/* some block was bad */
	bool lost;		/* some block is not recovered */
	bool doubtful;		/* some lost block has unproven data */
	bool other;		/* has other data than was promised of it, and is left alone */
	bool pending;		/* has a CHG block: nobody knows what it should be */
	bool changed;		/* not of the recorded size and time */
	bool skipped;		/* -e: bad and changed, or something else has its name: left alone */
	bool unchecked;		/* check: what is other than recorded changed since the sync */
	bool failed;		/* could not be written */
	bool told;		/* a message for its owner was given */
};

/* The file of a cell; NULL: not wanted. */
struct fix_file *fix_file_of(const struct fix *fix, const struct file *file);
/* Its last block was retired. */
void fix_file_end(struct fix *fix, struct fix_file *ff);
/* Report what the commits of a disk came to; with `all` wait for every one. */
void fix_file_results(struct fix *fix, column_t column, bool all);

#endif
