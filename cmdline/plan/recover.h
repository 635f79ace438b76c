/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How to get back the lost blocks of a stripe: an ordered list of attempts, best founded first.
 *
 * After an interrupted sync nobody knows, level by level, whether the parity holds the blocks as they are
 * now or as they were. So an attempt is an assumption (what each column contributes to the parity), the
 * columns to solve for, and the levels to solve with. Many attempts may be wrong; each says how its result
 * is proven, and whoever carries it out must throw away a result that is not.
 *
 *	assumption	CHG, REP		DELETED			BLK
 *	new		as read, or solved	zeros			as read, or solved
 *	old		as before, or solved	as before, or solved	as read, or solved
 *	mixed		each column by itself: as now, as before, or unknown
 *	split		each level by itself: new or old; then also each column of each level
 *
 * "As before" is zeros for a past of zeros or of which nothing is known, or data found elsewhere by the past hash,
 * or else unknown. What a column has now and what it had are two unknowns, if neither is at hand. In the end all
 * of that is tried again with zeros for some or all past hashes: what was deleted is gone from the parity if a
 * sync died before it was saved, and what a move promised may never have come to it. Any assumption but "new" is
 * only worth an attempt if a solved block has a hash: that alone proves it. A CHG block has no hash of what it
 * should be: old parity agrees on every level with its old data, and after two interruptions parity may hold data
 * of neither hash. So what is solved for it is never proven.
 *
 * Pure: no buffer is looked at. Not thread safe, but each worker may have its own. */
#ifndef PLAN_RECOVER_H
#define PLAN_RECOVER_H

#include <limits.h>

#include "array/block.h"

#define LEVEL_NONE UINT_MAX

/* What is known of one column. */
struct recover_block {
	enum block_state state;
	bool good;		/* BLK, REP: read and proven by the hash; CHG: read */
	enum past past;		/* CHG, DELETED */
	bool past_is_read;	/* CHG: what was read has the past hash, nothing changed */
	bool past_at_hand;	/* CHG, DELETED: the data it was before is in a buffer */
};

enum recover_source { SOURCE_READ, SOURCE_ZERO, SOURCE_PAST, SOURCE_SOLVED };

struct recover_attempt {
	bool parity_is_new;		/* the assumption "new" */
	uint8_t source[COLUMN_MAX];	/* enum recover_source of each column */
	bool is_split;
	uint8_t old[COLUMN_MAX];	/* if split: bit l: in level l the column is as before, with the source of was[] */
	uint8_t was[COLUMN_MAX];
	unsigned count;			/* columns to solve for, and levels to do it with; both ascending */
	unsigned lost[LEVEL_MAX];
	bool lost_was[LEVEL_MAX];	/* if split: lost[i] as before; the same column may be lost as now, ahead of it */
	unsigned use[LEVEL_MAX];
	bool confirm[LEVEL_MAX];	/* lost[i] must match its hash */
	unsigned spare;			/* this level must agree with the result; LEVEL_NONE: not asked */
};

#define RECOVER_MIXED_MAX 6		/* pending columns up to which every mix is tried */

struct recover {
	/* private */
	const struct recover_block *given;
	struct recover_block block[COLUMN_MAX];	/* as given, but that some had a past of zeros */
	unsigned columns;
	unsigned level[LEVEL_MAX], levels;
	unsigned pending[COLUMN_MAX], pending_count;
	bool may_confirm;		/* some lost block has a hash */
	uint8_t choice[COLUMN_MAX];	/* per column: as now, as before, unknown */
	enum recover_step {
		STEP_BEGIN, STEP_NEW, STEP_OLD, STEP_SPLIT, STEP_MIXED, STEP_OLD_UNKNOWN, STEP_UNKNOWN,
		STEP_SPLIT_UNKNOWN, STEP_SPLIT_EACH, STEP_SPLIT_EACH_UNKNOWN, STEP_END
	} step;
	unsigned emptied, emptied_last;	/* sets of columns whose past hash was taken for zeros */
	unsigned mixed_count;		/* STEP_MIXED: unknowns of the mixes tried now */
	unsigned subset[LEVEL_MAX], subset_size, left;
	unsigned split;			/* which levels, or columns of levels, are old */
	bool split_each;		/* columns one by one */
	struct recover_attempt attempt;
};

/* `levels` has bit l set if level l could be read. `block` must stay until the last attempt. */
void recover_begin(struct recover *recover, const struct recover_block *block, unsigned columns, unsigned levels);

/* The next attempt, valid until the next call. NULL: there is none left, or there were too many. */
const struct recover_attempt *recover_next(struct recover *recover);

#endif
