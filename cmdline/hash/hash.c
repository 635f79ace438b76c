/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hash/hash.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "hash/kernel.h"
#include "raid/cpu.h"

static const struct hash_info info_table[] = {
	{ HASH_MURMUR3, 'u', "murmur3" },
	{ HASH_SPOOKY2, 'k', "spooky2" },
};

#define INFO_COUNT	(sizeof(info_table) / sizeof(info_table[0]))

const struct hash_info *hash_by_letter(char letter)
{
	for (unsigned i = 0; i < INFO_COUNT; ++i)
		if (info_table[i].letter == letter)
			return &info_table[i];
	return NULL;
}

const struct hash_info *hash_by_kind(enum hash_kind kind)
{
	for (unsigned i = 0; i < INFO_COUNT; ++i)
		if (info_table[i].kind == kind)
			return &info_table[i];
	return NULL;
}

enum hash_kind hash_best(void)
{
	/* Words of 64 bits are slow where registers have 32. */
	return sizeof(void *) >= 8 ? HASH_SPOOKY2 : HASH_MURMUR3;
}

void hash_block(const struct hash_key *key, const void *data, size_t size, uint8_t digest[16])
{
	assert(key->kind != HASH_NONE);
	if (key->kind == HASH_MURMUR3)
		murmur3(key->seed, data, size, digest);
	else
		spooky2(key->seed, data, size, digest);
}

const struct hash_kernel *const hash_kernel_table[] = {
	&hash_kernel_murmur3,
	&hash_kernel_spooky2,
#if defined(__x86_64__)
	&hash_kernel_spooky2_avx2,
#endif
	NULL,
};

static const struct hash_kernel *chosen[HASH_SPOOKY2 + 1];

/* Does the kernel give the digests of hash_block()? More messages than lanes, short and long ones, of many
 * different tails. */
static bool kernel_agrees(const struct hash_kernel *kernel)
{
	enum { COUNT = 13, STEP = 331 };
	struct hash_key key = { .kind = kernel->kind };
	struct hash_task task[COUNT], *queue[COUNT];
	uint8_t data[COUNT * STEP], digest[16];

	for (unsigned i = 0; i < sizeof(data); ++i)
		data[i] = (uint8_t)(i * 131 + i / 256);
	memcpy(key.seed, data + 1, sizeof(key.seed));
	for (unsigned i = 0; i < COUNT; ++i) {
		task[i] = (struct hash_task){ .data = data + i, .size = STEP * ((i * 5) % COUNT) };
		queue[i] = &task[i];
	}
	kernel->blocks(key.seed, queue, COUNT);
	for (unsigned i = 0; i < COUNT; ++i) {
		hash_block(&key, task[i].data, task[i].size, digest);
		if (memcmp(digest, task[i].digest, sizeof(digest)) != 0)
			return false;
	}
	return true;
}

static void choose_kernels(void)
{
	for (unsigned i = 0; hash_kernel_table[i] != NULL; ++i) {
		const struct hash_kernel *kernel = hash_kernel_table[i];

		/* The first one of a kind is what the others have to agree with. */
		if (chosen[kernel->kind] == NULL ||
		    ((cpu_features() & kernel->needs) == kernel->needs && kernel_agrees(kernel)))
			chosen[kernel->kind] = kernel;
	}
}

static const struct hash_kernel *chosen_kernel(enum hash_kind kind)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	assert(kind != HASH_NONE);
	pthread_once(&once, choose_kernels);
	return chosen[kind];
}

void hash_blocks(const struct hash_key *key, struct hash_task *const *tasks, unsigned count)
{
	chosen_kernel(key->kind)->blocks(key->seed, tasks, count);
}

const char *hash_kernel_name(enum hash_kind kind)
{
	return chosen_kernel(kind)->name;
}
