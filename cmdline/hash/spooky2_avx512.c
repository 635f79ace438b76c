/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SpookyHash V2 of eight messages at once. */
#if defined(__x86_64__) || defined(RAID_SIMDE)
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "raid/x86.h"

#define TARGET	X86_TARGET("avx512f,avx512bw,avx512vl")
#define LANES	8
/* Filling and emptying a lane costs about as much as this many bytes by the scalar code. */
#define SHORT	1024

typedef uint64_t vec __attribute__((vector_size(64)));
typedef __m512i half;

TARGET static inline half load_four(const __m128i *a, const __m128i *b, const __m128i *c, const __m128i *d)
{
	half x = _mm512_broadcast_i32x4(_mm_loadu_si128(a));

	x = _mm512_mask_broadcast_i32x4(x, 0x00f0, _mm_loadu_si128(b));
	x = _mm512_mask_broadcast_i32x4(x, 0x0f00, _mm_loadu_si128(c));
	return _mm512_mask_broadcast_i32x4(x, 0xf000, _mm_loadu_si128(d));
}

#define LOAD_EVEN(at)	load_four(WORD(0, at), WORD(2, at), WORD(4, at), WORD(6, at))
#define LOAD_ODD(at)	load_four(WORD(1, at), WORD(3, at), WORD(5, at), WORD(7, at))
#define UNPACK_LOW	_mm512_unpacklo_epi64
#define UNPACK_HIGH	_mm512_unpackhi_epi64

#include "hash/spooky2_lanes.h"

const struct hash_kernel hash_kernel_spooky2_avx512 = {
	.name = "avx512", .kind = HASH_SPOOKY2, .needs = X86_NEEDS(CPU_AVX512BW), .blocks = blocks_in_lanes,
};
#else
typedef int spooky2_avx512_is_for_x86;	/* a file must not be empty */
#endif
