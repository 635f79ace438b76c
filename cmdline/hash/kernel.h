/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The implementations of the block hashes: one row each, in its own file. */
#ifndef HASH_KERNEL_H
#define HASH_KERNEL_H

#include "hash/hash.h"

struct hash_kernel {
	const char *name;
	enum hash_kind kind;
	unsigned needs;		/* CPU_* */
	void (*blocks)(const uint8_t seed[16], struct hash_task *const *tasks, unsigned count);
};

extern const struct hash_kernel hash_kernel_murmur3;
extern const struct hash_kernel hash_kernel_murmur3_avx2;
extern const struct hash_kernel hash_kernel_spooky2;
extern const struct hash_kernel hash_kernel_spooky2_avx2;
extern const struct hash_kernel hash_kernel_spooky2_avx512vl;
extern const struct hash_kernel hash_kernel_spooky2_avx512;

/* All of this build, ended by NULL. Those of one kind: scalar first, then the faster the later. */
extern const struct hash_kernel *const hash_kernel_table[];

void murmur3(const uint8_t seed[16], const void *data, size_t size, uint8_t digest[16]);
void spooky2(const uint8_t seed[16], const void *data, size_t size, uint8_t digest[16]);

#endif
