/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sieve.h"

#include <stdlib.h>

#include "base/mem.h"

/* A member sets PROBES bits of at least 16 for each. With b bits for each a stranger meets PROBES set ones with a chance of
 * (1 - exp(-PROBES / b)) to the power of PROBES, 0.06 % at most. */
#define BITS_LOG	4
#define BITS_MIN	1024	/* in fewer the bits of two members meet too often */
#define PROBES		8

struct sieve {
	uint64_t bits;		/* a power of two */
	uint64_t word[];
};

struct sieve *sieve_new(uint64_t count)
{
	struct sieve *sieve;
	uint64_t bits = BITS_MIN;

	while (bits >> BITS_LOG < count)
		bits *= 2;
	sieve = mem_zalloc(sizeof(*sieve) + (size_t)(bits / 8));
	sieve->bits = bits;
	return sieve;
}

void sieve_free(struct sieve *sieve)
{
	free(sieve);
}

/* The bits are a step apart that depends on the hash, and is odd, so that they are all different. */
static uint64_t bit_at(const struct sieve *sieve, uint64_t hash, unsigned probe)
{
	uint64_t step = (hash << 32 | hash >> 32) | 1;

	return (hash + probe * step) & (sieve->bits - 1);
}

void sieve_add(struct sieve *sieve, uint64_t hash)
{
	for (unsigned i = 0; i < PROBES; i++) {
		uint64_t bit = bit_at(sieve, hash, i);

		sieve->word[bit / 64] |= UINT64_C(1) << (bit % 64);
	}
}

bool sieve_may_have(const struct sieve *sieve, uint64_t hash)
{
	for (unsigned i = 0; i < PROBES; i++) {
		uint64_t bit = bit_at(sieve, hash, i);

		if ((sieve->word[bit / 64] & UINT64_C(1) << (bit % 64)) == 0)
			return false;
	}
	return true;
}

size_t sieve_bytes(const struct sieve *sieve)
{
	return (size_t)(sieve->bits / 8);
}
