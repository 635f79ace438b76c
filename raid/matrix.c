/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/matrix.h"

#include <string.h>

#include "raid/gf.h"

static void row_scale(unsigned n, uint8_t *row, uint8_t factor)
{
	for (unsigned i = 0; i < n; ++i)
		row[i] = gf_mul(row[i], factor);
}

static void row_add(unsigned n, uint8_t *row, uint8_t factor, const uint8_t *other)
{
	for (unsigned i = 0; i < n; ++i)
		row[i] ^= gf_mul(factor, other[i]);
}

static void row_swap(uint8_t *a, uint8_t *b)
{
	uint8_t keep[RAID_LEVEL_MAX];

	memcpy(keep, a, sizeof(keep));
	memmove(a, b, sizeof(keep)); /* may be the same row */
	memcpy(b, keep, sizeof(keep));
}

/* Gauss-Jordan: whatever makes the left one the unit matrix makes the inverse of the unit matrix. */
int matrix_invert(unsigned n, const struct matrix *m, struct matrix *inverse)
{
	struct matrix left = *m;

	memset(inverse, 0, sizeof(*inverse));
	for (unsigned i = 0; i < n; ++i)
		inverse->at[i][i] = 1;

	for (unsigned i = 0; i < n; ++i) {
		unsigned pivot = i;
		uint8_t scale;

		while (pivot < n && left.at[pivot][i] == 0)
			++pivot;
		if (pivot == n)
			return -1;
		row_swap(left.at[i], left.at[pivot]);
		row_swap(inverse->at[i], inverse->at[pivot]);

		scale = gf_inv(left.at[i][i]);
		row_scale(n, left.at[i], scale);
		row_scale(n, inverse->at[i], scale);
		for (unsigned r = 0; r < n; ++r) {
			uint8_t factor = left.at[r][i];

			if (r == i)
				continue;
			row_add(n, left.at[r], factor, left.at[i]);
			row_add(n, inverse->at[r], factor, inverse->at[i]);
		}
	}
	return 0;
}

void matrix_apply(unsigned n, const struct matrix *m, const uint8_t *in, uint8_t *out)
{
	for (unsigned r = 0; r < n; ++r) {
		out[r] = 0;
		for (unsigned i = 0; i < n; ++i)
			out[r] ^= gf_mul(m->at[r][i], in[i]);
	}
}
