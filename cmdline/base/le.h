/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Little-endian words in bytes, at any address, on any host. */
#ifndef BASE_LE_H
#define BASE_LE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t le32_load(const void *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return le32toh(word);
}

static inline uint64_t le64_load(const void *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return le64toh(word);
}

static inline void le32_store(void *at, uint32_t word)
{
	word = htole32(word);
	memcpy(at, &word, sizeof(word));
}

static inline void le64_store(void *at, uint64_t word)
{
	word = htole64(word);
	memcpy(at, &word, sizeof(word));
}

#endif
