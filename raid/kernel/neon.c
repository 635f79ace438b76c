/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NEON: 16 bytes a vector, a product by two table lookups, 5 operations; one with x to x^4 by a polynomial
 * multiplication, 4. What is below a run of columns that changed is such a product. */
#if defined(__aarch64__)

#include <arm_neon.h>

#include "raid/cpu.h"

#define ISA    neon
#define TARGET

typedef uint8x16_t vec;
typedef vec __attribute__((may_alias)) any; /* read through it, an address needs no instruction of its own */

typedef struct {
	vec low;
	vec high;
} split, factor;

#define LOAD(p)		 (*(const any *)(const void *)(p))
#define STORE(p, v)	 (*(any *)(void *)(p) = (v))
#define XOR(a, b)	 veorq_u8(a, b)
#define OR(a, b)	 vorrq_u8(a, b)
#define ZERO()		 vdupq_n_u8(0)
#define FILL(byte)	 vdupq_n_u8(byte)
#define IS_ZERO(v)	 (vmaxvq_u8(v) == 0)
#define SPLIT(v)	 ((split){ vandq_u8(v, FILL(0x0f)), vshrq_n_u8(v, 4) })
#define TABLE(t)	 LOAD(t)
#define LOOKUP(t, s)	 vqtbl1q_u8(t, s)
#define FACTOR(c)	 ((factor){ TABLE(gf_factor[c].nibble[0]), TABLE(gf_factor[c].nibble[1]) })
#define MUL_ADD(s, f, p) XOR3(s, LOOKUP((f).low, (p).low), LOOKUP((f).high, (p).high))

/* All bits of a byte are its top bit, after a shift with sign. */
#define TOP_BITS(v)	 vreinterpretq_u8_s8(vshrq_n_s8(vreinterpretq_s8_u8(v), 7))
#define DOUBLE_ADD(v, d) XOR3(vshlq_n_u8(v, 1), vandq_u8(TOP_BITS(v), FILL(0x1d)), d)
#define BIAS		 0
/* What leaves the byte at the top comes back as a multiple of 0x1d, of 3 + 4 bits at most: n up to 4. A negative
 * distance shifts to the right. */
#define TOP_PART(v, n)	 vreinterpretq_p8_u8(vshlq_u8(v, vdupq_n_s8((signed char)((n) - 8))))
#define RETURNED(v, n)	 vreinterpretq_u8_p8(vmulq_p8(TOP_PART(v, n), vdupq_n_p8(0x1d)))
#define TIMES_POWER(v, n) XOR(vshlq_u8(v, vdupq_n_s8((signed char)(n))), RETURNED(v, n))
/* Of 32 registers; the table in doc/parity.md has the others. */
#define VECS(rows)	 ((rows) == 1 ? 8 : (rows) <= 4 ? 4 : 2)

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_neon = RAID_KERNEL_ROW("neon", CPU_NEON);

#else
typedef int raid_kernel_neon_is_for_arm; /* a file must not be empty */
#endif
