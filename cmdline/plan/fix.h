/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which stripes check and fix go through. behaviour.md 7.2. Pure. */
#ifndef PLAN_FIX_H
#define PLAN_FIX_H

#include "array/array.h"

struct fix_choice {
	bool every_stripe;		/* parity is looked at too, not only the files with a mark */
	const struct bitmap *bad;	/* -e: these as well; NULL: not asked for */
	bool only_bad;			/* -b: and no other */
	stripe_t start, count;		/* start is below the number of stripes, or there are none; count 0: to the end */
};

/* A new bitmap, the caller's to free. A file is wanted if its mark is not 0. */
struct bitmap *plan_fix(const struct array *array, const struct fix_choice *choice);

#endif
