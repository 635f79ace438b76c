/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AVX-512: 64 bytes a vector, a product by two shuffles, three operands to an XOR. */
#if defined(__x86_64__) || defined(RAID_SIMDE)

#include "raid/x86.h"

#define ISA    avx512
#define TARGET X86_TARGET("avx512f,avx512bw")

typedef __m512i vec;

typedef struct {
	vec low;
	vec high;
} split, factor;

#define LOAD(p)		 _mm512_load_si512((const void *)(p))
#define STORE(p, v)	 _mm512_store_si512((void *)(p), v)
#define XOR(a, b)	 _mm512_xor_si512(a, b)
#define XOR3(a, b, c)	 _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define OR(a, b)	 _mm512_or_si512(a, b)
#define ZERO()		 _mm512_setzero_si512()
#define FILL(byte)	 _mm512_set1_epi8((char)(byte))
#define IS_ZERO(v)	 (_mm512_test_epi64_mask(v, v) == 0)
#define LOW_HALF(v)	 _mm512_and_si512(v, FILL(0x0f))
#define SPLIT(v)	 ((split){ LOW_HALF(v), LOW_HALF(_mm512_srli_epi16(v, 4)) })
#define TABLE(t)	 _mm512_broadcast_i32x4(_mm_load_si128((const __m128i *)(const void *)(t)))
#define LOOKUP(t, s)	 _mm512_shuffle_epi8(t, s)
#define FACTOR(c)	 ((factor){ TABLE(gf_factor[c].nibble[0]), TABLE(gf_factor[c].nibble[1]) })
#define MUL_ADD(s, f, p) XOR3(s, LOOKUP((f).low, (p).low), LOOKUP((f).high, (p).high))

/* A shuffle gives 0 where the top bit of the index is set: of a table full of 0x1d it takes the reduction
 * for all the bytes that need none. So 0x1d is added to every byte, and BIAS = 2 * BIAS + 0x1d. */
#define DOUBLE_ADD(v, d) XOR3(_mm512_add_epi8(v, v), _mm512_shuffle_epi8(FILL(0x1d), v), d)
#define BIAS		 0x0b
#define VECS(rows)	 ((rows) <= 2 ? 4 : 2) /* of 32 registers */
/* With 1 and 2 rows a step takes so much of each block that passes do not pay. */
#define PASS_TERMS(rows) ((rows) <= 2 ? RAID_TERM_MAX : 8)

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_avx512 = RAID_KERNEL_ROW("avx512", X86_NEEDS(CPU_AVX512BW));

#else
typedef int raid_kernel_avx512_is_for_x86; /* a file must not be empty */
#endif
