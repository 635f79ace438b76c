/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AVX2: 32 bytes a vector, a product by two shuffles. */
#if defined(__x86_64__) || defined(RAID_SIMDE)

#include "raid/x86.h"

#define ISA    avx2
#define TARGET X86_TARGET("avx2")

typedef __m256i vec;

typedef struct {
	vec low;
	vec high;
} split, factor;

/* Clang has the sums of 3, 5 and 6 levels in memory without it, and takes up to 1.4 times as long. */
#if !defined(RAID_SIMDE)
#define KEEP(v) __asm__("" : "+x"(v))
#else
#define KEEP(v) (void)(v)
#endif

#define LOAD(p)		 _mm256_load_si256((const vec *)(const void *)(p))
#define STORE(p, v)	 _mm256_store_si256((vec *)(void *)(p), v)
#define XOR(a, b)	 _mm256_xor_si256(a, b)
#define OR(a, b)	 _mm256_or_si256(a, b)
#define ZERO()		 _mm256_setzero_si256()
#define FILL(byte)	 _mm256_set1_epi8((char)(byte))
#define IS_ZERO(v)	 (_mm256_testz_si256(v, v))
/* With 4 rows of two vectors the registers are just enough if the mask is not kept in one: 1.15 times faster. */
static const volatile vec low_mask = {
	0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f,
};

static inline __attribute__((always_inline)) TARGET split split_masked(vec v, vec mask)
{
	return (split){ _mm256_and_si256(v, mask), _mm256_and_si256(_mm256_srli_epi16(v, 4), mask) };
}

#define SPLIT_IN(rows, v) split_masked(v, (rows) == 4 ? low_mask : FILL(0x0f))
#define SPLIT(v)	 split_masked(v, FILL(0x0f))
#define TABLE(t)	 _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)(const void *)(t)))
#define LOOKUP(t, s)	 _mm256_shuffle_epi8(t, s)
#define FACTOR(c)	 ((factor){ TABLE(gf_factor[c].nibble[0]), TABLE(gf_factor[c].nibble[1]) })

/* In this order a product takes one register beside the sum; compilers would rather add both halves first, and then put a
 * sum into memory: 4 levels 1.1 times faster. */
static inline __attribute__((always_inline)) TARGET vec add_product(vec s, factor f, split p)
{
	s = XOR(s, LOOKUP(f.low, p.low));
	KEEP(s);
	return XOR(s, LOOKUP(f.high, p.high));
}

#define MUL_ADD(s, f, p) add_product(s, f, p)

/* A shuffle gives 0 where the top bit of the index is set: of a table full of 0x1d it takes the reduction
 * for all the bytes that need none. So 0x1d is added to every byte, and BIAS = 2 * BIAS + 0x1d. */
#define DOUBLE_ADD(v, d) XOR3(_mm256_add_epi8(v, v), _mm256_shuffle_epi8(FILL(0x1d), v), d)
#define BIAS		 0x0b
/* 128 bytes a step pay off in loads of the terms, and hide the latency of doubling: 1.3 times faster with two rows
 * than 64. 6 rows of one vector fill the registers. */
#define VECS(rows)	 ((rows) <= 2 ? 4 : (rows) <= 4 ? 2 : 1)
/* From the third cache 1.03 times faster with 4 blocks, 1.10 with 8; with vectors of 512 bits it is not. */
#define XOR_AHEAD	 256

#include "raid/kernel/loop.h"

const struct raid_kernel raid_kernel_avx2 = RAID_KERNEL_ROW("avx2", X86_NEEDS(CPU_AVX2));

#else
typedef int raid_kernel_avx2_is_for_x86; /* a file must not be empty */
#endif
