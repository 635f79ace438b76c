/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MurmurHash3 of eight messages at once, one in each 32-bit lane. */
#if defined(__x86_64__) || defined(RAID_SIMDE)
#include <string.h>

#include "hash/kernel.h"
#include "hash/murmur3.h"
#include "raid/x86.h"

#define TARGET	X86_TARGET("avx2")
#define LANES	8
/* Filling and emptying a lane costs about as much as this many bytes by the scalar code. */
#define SHORT	256

#define GROUP	MURMUR3_GROUP
#define WORDS	4
#define whole	murmur3
#define start	murmur3_start
#define mix	murmur3_mix
#define finish(state, data, size, rest, digest)	murmur3_finish(state, data, size, digest)

typedef uint32_t word;
typedef uint32_t vec __attribute__((vector_size(32)));	/* a word of each lane */

struct state {
	word word[WORDS][LANES];
};

#define ROTATE(x, turn)	((x) << (turn) | (x) >> (32 - (turn)))

TARGET static inline __m256i load_two(const uint8_t *low, const uint8_t *high)
{
	__m128i a = _mm_loadu_si128((const __m128i *)(const void *)low);
	__m128i b = _mm_loadu_si128((const __m128i *)(const void *)high);

	return _mm256_blend_epi32(_mm256_castsi128_si256(a), _mm256_broadcastsi128_si256(b), 0xf0);
}

/* The four words of a group of all lanes: 4 x 4 words are transposed in both halves. */
TARGET static inline void load_group(const uint8_t *const p[LANES], size_t at, vec k[4])
{
	__m256i a = load_two(p[0] + at, p[4] + at), b = load_two(p[1] + at, p[5] + at);
	__m256i c = load_two(p[2] + at, p[6] + at), d = load_two(p[3] + at, p[7] + at);
	__m256i ab0 = _mm256_unpacklo_epi32(a, b), ab1 = _mm256_unpackhi_epi32(a, b);
	__m256i cd0 = _mm256_unpacklo_epi32(c, d), cd1 = _mm256_unpackhi_epi32(c, d);

	k[0] = (vec)_mm256_unpacklo_epi64(ab0, cd0);
	k[1] = (vec)_mm256_unpackhi_epi64(ab0, cd0);
	k[2] = (vec)_mm256_unpacklo_epi64(ab1, cd1);
	k[3] = (vec)_mm256_unpackhi_epi64(ab1, cd1);
}

#define STEP(i)                                                                                 \
	do {                                                                                    \
		k[i] *= murmur3_lane[i].first;                                                  \
		h[i] ^= ROTATE(k[i], murmur3_lane[i].turn_word) * murmur3_lane[i].second;       \
		h[i] = ROTATE(h[i], murmur3_lane[i].turn_state) + h[((i) + 1) % 4];             \
		h[i] = h[i] * 5 + murmur3_lane[i].add;                                          \
	} while (0)

TARGET static void mix_lanes(struct state *state, const uint8_t *const at[LANES], size_t groups)
{
	vec h[WORDS];

	memcpy(h, state->word, sizeof(h));
	for (size_t i = 0; i < groups; ++i) {
		vec k[4];

		load_group(at, i * GROUP, k);
		STEP(0);
		STEP(1);
		STEP(2);
		STEP(3);
	}
	memcpy(state->word, h, sizeof(h));
}

#include "hash/lanes.h"

const struct hash_kernel hash_kernel_murmur3_avx2 = {
	.name = "avx2", .kind = HASH_MURMUR3, .needs = X86_NEEDS(CPU_AVX2), .blocks = blocks_in_lanes,
};
#else
typedef int murmur3_avx2_is_for_x86;	/* a file must not be empty */
#endif
