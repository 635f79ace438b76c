/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block hashes. A digest covers the bytes of a block that exist in its file, without padding.
 * Pure and thread safe. Facts: hash.md of the specification. */
#ifndef HASH_HASH_H
#define HASH_HASH_H

#include "base/types.h"

enum hash_kind { HASH_NONE, HASH_MURMUR3, HASH_SPOOKY2 };

/* The function of an array: kind and seed. */
struct hash_key {
	enum hash_kind kind;
	uint8_t seed[16];
};

/* One row per kind: letter in the content file ('u', 'k'), name as in the log ("murmur3", "spooky2"). */
struct hash_info {
	enum hash_kind kind;
	char letter;
	const char *name;
};
const struct hash_info *hash_by_letter(char letter);	/* NULL: unknown */
const struct hash_info *hash_by_kind(enum hash_kind kind);
enum hash_kind hash_best(void);				/* for new arrays on this machine */

void hash_block(const struct hash_key *key, const void *data, size_t size, uint8_t digest[16]);

/* Many buffers at once, of unequal lengths: several share the lanes of a vector. */
struct hash_task {
	const void *data;
	size_t size;
	uint8_t digest[16];
};
void hash_blocks(const struct hash_key *key, struct hash_task *const *tasks, unsigned count);

const char *hash_kernel_name(enum hash_kind kind);	/* which implementation hash_blocks uses here */

#endif
