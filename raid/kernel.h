/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inner loops, one set per instruction set, and the choice of one.
 *
 * Everything is a sum of terms: row r of the result is the sum of coef[r] * in over all terms. Encoding,
 * verifying and solving differ only in the terms and in what is done with the result.
 * All buffers are aligned to 64, and `size` is a multiple of 64. `rows` is 1 to 6; no terms sum to zeros. */
#ifndef RAID_KERNEL_H
#define RAID_KERNEL_H

#include "raid/raid.h"

#define RAID_TERM_MAX (RAID_COLUMN_MAX + RAID_LEVEL_MAX)

struct raid_term {
	const uint8_t *in;
	uint8_t coef[RAID_LEVEL_MAX]; /* of each row */
	uint8_t gap; /* for pq: its column less that of the term before; the column itself in the first */
};

/* out[r] = the sum. Either any sum, or one of which is known ("pq") that
 * coef[0] is 1 and coef[1] is 2^column in all terms, and that all are 1 in column 0. */
typedef void raid_sum_fn(unsigned rows, const struct raid_term *term, unsigned terms, size_t size,
			 uint8_t *const *out);
/* The same, but compare: bit r is set if out[r] is not the sum. */
typedef unsigned raid_check_fn(unsigned rows, const struct raid_term *term, unsigned terms, size_t size,
			       const uint8_t *const *out);
/* out[r] += coef[r] * in. */
typedef void raid_mad_fn(unsigned rows, const uint8_t *coef, size_t size, const uint8_t *in,
			 uint8_t *const *out);

struct raid_kernel {
	const char *name;
	unsigned needs; /* CPU_* */
	raid_sum_fn *dot;
	raid_sum_fn *pq;
	raid_check_fn *dot_check;
	raid_check_fn *pq_check;
	raid_mad_fn *mad;
};

/* The kernel in use: the first of the table for which the CPU has the features, and which agrees with the
 * scalar one on a probe. Chosen in the first call; safe from any thread. */
const struct raid_kernel *raid_kernel(void);

/* All kernels, the fastest first, scalar last; NULL from there on. */
const struct raid_kernel *raid_kernel_at(unsigned i);
/* Does it compute what the scalar one does on a probe, with each function and number of rows? The CPU must
 * be able to run it. */
int raid_kernel_agrees(const struct raid_kernel *kernel);

extern const struct raid_kernel raid_kernel_scalar;
extern const struct raid_kernel raid_kernel_ssse3;
extern const struct raid_kernel raid_kernel_avx2;

#endif
