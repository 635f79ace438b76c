/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a temperature that rises will come to rest.
 *
 * A disk at steady work warms up as T(t) = S - (S - T0) e^(-t/tau). The sums of three equal spans of it then differ by
 * d1 and d2 with d2/d1 = e^(-span/tau), whatever tau is, and what is still to come after the third is the rest of that
 * geometric series. Sums, as a disk tells whole degrees only. */
#ifndef DEVICE_HEAT_H
#define DEVICE_HEAT_H

#include "base/types.h"

#define HEAT_SAMPLES	96	/* a multiple of 6 */

struct heat {
	unsigned sample[HEAT_SAMPLES];
	unsigned count;
	unsigned every, skipped;	/* one of so many is kept; not kept since the last one */
};

void heat_reset(struct heat *heat);		/* all zeros is fine too */
void heat_add(struct heat *heat, unsigned degrees);	/* at equal intervals */
/* Degrees; 0: not known, as it does not rise, or too little was seen. */
unsigned heat_steady(const struct heat *heat);

#endif
