/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GFNI on 512 bits: a product is one instruction, with an 8 x 8 matrix of bits. */
#if defined(__x86_64__) || defined(RAID_SIMDE)

#include "raid/x86.h"

#define ISA    gfni512
#define TARGET X86_TARGET("avx512f,avx512bw,gfni")

/* Clang 14 may fold a broadcast from memory into a product, and then encodes its displacement wrongly: the matrix would
 * be read from another place. So it has to be in a register. */
#if defined(__clang__) && !defined(RAID_SIMDE)
#define IN_REGISTER(v)                                                                                      \
	({                                                                                                  \
		__m512i v_ = (v);                                                                           \
		__asm__("" : "+v"(v_));                                                                     \
		v_;                                                                                         \
	})
#else
#define IN_REGISTER(v) (v)
#endif

typedef __m512i vec;
typedef vec split, factor;

#define LOAD(p)		 _mm512_load_si512((const void *)(p))
#define STORE(p, v)	 _mm512_store_si512((void *)(p), v)
#define XOR(a, b)	 _mm512_xor_si512(a, b)
#define XOR3(a, b, c)	 _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define OR(a, b)	 _mm512_or_si512(a, b)
#define ZERO()		 _mm512_setzero_si512()
#define FILL(byte)	 _mm512_set1_epi8((char)(byte))
#define IS_ZERO(v)	 (_mm512_test_epi64_mask(v, v) == 0)
#define SPLIT(v)	 (v)
#define FACTOR(c)	 IN_REGISTER(_mm512_set1_epi64((long long)gf_affine[c]))
#define MUL_ADD(s, f, p) XOR(s, _mm512_gf2p8affine_epi64_epi8(p, f, 0))
#define DOUBLE_ADD(v, d) XOR(d, _mm512_gf2p8affine_epi64_epi8(v, FACTOR(2), 0))
#define BIAS		 0
#define VECS(rows)	 ((rows) <= 2 ? 4 : 2) /* of 32 registers */
/* With 1 and 2 rows a step takes so much of each block that passes do not pay. */
#define PASS_TERMS(rows) ((rows) <= 2 ? RAID_TERM_MAX : 8)

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_gfni512 = RAID_KERNEL_ROW("gfni512", X86_NEEDS(CPU_AVX512BW | CPU_GFNI));

#else
typedef int raid_kernel_gfni512_is_for_x86; /* a file must not be empty */
#endif
