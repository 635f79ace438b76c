/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SpookyHash V2 of several messages at once, one in each 64-bit lane; included once by each of its kernels,
 * which defines before
 *
 *	TARGET, LANES, SHORT
 *	vec, half		a word of each lane; the type of the intrinsics
 *	LOAD_EVEN(at), LOAD_ODD(at)	two consecutive words of messages 0, 2.. and of 1, 3.., at WORD(k, at)
 *	UNPACK_LOW(a, b), UNPACK_HIGH(a, b) */
#include "hash/kernel.h"
#include "hash/spooky2.h"

#define GROUP	SPOOKY2_GROUP
#define WORDS	SPOOKY2_WORDS
#define whole	spooky2
#define start	spooky2_start
#define mix	spooky2_mix
#define finish(state, data, size, rest, digest)	spooky2_finish(state, data, rest, digest)

typedef uint64_t word;

struct state {
	word word[WORDS][LANES];
};

/* Message k. One moving pointer and distances from it are fewer registers to move than pointers. */
#define WORD(k, at)	((const __m128i *)(const void *)(p + (at) + distance[k]))

/* Mix words i and i + 1, i even. */
#define STEP_PAIR(i, turn0, turn1)                                           \
	do {                                                                 \
		half x = LOAD_EVEN(8 * (i)), y = LOAD_ODD(8 * (i));          \
		SPOOKY2_STEP(s, (i), (vec)UNPACK_LOW(x, y), turn0);          \
		SPOOKY2_STEP(s, ((i) + 1), (vec)UNPACK_HIGH(x, y), turn1);   \
	} while (0)

TARGET static void mix_lanes(struct state *state, const uint8_t *const at[LANES], size_t groups)
{
	const uint8_t *p = at[0], *end = p + groups * GROUP;
	ptrdiff_t distance[LANES];
	vec s[WORDS];

	for (unsigned k = 0; k < LANES; ++k)
		distance[k] = at[k] - p;
	memcpy(s, state->word, sizeof(s));
	for (; p != end; p += GROUP) {
		STEP_PAIR(0, 11, 32);
		STEP_PAIR(2, 43, 31);
		STEP_PAIR(4, 17, 28);
		STEP_PAIR(6, 39, 57);
		STEP_PAIR(8, 55, 54);
		STEP_PAIR(10, 22, 46);
	}
	memcpy(state->word, s, sizeof(s));
}

#include "hash/lanes.h"
