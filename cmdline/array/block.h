/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of one block of a disk at a stripe, and the marks that stand for a hash.
 *
 *	state	file	parity has it	hash is of
 *	EMPTY	no	as zeros	-
 *	BLK	yes	yes		the data now on disk and in parity
 *	CHG	yes	no, or unknown	what was at this place before (the past hash)
 *	REP	yes	no, or unknown	the data now on disk, known before parity was written
 *	DELETED	no	still, or unknown	what was at this place before (the past hash)
 *
 * "unknown": after an interrupted sync nobody can tell, stripe by stripe and level by level. */
#ifndef ARRAY_BLOCK_H
#define ARRAY_BLOCK_H

#include "base/types.h"

enum block_state { BLOCK_EMPTY, BLOCK_BLK, BLOCK_CHG, BLOCK_REP, BLOCK_DELETED };

static inline bool block_has_file(enum block_state s)
{
	return s == BLOCK_BLK || s == BLOCK_CHG || s == BLOCK_REP;
}
static inline bool block_has_current_hash(enum block_state s)
{
	return s == BLOCK_BLK || s == BLOCK_REP;
}
static inline bool block_is_unsynced(enum block_state s)
{
	return s == BLOCK_CHG || s == BLOCK_REP || s == BLOCK_DELETED;
}

/* Marks in place of a past hash. With a digest of less than 16 bytes the same bytes are stored, but nobody
 * may give them a meaning: they could be a real digest. */
enum past { PAST_HASH, PAST_ZERO, PAST_UNKNOWN };
enum past past_kind(const uint8_t *hash, unsigned hash_size);	/* PAST_UNKNOWN whenever hash_size < 16 */
void past_set_zero(uint8_t *hash, unsigned hash_size);		/* the place was empty: it counts as zeros */
void past_set_unknown(uint8_t *hash, unsigned hash_size);

#endif
