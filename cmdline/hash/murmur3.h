/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of MurmurHash3, shared by its kernels. Inside hash/ only. */
#ifndef HASH_MURMUR3_H
#define HASH_MURMUR3_H

#include <stddef.h>
#include <stdint.h>

#define MURMUR3_GROUP	16

/* What is done to each of the four words of a group. */
static const struct {
	uint32_t first, second;		/* multiply a word, before and after its rotation */
	unsigned turn_word, turn_state;
	uint32_t add;
} murmur3_lane[4] = {
	{ 0x239b961b, 0xab0e9789, 15, 19, 0x561ccd1b },
	{ 0xab0e9789, 0x38b34ae5, 16, 17, 0x0bcaa747 },
	{ 0x38b34ae5, 0xa1e38b93, 17, 15, 0x96cd1c35 },
	{ 0xa1e38b93, 0x239b961b, 18, 13, 0x32ac3b17 },
};

void murmur3_start(uint32_t h[4], const uint8_t seed[16]);
void murmur3_mix(uint32_t h[4], const uint8_t *data, size_t groups);
/* The message has `size` bytes, of which the last size % 16 are at `tail`. The state is used up. */
void murmur3_finish(uint32_t h[4], const uint8_t *tail, size_t size, uint8_t digest[16]);

#endif
