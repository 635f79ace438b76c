/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of SpookyHash V2, shared by its kernels. Inside hash/ only.
 *
 * A message is mixed in groups of 96 bytes, 12 little-endian words of 64 bits each, into 12 words of state.
 * What is left, 0 to 95 bytes, is filled up with zeros, gets its size as the last byte, is added to the state
 * and goes through three finishing rounds. Unlike the public function this one has no other form for short
 * messages. Arithmetic is modulo 2^64. */
#ifndef HASH_SPOOKY2_H
#define HASH_SPOOKY2_H

#include <stddef.h>
#include <stdint.h>

#define SPOOKY2_GROUP	96
#define SPOOKY2_WORDS	12

/* One step mixes word i of a group. With i a constant all indexes are, so an array of words, or of vectors
 * of words, stays in registers. */
#define SPOOKY2_STEP(s, i, word, turn)                  \
	do {                                            \
		s[i] += (word);                         \
		s[(i + 2) % 12] ^= s[(i + 10) % 12];    \
		s[(i + 11) % 12] ^= s[i];               \
		s[i] = SPOOKY2_ROTATE(s[i], turn);      \
		s[(i + 11) % 12] += s[(i + 1) % 12];    \
	} while (0)

#define SPOOKY2_ROTATE(x, turn)	((x) << (turn) | (x) >> (64 - (turn)))

void spooky2_start(uint64_t state[SPOOKY2_WORDS], const uint8_t seed[16]);
void spooky2_mix(uint64_t state[SPOOKY2_WORDS], const uint8_t *data, size_t groups);
/* `rest` bytes, fewer than a group, at `tail` are the last ones. The state is used up. */
void spooky2_finish(uint64_t state[SPOOKY2_WORDS], const uint8_t *tail, size_t rest, uint8_t digest[16]);

#endif
