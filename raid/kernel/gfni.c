/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GFNI on 256 bits: a product is one instruction, with an 8 x 8 matrix of bits. */
#if defined(__x86_64__) || defined(RAID_SIMDE)

#include "raid/x86.h"

#define ISA    gfni
#define TARGET X86_TARGET("avx2,gfni")

typedef __m256i vec;
typedef vec split, factor;

#define LOAD(p)		 _mm256_load_si256((const vec *)(const void *)(p))
#define STORE(p, v)	 _mm256_store_si256((vec *)(void *)(p), v)
#define XOR(a, b)	 _mm256_xor_si256(a, b)
#define OR(a, b)	 _mm256_or_si256(a, b)
#define ZERO()		 _mm256_setzero_si256()
#define FILL(byte)	 _mm256_set1_epi8((char)(byte))
#define IS_ZERO(v)	 (_mm256_testz_si256(v, v))
#define SPLIT(v)	 (v)
#define FACTOR(c)	 _mm256_set1_epi64x((long long)gf_affine[c])
#define MUL_ADD(s, f, p) XOR(s, _mm256_gf2p8affine_epi64_epi8(p, f, 0))
#define DOUBLE_ADD(v, d) XOR(d, _mm256_gf2p8affine_epi64_epi8(v, FACTOR(2), 0))
#define BIAS		 0
#define VECS(rows)	 ((rows) <= 2 ? 4 : 2)

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_gfni = RAID_KERNEL_ROW("gfni", X86_NEEDS(CPU_AVX2 | CPU_GFNI));

#else
typedef int raid_kernel_gfni_is_for_x86; /* a file must not be empty */
#endif
