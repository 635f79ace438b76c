/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel broken on purpose, by its tables. */
#ifndef TEST_UNIT_RAID_FLIP_H
#define TEST_UNIT_RAID_FLIP_H

#include "raid/gf.h"

/* Flip one bit of one entry of the tables of products, or flip it back. Each kernel uses only one of the tables, and
 * of that for scalar and SSE2 but the powers of 2. */
static inline void flip_entry(uint8_t constant, unsigned half, unsigned nibble)
{
	gf_factor[constant].nibble[half][nibble] ^= 0x10;
	gf_affine[constant] ^= (uint64_t)1 << (nibble * 7);
}

#endif
