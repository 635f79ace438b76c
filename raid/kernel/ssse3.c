/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SSSE3: 16 bytes a vector, a product by two shuffles. */
#if defined(__x86_64__) || defined(RAID_SIMDE)

#include "raid/x86.h"

#define ISA    ssse3
#define TARGET X86_TARGET("ssse3")

typedef __m128i vec;

typedef struct {
	vec low;
	vec high;
} split, factor;

#define LOAD(p)		 _mm_load_si128((const vec *)(const void *)(p))
#define STORE(p, v)	 _mm_store_si128((vec *)(void *)(p), v)
#define XOR(a, b)	 _mm_xor_si128(a, b)
#define OR(a, b)	 _mm_or_si128(a, b)
#define ZERO()		 _mm_setzero_si128()
#define FILL(byte)	 _mm_set1_epi8((char)(byte))
#define IS_ZERO(v)	 (_mm_movemask_epi8(_mm_cmpeq_epi8(v, ZERO())) == 0xffff)
#define LOW_HALF(v)	 _mm_and_si128(v, FILL(0x0f))
#define SPLIT(v)	 ((split){ LOW_HALF(v), LOW_HALF(_mm_srli_epi16(v, 4)) })
#define TABLE(t)	 _mm_load_si128((const __m128i *)(const void *)(t))
#define LOOKUP(t, s)	 _mm_shuffle_epi8(t, s)
#define FACTOR(c)	 ((factor){ TABLE(gf_factor[c].nibble[0]), TABLE(gf_factor[c].nibble[1]) })
#define MUL_ADD(s, f, p) XOR3(s, LOOKUP((f).low, (p).low), LOOKUP((f).high, (p).high))

/* A shuffle gives 0 where the top bit of the index is set: of a table full of 0x1d it takes the reduction
 * for all the bytes that need none. So 0x1d is added to every byte, and BIAS = 2 * BIAS + 0x1d. */
#define DOUBLE_ADD(v, d) XOR3(_mm_add_epi8(v, v), _mm_shuffle_epi8(FILL(0x1d), v), d)
#define BIAS		 0x0b
#define VECS(rows)	 ((rows) <= 2 ? 4 : (rows) <= 4 ? 2 : 1)

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_ssse3 = RAID_KERNEL_ROW("ssse3", X86_NEEDS(CPU_SSSE3));

#else
typedef int raid_kernel_ssse3_is_for_x86; /* a file must not be empty */
#endif
