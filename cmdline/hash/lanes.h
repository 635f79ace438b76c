/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How messages of different lengths share the lanes of vectors; written once, included once by each kernel,
 * which defines before
 *
 *	LANES			messages at once
 *	GROUP, WORDS, word	bytes mixed at a time; the words of a state, and their type
 *	SHORT			a message of fewer bytes is left to the scalar code
 *	whole(seed, data, size, digest)			the scalar code
 *	start(state, seed), mix(state, data, groups)	the same in parts, for one message
 *	finish(state, data, size, rest, digest)		`rest` bytes, fewer than a group, are left
 *	mix_lanes(struct state *, const uint8_t *const at[LANES], size_t groups)
 *
 * All lanes run as far as the shortest goes, and the lane that ends takes the next message of the queue. A lane
 * without work repeats another one's. */
#include "hash/kernel.h"

struct lane {
	struct hash_task *task;		/* NULL: no work */
	const uint8_t *at;
	size_t groups;			/* still to do */
};

/* Give each lane without work the next message that is worth it; hash the others on the way. Returns how
 * many tasks of the queue were taken. */
static unsigned fill_lanes(struct lane lane[LANES], struct state *state, const uint8_t seed[16],
			   struct hash_task *const *tasks, unsigned count)
{
	word first[WORDS];
	unsigned taken = 0;

	for (unsigned k = 0; k < LANES; ++k) {
		while (lane[k].task == NULL && taken < count) {
			struct hash_task *task = tasks[taken++];

			if (task->size < SHORT) {
				whole(seed, task->data, task->size, task->digest);
				continue;
			}
			lane[k] = (struct lane){ task, task->data, task->size / GROUP };
			start(first, seed);
			for (unsigned i = 0; i < WORDS; ++i)
				state->word[i][k] = first[i];
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
			lane[k].at += groups * GROUP;
			lane[k].groups -= groups;
		}
	}
}

/* Do by scalar code what lane k has still to do, at least the end of the message. */
static void finish_lane(struct lane *lane, const struct state *state, unsigned k)
{
	struct hash_task *task = lane->task;
	word own[WORDS];

	for (unsigned i = 0; i < WORDS; ++i)
		own[i] = state->word[i][k];
	mix(own, lane->at, lane->groups);
	lane->at += lane->groups * GROUP;
	finish(own, lane->at, task->size, task->size % GROUP, task->digest);
	lane->task = NULL;
}

static void blocks_in_lanes(const uint8_t seed[16], struct hash_task *const *tasks, unsigned count)
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
