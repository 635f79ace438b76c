/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small square matrices over GF(2^8), to solve for lost columns. Pure; gf_init() must have been called. */
#ifndef RAID_MATRIX_H
#define RAID_MATRIX_H

#include "raid/raid.h"

struct matrix {
	uint8_t at[RAID_LEVEL_MAX][RAID_LEVEL_MAX]; /* row, column; only the first n of each are used */
};

/* inverse = m^-1, of size n. Returns -1 if m has none. */
int matrix_invert(unsigned n, const struct matrix *m, struct matrix *inverse);
/* out = m * in, of size n. */
void matrix_apply(unsigned n, const struct matrix *m, const uint8_t *in, uint8_t *out);

#endif
