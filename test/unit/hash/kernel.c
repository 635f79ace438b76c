/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each kernel against hash_block(), which has the vectors to agree with. Needs nothing but hash/ and raid/, so that it can
 * be built for other CPUs. */
#include "hash/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raid/cpu.h"
#include "test/unit/raid/guard.h"

#define LONGEST	262144

static uint8_t noise[LONGEST];

static int make_noise(void **state)
{
	(void)state;
	guard_fill(noise, LONGEST, 1);
	return 0;
}

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % limit;
}

/* Check a kernel on tasks whose data and size are set. */
static void check_tasks(const struct hash_kernel *kernel, struct hash_task *task, unsigned count)
{
	struct hash_task **queue = calloc(count + 1, sizeof(*queue));
	struct hash_key key = { .kind = kernel->kind };
	uint8_t digest[16];

	memcpy(key.seed, noise + 100, 16);
	for (unsigned i = 0; i < count; ++i) {
		memset(task[i].digest, 0xee, 16);
		queue[i] = &task[i];
	}
	kernel->blocks(key.seed, queue, count);
	for (unsigned i = 0; i < count; ++i) {
		hash_block(&key, task[i].data, task[i].size, digest);
		if (memcmp(digest, task[i].digest, 16) != 0)
			fail_msg("%s, %s: task %u of %u, %zu bytes", hash_by_kind(kernel->kind)->name,
				 kernel->name, i, count, task[i].size);
	}
	free(queue);
}

static void for_each_kernel(void (*check)(const struct hash_kernel *kernel))
{
	for (unsigned i = 0; hash_kernel_table[i] != NULL; ++i)
		if ((cpu_features() & hash_kernel_table[i]->needs) == hash_kernel_table[i]->needs)
			check(hash_kernel_table[i]);
}

/* In a buffer of its own each, so that a read over the end is seen by a checker of addresses. */
static void check_all_lengths(const struct hash_kernel *kernel)
{
	enum { COUNT = 3001 };
	struct hash_task *task = calloc(COUNT, sizeof(*task));
	void **data = malloc(COUNT * sizeof(*data));

	for (unsigned i = 0; i < COUNT; ++i) {
		data[i] = memcpy(malloc(i), noise + i, i);
		task[i].data = data[i];
		task[i].size = i;
	}
	check_tasks(kernel, task, COUNT);
	for (unsigned i = 0; i < COUNT; ++i) {
		check_tasks(kernel, &task[i], 1);
		free(data[i]);
	}
	free(data);
	free(task);
}

static void kernels_agree_on_all_lengths(void **state)
{
	(void)state;
	for_each_kernel(check_all_lengths);
}

static void check_mixed_sets(const struct hash_kernel *kernel)
{
	for (unsigned round = 0; round < 300; ++round) {
		uint32_t limit = 2u << random_below(17);
		unsigned count = random_below(20);
		struct hash_task task[20];

		for (unsigned i = 0; i < count; ++i) {
			/* half of them as long as can be, as blocks inside a file are */
			task[i].size = random_below(2) == 0 ? limit : random_below(limit);
			task[i].data = noise + random_below(LONGEST - limit + 1);
		}
		check_tasks(kernel, task, count);
	}
}

static void kernels_agree_on_sets_of_mixed_lengths(void **state)
{
	(void)state;
	for_each_kernel(check_mixed_sets);
}

static void check_seed(const struct hash_kernel *kernel)
{
	struct hash_task task[5], *queue[5];
	uint8_t seed[16] = { 0 }, before[16];

	for (unsigned i = 0; i < 5; ++i) {
		task[i] = (struct hash_task){ .data = noise, .size = 4096 };
		queue[i] = &task[i];
	}
	kernel->blocks(seed, queue, 5);
	memcpy(before, task[0].digest, 16);
	for (unsigned byte = 0; byte < 16; ++byte) {
		seed[byte] = 1;
		kernel->blocks(seed, queue, 5);
		for (unsigned i = 0; i < 5; ++i)
			assert_memory_not_equal(task[i].digest, before, 16);
		seed[byte] = 0;
	}
}

static void every_byte_of_the_seed_counts(void **state)
{
	(void)state;
	for_each_kernel(check_seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_agree_on_all_lengths),
		cmocka_unit_test(kernels_agree_on_sets_of_mixed_lengths),
		cmocka_unit_test(every_byte_of_the_seed_counts),
	};

	return cmocka_run_group_tests(tests, make_noise, NULL);
}
