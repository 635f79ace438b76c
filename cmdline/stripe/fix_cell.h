/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of check and fix tell each other about one stripe: fill and compute (job_fix.c), recovery (rescue.c),
 * retire (fix_retire.c). */
#ifndef STRIPE_FIX_CELL_H
#define STRIPE_FIX_CELL_H

#include "stripe/job_fix.h"

/* Flags of a cell. */
enum {
	CELL_WANTED = 1,	/* of a file that was asked for */
	CELL_BAD = 2,		/* cannot be read, or is not what its hash says */
	CELL_PROVEN = 4,	/* bad, but now `data` has the right bytes */
	CELL_DOUBTFUL = 8,	/* bad, and `data` has bytes that may be right */
	CELL_OTHER = 16,	/* not bad: a REP that is not what its hash says, in a file that nobody wrote to. Perhaps it
				 * never was, and is in no parity: it is left as it is */
	CELL_FOUND = 32,	/* PROVEN, and found in a file elsewhere */
};

static inline bool fix_cell_is_right(const struct cell *cell)
{
	return (cell->flags & (CELL_BAD | CELL_PROVEN)) != CELL_BAD;
}

/* What compute tells retire of the parity: slot->extra. */
struct verdict {
	bool judged;		/* all data is good and the parity should be of it */
	unsigned wrong;		/* bit l: level l was read and differs */
	unsigned solved_with;	/* these levels agree with the data, which was solved with them */
	bool rescued;		/* lost blocks were to be recovered */
	unsigned tried;		/* by so many attempts */
};

/* The file was changed after the sync, and -e asks for damage only. */
static inline bool fix_cell_skipped(const struct fix *fix, const struct cell *cell)
{
	return fix->skip_changed && cell->changed;
}

#endif
