/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Digests of what this CPU computes: parity of every number of levels, updates, recoveries, hashes. The same
 * lines must come out on every CPU; which of them are right is known from the vectors, on the host. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hash/hash.h"
#include "raid/raid.h"
#include "test/unit/raid/guard.h"

#define SIZE	1088
#define COLUMNS 20

static uint8_t *block[COLUMNS + RAID_LEVEL_MAX];

static void print(const char *what, unsigned n, const void *data, size_t size)
{
	for (enum hash_kind kind = HASH_MURMUR3; kind <= HASH_SPOOKY2; ++kind) {
		const struct hash_key key = { .kind = kind, .seed = { 1, 2, 3 } };
		struct hash_task task[3], *list[3];

		printf("%s %u %u:", what, n, (unsigned)kind);
		for (unsigned i = 0; i < 3; ++i) {
			task[i] = (struct hash_task){ .data = (const uint8_t *)data + i, .size = size - 2 * i };
			list[i] = &task[i];
		}
		hash_blocks(&key, list, 3);
		for (unsigned i = 0; i < 48; ++i)
			printf("%02x", task[i / 16].digest[i % 16]);
		putchar('\n');
	}
}

static void check_levels(enum raid_mode mode, unsigned levels)
{
	static const unsigned number[RAID_LEVEL_MAX] = { 0, 1, 2, 3, 4, 5 };
	const struct raid_code *code = raid_code(mode);
	void *data[COLUMNS];
	const void *none[3] = { NULL, NULL, NULL };

	memcpy(data, block, sizeof(data));
	raid_encode(code, levels, COLUMNS, SIZE, (const void *const *)block, (void *const *)block + COLUMNS);
	for (unsigned l = 0; l < levels; ++l)
		print("level", levels, block[COLUMNS + l], SIZE);
	printf("differ %x\n", raid_verify(code, levels, COLUMNS, SIZE, (const void *const *)block,
					  (const void *const *)block + COLUMNS));
	for (unsigned i = 0; i < levels; ++i) {
		data[i] = guard_alloc(SIZE);
		memset(data[i], 0, SIZE);
	}
	if (raid_solve(code, COLUMNS, SIZE, levels, number, number, data, (const void *const *)block + COLUMNS) != 0)
		printf("not solved\n");
	for (unsigned i = 0; i < levels; ++i) {
		printf("lost %u %s\n", i, memcmp(data[i], block[i], SIZE) == 0 ? "is back" : "is WRONG");
		guard_free(data[i], SIZE);
	}
	raid_update(code, levels, 7, 3, SIZE, (const void *const *)block + 7, none, (void *const *)block + COLUMNS);
	for (unsigned l = 0; l < levels; ++l)
		print("update", levels, block[COLUMNS + l], SIZE);
}

int main(void)
{
	for (unsigned i = 0; i < COLUMNS + RAID_LEVEL_MAX; ++i) {
		block[i] = guard_alloc(SIZE);
		guard_fill(block[i], SIZE, i);
	}
	for (unsigned levels = 1; levels <= RAID_LEVEL_MAX; ++levels)
		check_levels(RAID_CAUCHY, levels);
	for (unsigned levels = 1; levels <= 3; ++levels)
		check_levels(RAID_VANDERMONDE, levels);
	return 0;
}
