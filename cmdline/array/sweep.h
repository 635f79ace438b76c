/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk over the stripes of an array in runs: along a run no disk goes from one extent to another and the
 * info stays the same. What has to be known of every stripe costs time by runs, not by stripes. */
#ifndef ARRAY_SWEEP_H
#define ARRAY_SWEEP_H

#include "array/array.h"

struct sweep {
	const struct array *array;
	stripe_t at, count;		/* the run */
	stripe_t end;			/* nothing is beyond it */
	bool has_info;
	struct info info;
	unsigned file, blk, unsynced;	/* disks with a block of a file, with a BLK, with a CHG, REP or DELETED */
	struct extent *extent[COLUMN_MAX];	/* per disk of the array, NULL: EMPTY */
	struct extent *coming[COLUMN_MAX];	/* inside: the first one that ends beyond the run's begin */
};

/* Use: sweep_begin(&sweep, array); while (sweep_next(&sweep)) ...; the array must not change meanwhile. */
void sweep_begin(struct sweep *sweep, const struct array *array);
bool sweep_next(struct sweep *sweep);

static inline bool sweep_is_unsynced(const struct sweep *sweep)
{
	return sweep->file > 0 && sweep->unsynced > 0;
}

#endif
