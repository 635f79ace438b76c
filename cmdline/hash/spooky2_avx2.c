/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SpookyHash V2 of four messages at once, one in each 64-bit lane.
 *
 * The messages may have different lengths: the four lanes run as far as the shortest goes, and the lane
 * that ends takes the next message of the queue. A lane without work repeats another one's. */
#if defined(__x86_64__)
#include "hash/spooky2.h"

#include <immintrin.h>
#include <string.h>

#include "hash/kernel.h"
#include "raid/cpu.h"

#define TARGET	__attribute__((target("avx2")))
#define LANES	4
/* Filling and emptying a lane costs about as much as this many bytes by the scalar code. */
#define SHORT	1024

typedef uint64_t vec __attribute__((vector_size(32)));	/* a word of each lane */

struct state {
	uint64_t word[SPOOKY2_WORDS][LANES];
};

struct lane {
	struct hash_task *task;		/* NULL: no work */
	const uint8_t *at;
	size_t groups;			/* still to do */
};

/* Two consecutive words of two messages: those of `low` in the lower half. A broadcasting load and a blend
 * may use more ports of the CPU than an insert: 12% faster, measured on Zen 3. */
TARGET static inline __m256i load_two(const uint8_t *low, const uint8_t *high)
{
	__m128i a = _mm_loadu_si128((const __m128i *)low);
	__m128i b = _mm_loadu_si128((const __m128i *)high);

	return _mm256_blend_epi32(_mm256_castsi128_si256(a), _mm256_broadcastsi128_si256(b), 0xf0);
}

/* Mix words i and i + 1, i even, of the group at `p` and at the three distances from it. */
#define STEP_PAIR(i, turn0, turn1)                                                             \
	do {                                                                                   \
		__m256i x = load_two(p + 8 * (i), p + 8 * (i) + d2);                           \
		__m256i y = load_two(p + 8 * (i) + d1, p + 8 * (i) + d3);                      \
		SPOOKY2_STEP(s, (i), (vec)_mm256_unpacklo_epi64(x, y), turn0);                 \
		SPOOKY2_STEP(s, ((i) + 1), (vec)_mm256_unpackhi_epi64(x, y), turn1);           \
	} while (0)

TARGET static void mix_lanes(struct state *state, const uint8_t *const at[LANES], size_t groups)
{
	const uint8_t *p = at[0], *end = p + groups * SPOOKY2_GROUP;
	/* One moving pointer and three distances are fewer registers than four pointers. */
	const ptrdiff_t d1 = at[1] - p, d2 = at[2] - p, d3 = at[3] - p;
	vec s[SPOOKY2_WORDS];

	memcpy(s, state->word, sizeof(s));
	for (; p != end; p += SPOOKY2_GROUP) {
		STEP_PAIR(0, 11, 32);
		STEP_PAIR(2, 43, 31);
		STEP_PAIR(4, 17, 28);
		STEP_PAIR(6, 39, 57);
		STEP_PAIR(8, 55, 54);
		STEP_PAIR(10, 22, 46);
	}
	memcpy(state->word, s, sizeof(s));
}

/* Give each lane without work the next message that is worth it; hash the others on the way. Returns how
 * many tasks of the queue were taken. */
static unsigned fill_lanes(struct lane lane[LANES], struct state *state, const uint8_t seed[16],
			   struct hash_task *const *tasks, unsigned count)
{
	uint64_t start[SPOOKY2_WORDS];
	unsigned taken = 0;

	for (unsigned k = 0; k < LANES; ++k) {
		while (lane[k].task == NULL && taken < count) {
			struct hash_task *task = tasks[taken++];

			if (task->size < SHORT) {
				spooky2(seed, task->data, task->size, task->digest);
				continue;
			}
			lane[k] = (struct lane){ task, task->data, task->size / SPOOKY2_GROUP };
			spooky2_start(start, seed);
			for (unsigned i = 0; i < SPOOKY2_WORDS; ++i)
				state->word[i][k] = start[i];
		}
	}
	return taken;
}

/* Run all lanes as far as the shortest goes. */
static void run_lanes(struct lane lane[LANES], struct state *state, const struct lane *busy)
{
	const uint8_t *at[LANES];
	size_t groups = busy->groups;

	for (unsigned k = 0; k < LANES; ++k) {
		const struct lane *from = lane[k].task != NULL ? &lane[k] : busy;

		at[k] = from->at;
		if (from->groups < groups)
			groups = from->groups;
	}
	mix_lanes(state, at, groups);
	for (unsigned k = 0; k < LANES; ++k) {
		if (lane[k].task != NULL) {
			lane[k].at += groups * SPOOKY2_GROUP;
			lane[k].groups -= groups;
		}
	}
}

/* Do by scalar code what lane k has still to do, at least the end of the message. */
static void finish_lane(struct lane *lane, const struct state *state, unsigned k)
{
	struct hash_task *task = lane->task;
	uint64_t own[SPOOKY2_WORDS];

	for (unsigned i = 0; i < SPOOKY2_WORDS; ++i)
		own[i] = state->word[i][k];
	spooky2_mix(own, lane->at, lane->groups);
	lane->at += lane->groups * SPOOKY2_GROUP;
	spooky2_finish(own, lane->at, task->size % SPOOKY2_GROUP, task->digest);
	lane->task = NULL;
}

static void blocks_avx2(const uint8_t seed[16], struct hash_task *const *tasks, unsigned count)
{
	struct lane lane[LANES] = { { .task = NULL } };
	struct state state = { .word = { { 0 } } };
	unsigned next = 0;

	for (;;) {
		const struct lane *busy = NULL;
		unsigned live = 0;

		next += fill_lanes(lane, &state, seed, tasks + next, count - next);
		for (unsigned k = 0; k < LANES; ++k) {
			if (lane[k].task != NULL) {
				busy = &lane[k];
				++live;
			}
		}
		if (live == 0)
			return;
		if (live > 1)	/* alone, the scalar code is faster */
			run_lanes(lane, &state, busy);
		for (unsigned k = 0; k < LANES; ++k)
			if (lane[k].task != NULL && (lane[k].groups == 0 || live == 1))
				finish_lane(&lane[k], &state, k);
	}
}

const struct hash_kernel hash_kernel_spooky2_avx2 = {
	.name = "avx2", .kind = HASH_SPOOKY2, .needs = CPU_AVX2, .blocks = blocks_avx2,
};
#endif
