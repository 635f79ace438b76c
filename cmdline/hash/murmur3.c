/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MurmurHash3 for x86, 128 bit, with a seed of 128 bits: the four words of the state start as the four
 * words of the seed. All words are little-endian, all arithmetic is modulo 2^32. */
#include "hash/murmur3.h"

#include "base/le.h"
#include "hash/kernel.h"

static inline uint32_t rotate(uint32_t x, unsigned turn)
{
	return x << turn | x >> (32 - turn);
}

/* Take one word into its lane. */
static inline void absorb(uint32_t h[4], unsigned i, uint32_t word)
{
	h[i] ^= rotate(word * murmur3_lane[i].first, murmur3_lane[i].turn_word) * murmur3_lane[i].second;
}

static inline void mix(uint32_t h[4], unsigned i, uint32_t word)
{
	absorb(h, i, word);
	h[i] = (rotate(h[i], murmur3_lane[i].turn_state) + h[(i + 1) % 4]) * 5 + murmur3_lane[i].add;
}

static void add_crosswise(uint32_t h[4])
{
	h[0] += h[1] + h[2] + h[3];
	for (unsigned i = 1; i < 4; ++i)
		h[i] += h[0];
}

static uint32_t avalanche(uint32_t x)
{
	x = (x ^ x >> 16) * 0x85ebca6b;
	x = (x ^ x >> 13) * 0xc2b2ae35;
	return x ^ x >> 16;
}

void murmur3_start(uint32_t h[4], const uint8_t seed[16])
{
	for (unsigned i = 0; i < 4; ++i)
		h[i] = le32_load(seed + 4 * i);
}

void murmur3_mix(uint32_t h[4], const uint8_t *data, size_t groups)
{
	for (const uint8_t *end = data + groups * MURMUR3_GROUP; data != end; data += MURMUR3_GROUP) {
		mix(h, 0, le32_load(data));
		mix(h, 1, le32_load(data + 4));
		mix(h, 2, le32_load(data + 8));
		mix(h, 3, le32_load(data + 12));
	}
}

void murmur3_finish(uint32_t h[4], const uint8_t *tail, size_t size, uint8_t digest[16])
{
	uint8_t last[MURMUR3_GROUP] = { 0 };

	/* The rest is filled up with zeros: a word of zeros changes nothing. */
	if (size % MURMUR3_GROUP > 0)
		memcpy(last, tail, size % MURMUR3_GROUP);
	for (unsigned i = 0; i < 4; ++i) {
		absorb(h, i, le32_load(last + 4 * i));
		h[i] ^= (uint32_t)size;
	}
	add_crosswise(h);
	for (unsigned i = 0; i < 4; ++i)
		h[i] = avalanche(h[i]);
	add_crosswise(h);
	for (unsigned i = 0; i < 4; ++i)
		le32_store(digest + 4 * i, h[i]);
}

void murmur3(const uint8_t seed[16], const void *data, size_t size, uint8_t digest[16])
{
	const size_t groups = size / MURMUR3_GROUP;
	uint32_t h[4];

	murmur3_start(h, seed);
	murmur3_mix(h, data, groups);
	murmur3_finish(h, (const uint8_t *)data + groups * MURMUR3_GROUP, size, digest);
}

static void blocks_scalar(const uint8_t seed[16], struct hash_task *const *tasks, unsigned count)
{
	for (unsigned i = 0; i < count; ++i)
		murmur3(seed, tasks[i]->data, tasks[i]->size, tasks[i]->digest);
}

const struct hash_kernel hash_kernel_murmur3 = {
	.name = "scalar", .kind = HASH_MURMUR3, .needs = 0, .blocks = blocks_scalar,
};
