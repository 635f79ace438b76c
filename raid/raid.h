/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parity of up to six levels over GF(2^8): compute it, update it, and solve for lost blocks.
 *
 * A code is the matrix of one mode and number of levels; it never changes once made and may be used by
 * any number of threads. All buffers of a call are `size` bytes, a multiple of 64, aligned to 64, and do
 * not overlap. A column without data is NULL: it counts as zeros, at no cost.
 * No state but the kernel chosen at first use, no allocation. Formulas: parity.md of the specification,
 * restated in gf.h and code.h. */
#ifndef RAID_RAID_H
#define RAID_RAID_H

#include <stddef.h>
#include <stdint.h>

#define RAID_LEVEL_MAX	6
#define RAID_COLUMN_MAX	251

enum raid_mode {
	RAID_CAUCHY,	/* 1 to 6 levels */
	RAID_VANDERMONDE,	/* "z-parity": 1 to 3 levels */
};

struct raid_code;

/* The code of a mode: a constant that lives for ever. Every level of it may be used, fewer are as good:
 * a row never depends on how many levels or columns are in use. */
const struct raid_code *raid_code(enum raid_mode mode);
uint8_t raid_coefficient(const struct raid_code *code, unsigned level, unsigned column);

/* parity[l] = sum of data, for l < levels. Columns are data[0..columns). A NULL parity[l] is not computed. */
void raid_encode(const struct raid_code *code, unsigned levels, unsigned columns, size_t size,
		 const void *const *data, void *const *parity);

/* parity[l] += coefficient(l, column) * delta, with delta = old data + new data of that column. In place. */
void raid_update(const struct raid_code *code, unsigned levels, unsigned column, size_t size,
		 const void *delta, void *const *parity);

/* Solve for `count` lost columns from as many levels.
 *   lost[0..count)	columns, ascending; data[lost[i]] is overwritten with the solution
 *   use[0..count)	levels, ascending; parity[use[i]] is read
 * All other columns of data[0..columns) are read. Returns 0, or -1 if count > 6 (nothing done). */
int raid_solve(const struct raid_code *code, unsigned columns, size_t size, unsigned count,
	       const unsigned *lost, const unsigned *use, void *const *data, const void *const *parity);

/* Which levels of parity[0..levels) differ from the parity of data: bit l is set if level l differs.
 * Nothing is written; NULL levels are skipped. */
unsigned raid_verify(const struct raid_code *code, unsigned levels, unsigned columns, size_t size,
		     const void *const *data, const void *const *parity);

const char *raid_kernel_name(void);	/* the kernel in use; the first call of the library chooses it */

#endif
