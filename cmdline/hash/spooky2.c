/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hash/spooky2.h"

#include "base/le.h"
#include "hash/kernel.h"

void spooky2_start(uint64_t state[SPOOKY2_WORDS], const uint8_t seed[16])
{
	for (unsigned i = 0; i < SPOOKY2_WORDS; i += 3) {
		state[i] = le64_load(seed);
		state[i + 1] = le64_load(seed + 8);
		state[i + 2] = UINT64_C(0xdeadbeefdeadbeef);
	}
}

void spooky2_mix(uint64_t state[SPOOKY2_WORDS], const uint8_t *data, size_t groups)
{
	const uint8_t *end = data + groups * SPOOKY2_GROUP;
	uint64_t s[SPOOKY2_WORDS];

	memcpy(s, state, sizeof(s));
	for (; data != end; data += SPOOKY2_GROUP) {
		SPOOKY2_STEP(s, 0, le64_load(data), 11);
		SPOOKY2_STEP(s, 1, le64_load(data + 8), 32);
		SPOOKY2_STEP(s, 2, le64_load(data + 16), 43);
		SPOOKY2_STEP(s, 3, le64_load(data + 24), 31);
		SPOOKY2_STEP(s, 4, le64_load(data + 32), 17);
		SPOOKY2_STEP(s, 5, le64_load(data + 40), 28);
		SPOOKY2_STEP(s, 6, le64_load(data + 48), 39);
		SPOOKY2_STEP(s, 7, le64_load(data + 56), 57);
		SPOOKY2_STEP(s, 8, le64_load(data + 64), 55);
		SPOOKY2_STEP(s, 9, le64_load(data + 72), 54);
		SPOOKY2_STEP(s, 10, le64_load(data + 80), 22);
		SPOOKY2_STEP(s, 11, le64_load(data + 88), 46);
	}
	memcpy(state, s, sizeof(s));
}

void spooky2_finish(uint64_t state[SPOOKY2_WORDS], const uint8_t *tail, size_t rest, uint8_t digest[16])
{
	static const unsigned turn[SPOOKY2_WORDS] = { 44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54 };
	uint8_t last[SPOOKY2_GROUP] = { 0 };

	if (rest > 0)
		memcpy(last, tail, rest);
	last[SPOOKY2_GROUP - 1] = (uint8_t)rest;
	for (unsigned i = 0; i < SPOOKY2_WORDS; ++i)
		state[i] += le64_load(last + 8 * i);
	for (unsigned round = 0; round < 3; ++round) {
		for (unsigned i = 0; i < SPOOKY2_WORDS; ++i) {
			uint64_t *next = &state[(i + 1) % 12], *before = &state[(i + 11) % 12];

			*before += *next;
			state[(i + 2) % 12] ^= *before;
			*next = SPOOKY2_ROTATE(*next, turn[i]);
		}
	}
	le64_store(digest, state[0]);
	le64_store(digest + 8, state[1]);
}

void spooky2(const uint8_t seed[16], const void *data, size_t size, uint8_t digest[16])
{
	const size_t groups = size / SPOOKY2_GROUP;
	uint64_t state[SPOOKY2_WORDS];

	spooky2_start(state, seed);
	spooky2_mix(state, data, groups);
	spooky2_finish(state, (const uint8_t *)data + groups * SPOOKY2_GROUP, size % SPOOKY2_GROUP, digest);
}

static void blocks_scalar(const uint8_t seed[16], struct hash_task *const *tasks, unsigned count)
{
	for (unsigned i = 0; i < count; ++i)
		spooky2(seed, tasks[i]->data, tasks[i]->size, tasks[i]->digest);
}

const struct hash_kernel hash_kernel_spooky2 = {
	.name = "scalar", .kind = HASH_SPOOKY2, .needs = 0, .blocks = blocks_scalar,
};
