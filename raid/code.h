/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrices: how much of data column d is in parity level p. All is in GF(2^8), see gf.h.
 *
 * Cauchy, levels 0 to 5. With the nodes x[d] = 2^-d, and y[1] = 0, y[p] = 2^(p-1) for p = 2..5:
 *
 *	A[0][d] = 1		A[p][d] = (x[0] + y[p]) / (x[d] + y[p])
 *
 * Rows 1.. are a Cauchy matrix 1 / (x + y) whose rows were scaled to begin with 1; the nodes are all
 * different, so every square part of it is regular, and still is with a row of ones on top. Hence any k
 * lost columns can be solved from any k levels. Row 1 is 2^d, the Q of RAID-6. The 251 + 5 nodes are all the
 * elements of the field: that is where the limit of 251 columns is from.
 *
 * Vandermonde, "z-parity", levels 0 to 2: 1, 2^d and 2^-d. Scaling column d by 2^d makes it a Vandermonde
 * matrix, whose square parts of up to 3 rows are regular. Levels 0 and 1 are those of the Cauchy one.
 *
 * Column 0 is all ones in both. */
#ifndef RAID_CODE_H
#define RAID_CODE_H

#include "raid/raid.h"

struct raid_code {
	unsigned levels;
	uint8_t coef[RAID_COLUMN_MAX][RAID_LEVEL_MAX]; /* by column, then by level */
};

#endif
