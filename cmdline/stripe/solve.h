/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solve lost blocks of a stripe from its parity: plan/recover names the attempts, best founded first; each is solved,
 * and believed only if hashes or a spare level confirm it. For the worker that has the slot. */
#ifndef STRIPE_SOLVE_H
#define STRIPE_SOLVE_H

#include "plan/recover.h"
#include "stripe/slot.h"

struct solve {
	struct slot *slot;
	void *const *scratch;			/* a buffer for each level */
	const void *stored[LEVEL_MAX];		/* the parity as it was read; NULL: it could not be */
	struct recover_block block[COLUMN_MAX];
	void *past[COLUMN_MAX];			/* what a block was before, if its past_at_hand */
	unsigned tried;				/* attempts that were carried out */
	struct recover recover;
};

/* Say what is known of a column. `good`: the data of its cell is what the state says. */
void solve_describe(struct solve *solve, column_t column, bool good);
/* The same of a REP block that was read and is not what its hash says. Perhaps it never was, as one that was taken for a
 * copy: then the parity has it as read, or not yet. */
void solve_describe_other(struct solve *solve, column_t column);
/* Carry out attempts until one holds: the lost cells have its result in their data, and those of its columns that it
 * confirms are good from now on, one unknown less for the next call. NULL: none holds, and what lost cells have in
 * their data means nothing. The attempt is valid until the next call. */
const struct recover_attempt *solve_once(struct solve *solve);
/* The same; true if something was confirmed. */
bool solve_proves_more(struct solve *solve);
/* Blocks that would be described as `other`, with what was read in their cells: does the parity have what was promised of
 * them? Then they are damaged, are good from now on, and their cells hold it; of the rest nothing changes. All others are
 * described before; what lost cells of them have in their data means nothing then. */
void solve_promised(struct solve *solve, const bool other[COLUMN_MAX]);
/* Is a block still lost that has a hash to know it by? */
bool solve_lacks_known(const struct solve *solve);

#endif
