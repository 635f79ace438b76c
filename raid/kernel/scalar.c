/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops on eight bytes in a word: right on any CPU, and what all other kernels are measured by. */
#define ISA    scalar
#define TARGET

#include <stdint.h>

#include "raid/gf.h"

typedef uint64_t __attribute__((may_alias)) vec;
typedef uint64_t split;
typedef const struct gf_factor *factor;

#define LOAD(p)		  (*(const vec *)(const void *)(p))
#define STORE(p, v)	  (*(vec *)(void *)(p) = (v))
#define XOR(a, b)	  ((a) ^ (b))
#define OR(a, b)	  ((a) | (b))
#define ZERO()		  ((vec)0)
#define EACH_BYTE	  0x0101010101010101u
#define FILL(byte)	  ((vec)(byte) * EACH_BYTE)
#define IS_ZERO(v)	  ((v) == 0)
#define SPLIT(v)	  (v)
#define FACTOR(c)	 (&gf_factor[c])
#define MUL_ADD(s, f, p)  ((s) ^ word_multiply(f, p))
#define DOUBLE_ADD(v, d)  (word_double(v) ^ (d))
#define BIAS		  0
#define VECS(rows)	  ((rows) <= 2 ? 4 : 1)

/* The product with a bit of each byte, for all 8 bits: a word of ones and zeros times a byte has no carry. */
static inline vec word_multiply(factor by, vec word)
{
	vec product = 0;

	for (unsigned bit = 0; bit < 8; ++bit)
		product ^= (word >> bit & EACH_BYTE) * by->nibble[bit / 4][1u << bit % 4];
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
