/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NEON: 16 bytes a vector, a product by two table lookups.
 *
 * There is no use for the polynomial multiplication: a product with any constant is 5 operations this way,
 * and one by x^4 is 4 with it. What is below a run of columns that changed is one such product. */
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
/* Of 32 registers; the table in doc/parity.md has the others. */
#define VECS(rows)	 ((rows) == 1 ? 8 : (rows) <= 4 ? 4 : 2)

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_neon = RAID_KERNEL_ROW("neon", CPU_NEON);

#else
typedef int raid_kernel_neon_is_for_arm; /* a file must not be empty */
#endif
