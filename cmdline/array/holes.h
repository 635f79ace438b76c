/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stripes of a disk without a block of a file, DELETED and EMPTY alike: where files can lie.
 *
 * A file in one piece is read in one go; so one looks for a hole that holds all of it, and takes the smallest, so that
 * large holes stay for large files. What is taken is out of the set; the map is looked at once, at the beginning. */
#ifndef ARRAY_HOLES_H
#define ARRAY_HOLES_H

#include "array/extent.h"
#include "base/bitmap.h"

struct run {
	stripe_t at, count;
};

struct holes;

/* The holes of `map` below `end`, without the stripes of `closed` (NULL: none); and all from `end` and the last block
 * of the map on, as the last hole, which has no end. */
struct holes *holes_new(const struct extent_map *map, stripe_t end, const struct bitmap *closed);
void holes_free(struct holes *holes);		/* NULL is fine */

stripe_t holes_room(const struct holes *holes);		/* stripes left below the end */
stripe_t holes_largest(const struct holes *holes);	/* of one hole below the end */

/* The smallest hole below the end with room for `count` blocks, the lowest of several: take them there, from its begin.
 * STRIPE_NONE: no hole has room; nothing was taken. O(log n). */
stripe_t holes_take_whole(struct holes *holes, stripe_t count);
/* The lowest stripes there are, one run of them, `count` at most. */
struct run holes_take_lowest(struct holes *holes, stripe_t count);

#endif
