/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set that is asked whether something is in it, and may say so of what is not: of one in a thousand. In return it takes
 * two to four bytes for each member, whatever that is. (A Bloom filter.) */
#ifndef BASE_SIEVE_H
#define BASE_SIEVE_H

#include "base/types.h"

struct sieve;

/* For so many members; with more of them it is wrong more often. */
struct sieve *sieve_new(uint64_t count);
void sieve_free(struct sieve *sieve);		/* NULL is fine */
/* `hash` stands for the member; all of its bits count. */
void sieve_add(struct sieve *sieve, uint64_t hash);
bool sieve_may_have(const struct sieve *sieve, uint64_t hash);
size_t sieve_bytes(const struct sieve *sieve);

#endif
