/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check and fix of one stripe. check is fix without writing; an audit looks at the hashes of files only.
 *
 * compute finds the bad blocks, gets them back from the parity as plan/recover says, or from donors, and
 * judges the parity once all data is good. write_data hands blocks to io/restore. retire reports, counts, and
 * finishes a file after its last block of the run. */
#ifndef STRIPE_JOB_FIX_H
#define STRIPE_JOB_FIX_H

#include "io/aside.h"
#include "report/report.h"
#include "stripe/job.h"

struct bitmap;
struct donor;
struct fix_file;
struct inodes;
struct outcomes;
struct restore;
struct suffixed;

enum fix_mode { FIX_AUDIT, FIX_CHECK, FIX_WRITE };

struct fix {
	/* set by the command */
	struct array *array;
	enum fix_mode mode;
	bool skip_changed;		/* -e: a file that is not as recorded is not written */
	enum aside_rule rule;		/* what may be moved that is in the way */
	bool open[LEVEL_MAX];		/* the level can be read */
	bool judge[LEVEL_MAX];		/* it is compared too, and rewritten where it is wrong; only if open */
	bool make[LEVEL_MAX];		/* ... and also written where its file has nothing */
	const int *root_fd;		/* by column */
	const int *out_fd;		/* by column: where files are restored; -1: none of that disk is */
	const char *elsewhere;		/* out_fd are directories below this one, and not the disks: all that is asked for
					 * is written there; NULL: what is bad is written where it was */
	struct donor *donor;		/* NULL: none */
	struct error_counts *errors;
	struct outcomes *outcomes;
	unsigned *unset_told;		/* see unset.h */
	/* private, but for `unchecked`, `other`, `unknown` and `undone_parity` after the run */
	struct fix_file *file;
	uint32_t file_count;
	uint64_t unchecked;		/* files that changed since the sync, so that nothing tells what they should be */
	uint64_t other;			/* files with other data than was promised, left alone: a soft error each */
	uint64_t unknown;		/* stripes of which the parity that was asked for cannot be told, as files that were
					 * not are lost: an unrecoverable error each */
	unsigned undone_parity;		/* bit l: a block of the level was not made, where nothing is pending */
	unsigned told_parity;		/* bit l: a data error of the level was told */
	unsigned told_unread;		/* bit l: that it cannot be read was told */
	unsigned told_unwritten;	/* bit l: that it cannot be written was told */
	struct restore *restore[COLUMN_MAX];	/* NULL: nothing is written there */
	struct inodes *inodes[COLUMN_MAX];	/* recorded ones, by column; NULL: nothing is written there */
	struct suffixed *beside[COLUMN_MAX];	/* recorded names of the kind that a part of a file gets; NULL: none */
};

extern const struct stripe_job job_audit, job_check, job_fix;

/* Before the run over `stripes`: files are wanted if their mark is not 0. Marks are renumbered, and cleared
 * for files with blocks none of which is in the run. */
void fix_begin(struct fix *fix, const struct bitmap *stripes);
/* After it, also if it was stopped: wait for all finished files and report them; take back unfinished ones. */
void fix_end(struct fix *fix);

#endif
