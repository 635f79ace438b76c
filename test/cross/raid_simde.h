/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intrinsics that raid/kernel/ and hash/ use, by SIMDe. A name that is missing here fails to compile. */
#ifndef TEST_CROSS_RAID_SIMDE_H
#define TEST_CROSS_RAID_SIMDE_H

#include <simde/x86/avx512.h>
#include <simde/x86/gfni.h>

#define __m128i simde__m128i
#define __m256i simde__m256i
#define __m512i simde__m512i
#define _mm256_add_epi8 simde_mm256_add_epi8
#define _mm256_and_si256 simde_mm256_and_si256
#define _mm256_blend_epi32 simde_mm256_blend_epi32
#define _mm256_broadcastsi128_si256 simde_mm256_broadcastsi128_si256
#define _mm256_castsi128_si256 simde_mm256_castsi128_si256
#define _mm256_gf2p8affine_epi64_epi8 simde_mm256_gf2p8affine_epi64_epi8
#define _mm256_load_si256 simde_mm256_load_si256
#define _mm256_or_si256 simde_mm256_or_si256
#define _mm256_set1_epi64x simde_mm256_set1_epi64x
#define _mm256_set1_epi8 simde_mm256_set1_epi8
#define _mm256_setzero_si256 simde_mm256_setzero_si256
#define _mm256_shuffle_epi8 simde_mm256_shuffle_epi8
#define _mm256_srli_epi16 simde_mm256_srli_epi16
#define _mm256_store_si256 simde_mm256_store_si256
#define _mm256_unpackhi_epi32 simde_mm256_unpackhi_epi32
#define _mm256_unpackhi_epi64 simde_mm256_unpackhi_epi64
#define _mm256_unpacklo_epi32 simde_mm256_unpacklo_epi32
#define _mm256_unpacklo_epi64 simde_mm256_unpacklo_epi64
#define _mm256_xor_si256 simde_mm256_xor_si256
#define _mm512_add_epi8 simde_mm512_add_epi8
#define _mm512_and_si512 simde_mm512_and_si512
#define _mm512_broadcast_i32x4 simde_mm512_broadcast_i32x4
#define _mm512_gf2p8affine_epi64_epi8 simde_mm512_gf2p8affine_epi64_epi8
#define _mm512_load_si512 simde_mm512_load_si512
#define _mm512_mask_broadcast_i32x4 simde_mm512_mask_broadcast_i32x4
#define _mm512_or_si512 simde_mm512_or_si512
#define _mm512_set1_epi64 simde_mm512_set1_epi64
#define _mm512_set1_epi8 simde_mm512_set1_epi8
#define _mm512_setzero_si512 simde_mm512_setzero_si512
#define _mm512_shuffle_epi8 simde_mm512_shuffle_epi8
#define _mm512_srli_epi16 simde_mm512_srli_epi16
#define _mm512_store_si512 simde_mm512_store_si512
#define _mm512_ternarylogic_epi64 simde_mm512_ternarylogic_epi64
#define _mm512_test_epi64_mask simde_mm512_test_epi64_mask
#define _mm512_unpackhi_epi64 simde_mm512_unpackhi_epi64
#define _mm512_unpacklo_epi64 simde_mm512_unpacklo_epi64
#define _mm512_xor_si512 simde_mm512_xor_si512
#define _mm_add_epi8 simde_mm_add_epi8
#define _mm_and_si128 simde_mm_and_si128
#define _mm_cmpeq_epi8 simde_mm_cmpeq_epi8
#define _mm_cmpgt_epi8 simde_mm_cmpgt_epi8
#define _mm_load_si128 simde_mm_load_si128
#define _mm_loadu_si128 simde_mm_loadu_si128
#define _mm_movemask_epi8 simde_mm_movemask_epi8
#define _mm_or_si128 simde_mm_or_si128
#define _mm_set1_epi8 simde_mm_set1_epi8
#define _mm_setzero_si128 simde_mm_setzero_si128
#define _mm_shuffle_epi8 simde_mm_shuffle_epi8
#define _mm_srli_epi16 simde_mm_srli_epi16
#define _mm_store_si128 simde_mm_store_si128
#define _mm_xor_si128 simde_mm_xor_si128

/* That of SIMDe 0.7.4 says "zero" of any single bit. */
static inline int shim_testz_si256(simde__m256i a, simde__m256i b)
{
	unsigned long long word[4];

	simde_mm256_storeu_si256((simde__m256i *)(void *)word, simde_mm256_and_si256(a, b));
	return (word[0] | word[1] | word[2] | word[3]) == 0;
}
#define _mm256_testz_si256 shim_testz_si256

#endif
