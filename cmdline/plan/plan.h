/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do: which stripes a command takes. Pure; the bitmaps are the caller's to free. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "array/array.h"

/* Unsynced stripes; with `full` every stripe with a file block. behaviour.md 5.1. */
struct bitmap *plan_sync(const struct array *array, bool full);

/* For sync -F: all parity of `stripes` is going to be written, and the content has to say so, or an interrupted
 * run would be forgotten. Each stripe with nothing pending gets a BLK turned into REP: its data is known and
 * its parity may not be trusted. */
void plan_mark_pending(struct array *array, const struct bitmap *stripes);

enum scrub_kind { SCRUB_OLDEST, SCRUB_BAD, SCRUB_NEW, SCRUB_FULL, SCRUB_EVEN };

struct scrub_choice {
	enum scrub_kind kind;
	stripe_t quota;		/* SCRUB_OLDEST: how many besides bad ones; STRIPE_NONE: no limit */
	int64_t newest;		/* SCRUB_OLDEST: only stripes whose time is not after it */
	int64_t now;		/* SCRUB_OLDEST: a time after it is of a clock that went wrong. It would keep its stripes
				 * from being scrubbed for years, so it counts as older than all */
};

/* What SCRUB_OLDEST takes, besides bad stripes: those older than `time`, and the first `last` of that time. */
struct scrub_cut {
	int64_t time;		/* INT64_MIN: none, or those of a clock that went wrong */
	stripe_t count, last;	/* all that are taken; those of that time */
};

struct scrub_cut plan_scrub_cut(const struct array *array, const struct scrub_choice *choice);

/* behaviour.md 6.1. Bad stripes are always in, stripes without info never. */
struct bitmap *plan_scrub(const struct array *array, const struct scrub_choice *choice);

#endif
