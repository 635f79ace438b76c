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

const char *hash_name(enum hash_kind kind)
{
	const struct hash_info *info = hash_by_kind(kind);

	return info == NULL ? "undefined" : info->name;
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
#if defined(__x86_64__) || defined(RAID_SIMDE)
	&hash_kernel_murmur3_avx2,
#endif
	&hash_kernel_spooky2,
#if defined(__x86_64__) || defined(RAID_SIMDE)
	&hash_kernel_spooky2_avx2,
	&hash_kernel_spooky2_avx512,
	/* The four lanes on Zen 4: 50 GB/s, and the eight 40. Where vectors of 512 bits have units of their
	 * own, the calibration will tell. */
	&hash_kernel_spooky2_avx512vl,
#endif
	NULL,
};

struct choice {
	const struct hash_kernel *kernel;
	const char *why;
	uint64_t bytes_per_second;
};

static struct choice chosen[HASH_SPOOKY2 + 1];
static bool fixed[HASH_SPOOKY2 + 1];	/* by force, or by a calibration */

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

static bool may_run(const struct hash_kernel *kernel)
{
	return (kernel->needs & ~cpu_features()) == 0 && kernel_agrees(kernel);
}

static bool is_candidate(const struct hash_kernel *kernel)
{
	return (kernel->needs & ~cpu_features_advised()) == 0 && kernel_agrees(kernel);
}

static void choose(const struct hash_kernel *kernel, const char *why)
{
	chosen[kernel->kind] = (struct choice){ .kernel = kernel, .why = why };
}

static void choose_kernels(void)
{
	for (unsigned i = 0; hash_kernel_table[i] != NULL; ++i) {
		const struct hash_kernel *kernel = hash_kernel_table[i];

		/* The first one of a kind is what the others have to agree with. */
		if (chosen[kernel->kind].kernel == NULL || is_candidate(kernel))
			choose(kernel, "the last that may run here and is right");
	}
}

static const struct hash_kernel *chosen_kernel(enum hash_kind kind)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	assert(kind != HASH_NONE);
	pthread_once(&once, choose_kernels);
	return chosen[kind].kernel;
}

void hash_blocks(const struct hash_key *key, struct hash_task *const *tasks, unsigned count)
{
	chosen_kernel(key->kind)->blocks(key->seed, tasks, count);
}

const char *hash_kernel_name(enum hash_kind kind)
{
	return chosen_kernel(kind)->name;
}

struct hash_choice hash_choice(enum hash_kind kind)
{
	const struct hash_kernel *kernel = chosen_kernel(kind);

	return (struct hash_choice){ .kernel = kernel->name, .why = chosen[kind].why,
				     .bytes_per_second = chosen[kind].bytes_per_second };
}

int hash_force(const char *name)
{
	int rc = -1;

	for (unsigned i = 0; hash_kernel_table[i] != NULL; ++i) {
		const struct hash_kernel *kernel = hash_kernel_table[i];

		if (strcmp(kernel->name, name) != 0 || !may_run(kernel))
			continue;
		chosen_kernel(kernel->kind);
		choose(kernel, "asked for");
		fixed[kernel->kind] = true;
		rc = 0;
	}
	return rc;
}

static uint64_t time_kernel(const struct hash_kernel *kernel, struct hash_task *const *tasks, unsigned count,
			    uint64_t (*now_ns)(void))
{
	static const uint8_t seed[16];
	uint64_t begin = now_ns();

	kernel->blocks(seed, tasks, count);
	return now_ns() - begin + 1;
}

void hash_tune(enum hash_kind kind, struct hash_task *const *tasks, unsigned count, uint64_t (*now_ns)(void),
	       uint64_t most_ns)
{
	enum { ROUNDS = 5, KERNELS = 8 };
	const struct hash_kernel *candidate[KERNELS];
	uint64_t best[KERNELS] = { 0 }, fastest = 0, end = now_ns() + most_ns, bytes = 0;
	unsigned candidates = 0;

	chosen_kernel(kind);
	if (fixed[kind] || count == 0)
		return;
	fixed[kind] = true;
	/* The later in the table the faster, as expected: so from its end. */
	for (unsigned i = sizeof(hash_kernel_table) / sizeof(hash_kernel_table[0]) - 1; i-- > 0;)
		if (hash_kernel_table[i]->kind == kind && is_candidate(hash_kernel_table[i]))
			candidate[candidates++] = hash_kernel_table[i];
	for (unsigned i = 0; i < count; ++i)
		bytes += tasks[i]->size;
	for (unsigned round = 0; round <= ROUNDS; ++round)	/* the first warms up */
		for (unsigned k = 0; k < candidates && (round == 0 || now_ns() < end); ++k) {
			uint64_t ns = time_kernel(candidate[k], tasks, count, now_ns);

			if (round == 0)
				continue;
			best[k] = best[k] == 0 || ns < best[k] ? ns : best[k];
			fastest = fastest == 0 || ns < fastest ? ns : fastest;
		}
	for (unsigned k = 0; k < candidates; ++k)
		if (best[k] != 0 && best[k] * 100 <= fastest * 103) {
			choose(candidate[k], best[k] == fastest ? "the fastest on this stripe" :
								  "expected to be the fastest, and within 3% of it");
			chosen[kind].bytes_per_second = bytes * 1000000000 / best[k];
			return;
		}
}
