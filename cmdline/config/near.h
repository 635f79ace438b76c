/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean ...?" */
#ifndef CONFIG_NEAR_H
#define CONFIG_NEAR_H

#include "base/types.h"

/* How many letters must be put in, taken out, changed or swapped with the next to make `b` of `a`; small and capital
 * ones are alike. */
unsigned near_distance(const char *a, const char *b);
/* Keep the nearer of two: true if `word` is so like `typed` that it may be meant, and nearer than `*best`,
 * which then has its distance. Begin with NEAR_NONE. */
bool near_is_better(const char *typed, const char *word, unsigned *best);
#define NEAR_NONE	UINT32_MAX

#endif
