/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inner loops, one set per instruction set.
 *
 * Everything is a sum of terms: row r of the result is the sum of coef[r] * in over all terms. Encoding,
 * verifying, updating and solving differ only in the terms and in what becomes of the sum.
 * All buffers are aligned to 64, and `size` is a multiple of 64. `rows` is 1 to 6; no terms sum to zeros. */
#ifndef RAID_KERNEL_H
#define RAID_KERNEL_H

#include "raid/matrix.h"
#include "raid/raid.h"

#define RAID_TERM_MAX RAID_PART_MAX

struct raid_term {
	const uint8_t *in;
	const uint8_t *old; /* for add: the term is in + old; NULL counts as zeros */
	uint8_t coef[RAID_LEVEL_MAX]; /* of each row */
	uint8_t gap; /* unless SUM_ANY: the column of the term after it less its own; 0 in the last */
};

/* What is known of the coefficients. In the last two, all of them are 1 in column 0. */
enum raid_sum_kind {
	SUM_ANY,
	SUM_PQ, /* coef[0] is 1, and coef[1] 2^column, in all terms; terms ascend by column */
	SUM_Q,	/* coef[0] is 2^column in all terms, which ascend by column; one row */
};

struct raid_sum {
	enum raid_sum_kind kind;
	unsigned rows;
	unsigned terms;
	const struct raid_term *term;
	size_t size;
};

struct raid_kernel {
	const char *name;
	unsigned needs; /* CPU_* */
	/* out[r] = the sum */
	void (*store)(const struct raid_sum *sum, uint8_t *const *out);
	/* bit r is set if stored[r] is not the sum */
	unsigned (*check)(const struct raid_sum *sum, const uint8_t *const *stored);
	/* out[r] += the sum */
	void (*add)(const struct raid_sum *sum, uint8_t *const *out);
	/* out = inverse * (parity + the sum). In SUM_PQ row 0 tells that the results add up to parity[0]. */
	void (*solve)(const struct raid_sum *sum, const struct matrix *inverse, const uint8_t *const *parity,
		      uint8_t *const *out);
	/* out = in[0] + .. + in[count - 1]; in[0] may be `out` */
	void (*sum_up)(unsigned count, const uint8_t *const *in, size_t size, uint8_t *out);
};

/* All kernels of this build, the one likely to be the fastest first, scalar last; NULL from there on. */
const struct raid_kernel *raid_kernel_at(unsigned i);
/* Does it compute what the scalar one does on a probe, with each function, kind and number of rows? The CPU
 * must be able to run it. */
int raid_kernel_agrees(const struct raid_kernel *kernel);

extern const struct raid_kernel raid_kernel_scalar;
#if defined(__x86_64__) || defined(RAID_SIMDE)
extern const struct raid_kernel raid_kernel_sse2;
extern const struct raid_kernel raid_kernel_ssse3;
extern const struct raid_kernel raid_kernel_avx2;
extern const struct raid_kernel raid_kernel_gfni;
extern const struct raid_kernel raid_kernel_avx512;
extern const struct raid_kernel raid_kernel_gfni512;
#endif
#if defined(__aarch64__)
extern const struct raid_kernel raid_kernel_neon;
extern const struct raid_kernel raid_kernel_sve;
#endif

#endif
