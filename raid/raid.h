/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parity of up to six levels over GF(2^8): compute it, update it, check it, and solve for lost blocks.
 *
 * A code is the matrix of one mode; it never changes once made and may be used by any number of threads. All
 * buffers of a call are `size` bytes, a multiple of 64, aligned to 64. What is only read may be one block; else they
 * do not overlap unless it is said. A column without data is NULL: it counts as zeros, at no cost.
 * No state but the kernels chosen (select.h), no allocation. Formulas: gf.h, code.h, and doc/parity.md. */
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

/* target = sources[0] + .. + sources[count - 1]; none sum to zeros. sources[0] may be `target`: then the
 * others are added to it. At most RAID_COLUMN_MAX + 1 sources, none NULL. */
void raid_xor(unsigned count, const void *const *sources, size_t size, void *target);

/* parity[l] = sum of data, for l < levels. Columns are data[0..columns). A NULL parity[l] is not computed. */
void raid_encode(const struct raid_code *code, unsigned levels, unsigned columns, size_t size,
		 const void *const *data, void *const *parity);

/* Bring parity[0..levels) up to date, in place, where the columns first .. first + count - 1 change from
 * old[i] to fresh[i]; NULL is zeros. A NULL parity[l] is left out. Nothing of the other columns is needed. */
void raid_update(const struct raid_code *code, unsigned levels, unsigned first, unsigned count, size_t size,
		 const void *const *old, const void *const *fresh, void *const *parity);

/* Solve for `count` lost columns from as many levels.
 *   lost[0..count)	columns, ascending; data[lost[i]] is overwritten with the solution
 *   use[0..count)	levels, ascending; parity[use[i]] is read
 * All other columns of data[0..columns) are read. Returns 0, or -1 if count > 6 (nothing done). */
int raid_solve(const struct raid_code *code, unsigned columns, size_t size, unsigned count,
	       const unsigned *lost, const unsigned *use, void *const *data, const void *const *parity);

/* What a column has in some of the levels. In those of no part it counts as zeros. */
struct raid_part {
	unsigned column;
	unsigned levels;	/* bit l: in level l */
	void *data;
};

/* The same from levels that are not of one time: part[lost[i]].data is overwritten with the solution, all other parts
 * are read. Parts ascend by column; those of one column are of different levels. Returns -1, with nothing done, if the
 * levels have no single solution, or there are more than RAID_PART_MAX parts. */
#define RAID_PART_MAX	(RAID_COLUMN_MAX + RAID_LEVEL_MAX)
int raid_solve_parts(const struct raid_code *code, unsigned parts, const struct raid_part *part, size_t size,
		     unsigned count, const unsigned *lost, const unsigned *use, const void *const *parity);

/* Which levels of parity[0..levels) differ from the parity of data: bit l is set if level l differs.
 * Nothing is written; NULL levels are skipped. */
unsigned raid_verify(const struct raid_code *code, unsigned levels, unsigned columns, size_t size,
		     const void *const *data, const void *const *parity);

/* Which blocks of a stripe are wrong? The smallest set that explains it: with all others as they are, its
 * blocks have values that make data and parity agree. No NULL levels; NULL columns are never wrong.
 *   wrong[0..result)	ascending: a column, or columns + level
 * Returns the size of the set, less than `levels`: 0 if the stripe is consistent, -1 if no set explains it. If
 * several of one size do, `*unique` is 0 and it is the first of them: it may be innocent. Nothing is written.
 * One wrong block costs about one pass over the stripe per column, two cost that squared. */
int raid_scan(const struct raid_code *code, unsigned levels, unsigned columns, size_t size,
	      const void *const *data, const void *const *parity, unsigned wrong[RAID_LEVEL_MAX], int *unique);

#endif
