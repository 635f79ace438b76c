/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SSE2: 16 bytes a vector. There is no shuffle of bytes, so a product is one of each bit, with a mask. */
#if defined(__x86_64__) || defined(RAID_SIMDE)

#include "raid/gf.h"
#include "raid/x86.h"

#define ISA    sse2
#define TARGET X86_TARGET("sse2")

typedef __m128i vec;
typedef vec split;
typedef const struct gf_factor *factor;

#define LOAD(p)		 _mm_load_si128((const vec *)(const void *)(p))
#define STORE(p, v)	 _mm_store_si128((vec *)(void *)(p), v)
#define XOR(a, b)	 _mm_xor_si128(a, b)
#define OR(a, b)	 _mm_or_si128(a, b)
#define ZERO()		 _mm_setzero_si128()
#define FILL(byte)	 _mm_set1_epi8((char)(byte))
#define IS_ZERO(v)	 (_mm_movemask_epi8(_mm_cmpeq_epi8(v, ZERO())) == 0xffff)
#define SPLIT(v)	 (v)
#define FACTOR(c)	 (&gf_factor[c])
#define MUL_ADD(s, f, p) XOR(s, multiply(f, p))
#define TOP_BITS(v)	 _mm_cmpgt_epi8(ZERO(), v)
#define DOUBLE_ADD(v, d) XOR3(_mm_add_epi8(v, v), _mm_and_si128(TOP_BITS(v), FILL(0x1d)), d)
#define BIAS		 0
#define VECS(rows)	 ((rows) <= 2 ? 4 : (rows) <= 4 ? 2 : 1)

/* From the highest bit down: its product where it is set, then the next bit moves up. */
TARGET static inline vec multiply(factor by, vec v)
{
	vec product = ZERO();

	for (int bit = 7; bit >= 0; --bit) {
		vec part = FILL(by->nibble[bit / 4][1 << bit % 4]);

		product = XOR(product, _mm_and_si128(TOP_BITS(v), part));
		v = _mm_add_epi8(v, v);
	}
	return product;
}

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_sse2 = RAID_KERNEL_ROW("sse2", X86_NEEDS(CPU_SSE2));

#else
typedef int raid_kernel_sse2_is_for_x86; /* a file must not be empty */
#endif
