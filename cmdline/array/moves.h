/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that go to other stripes while they are protected all the time.
 *
 * The content file knows one place of a file. It goes on naming the old one, whose parity nobody touches, until the
 * parity of the new one is durable; up to then the new one is recorded as DELETED blocks with the hashes of the data.
 * That is what is true of these stripes: the parity has zeros there, or that data. See design.md.
 *
 *	plan		what goes where; the array is not changed
 *	promise		for the content file: DELETED blocks at the new places
 *	begin		for the job that computes their parity: the files as REP blocks there. Not to be saved!
 *	end		a file that is BLK by now has its new place; the others are back at the old one, as promised
 *
 * Old and new places of a plan are apart, on all disks: no parity that a file still needs is written. */
#ifndef ARRAY_MOVES_H
#define ARRAY_MOVES_H

#include "array/array.h"
#include "array/holes.h"

struct moves {
	struct array *array;
	struct moving *moving;		/* the files; private */
	size_t count, room;
	stripe_t blocks;		/* of all of them */
	stripe_t end;			/* moves_plan_end: that of the array, once they are moved */
	struct bitmap *to;		/* the new stripes */
};

/* What can be planned; all stripes must be synced. `most`: blocks to move. NULL: there is nothing to move, or the hashes
 * cannot keep the promise, as they are short, or of two kinds while a rehash goes on.
 *
 * end		the files behind which the end of the array can come down: at least as far as there are blocks to
 *		move, and by a hundredth of its length
 * tail		files with blocks from `from` on that have a place below it; one larger than `most` goes alone
 * whole	files in pieces that have a place in one */
struct moves *moves_plan_end(struct array *array, stripe_t most);
struct moves *moves_plan_tail(struct array *array, stripe_t from, stripe_t most);
struct moves *moves_plan_whole(struct array *array, stripe_t most);
/* Where the array would end if the fullest disk had no hole. */
stripe_t moves_least_end(const struct array *array);
void moves_free(struct moves *moves);		/* NULL is fine */

/* The new and the old stripes; the caller frees it. */
struct bitmap *moves_stripes(const struct moves *moves);

void moves_promise(const struct moves *moves);
void moves_begin(const struct moves *moves);
/* `durable` false: nothing is known of the parity that was written, and all files are put back. */
void moves_end(const struct moves *moves, bool durable);

#endif
