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
const struct hash_info *hash_by_kind(enum hash_kind kind);	/* NULL: HASH_NONE */
const char *hash_name(enum hash_kind kind);		/* "undefined": HASH_NONE */
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

/* The same, with the reason and what it did in the calibration; 0: there was none. */
struct hash_choice {
	const char *kernel;
	const char *why;
	uint64_t bytes_per_second;
};
struct hash_choice hash_choice(enum hash_kind kind);

/* Use the kernels of this name, of whatever kinds have one. -1: none can run here. Before any other thread
 * hashes; the calibration then leaves them as they are. */
int hash_force(const char *name);

/* Time the kernels of a kind on these tasks, of which there should be as many, and as large ones, as in a
 * stripe, and use the fastest from now on; within 3%, the one expected to be. Only the first call measures,
 * for at most about `most_ns`. No other thread may hash meanwhile. */
void hash_tune(enum hash_kind kind, struct hash_task *const *tasks, unsigned count, uint64_t (*now_ns)(void),
	       uint64_t most_ns);

#endif
