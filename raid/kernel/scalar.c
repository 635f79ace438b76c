/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops on eight bytes in a word: right on any CPU, and what all other kernels are measured by. */
#include <stdint.h>

#include "raid/gf.h"

#define ISA    scalar
#define TARGET

typedef uint64_t __attribute__((may_alias)) vec;
typedef uint64_t split;

#define LOAD(p)	    (*(const vec *)(const void *)(p))
#define STORE(p, v) (*(vec *)(void *)(p) = (v))
#define XOR(a, b)   ((a) ^ (b))
#define OR(a, b)    ((a) | (b))
#define ZERO()	    ((vec)0)
#define EACH_BYTE   0x0101010101010101u
#define FILL(byte)  ((vec)(byte) * EACH_BYTE)
#define IS_ZERO(v)  ((v) == 0)
#define SPLIT(v)    (v)
#define MUL(f, s)   word_multiply(f, s)
#define DOUBLE(v)   word_double(v)
#define BIAS	    0

static inline vec word_multiply(const struct gf_factor *factor, vec word)
{
	vec product = 0;

	for (unsigned shift = 0; shift < 64; shift += 8) {
		unsigned byte = (unsigned)(word >> shift) & 0xff;

		product |= (vec)(factor->nibble[0][byte & 15] ^ factor->nibble[1][byte >> 4]) << shift;
	}
	return product;
}

/* Shift all bytes left; reduce those that lost a bit. */
static inline vec word_double(vec word)
{
	vec lost = (word >> 7) & EACH_BYTE;

	return ((word & ~(0x80 * EACH_BYTE)) << 1) ^ (lost * 0x1d);
}

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_scalar = RAID_KERNEL_ROW("scalar", 0);
