/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/block.h"

#include <string.h>

static bool all_bytes_are(const uint8_t *hash, unsigned size, uint8_t value)
{
	for (unsigned i = 0; i < size; i++)
		if (hash[i] != value)
			return false;
	return true;
}

enum past past_kind(const uint8_t *hash, unsigned hash_size)
{
	if (hash_size < HASH_BYTES_MAX || all_bytes_are(hash, hash_size, 0x00))
		return PAST_UNKNOWN;
	if (all_bytes_are(hash, hash_size, 0xff))
		return PAST_ZERO;
	return PAST_HASH;
}

void past_set_zero(uint8_t *hash, unsigned hash_size)
{
	memset(hash, 0xff, hash_size);
}

void past_set_unknown(uint8_t *hash, unsigned hash_size)
{
	memset(hash, 0x00, hash_size);
}
