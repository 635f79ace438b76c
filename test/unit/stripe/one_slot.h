/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One stripe in the hands of a job, without the engine: an array of two disks and a slot with buffers. */
#ifndef TEST_STRIPE_ONE_SLOT_H
#define TEST_STRIPE_ONE_SLOT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "stripe/job.h"

#define BLOCK 1024
#define DISKS 2

struct bench {
	struct array *array;
	struct slot slot;
	struct cell cell[DISKS];
	uint8_t right[DISKS][BLOCK];	/* what the blocks are */
	uint8_t hash[DISKS][HASH_BYTES_MAX];
	void *scratch[LEVEL_MAX];
};

static inline struct bench *bench_new(unsigned levels)
{
	struct bench *bench = mem_zalloc(sizeof(*bench));

	bench->array = array_new(BLOCK, 16);
	bench->array->hash.kind = HASH_MURMUR3;
	bench->array->level_count = levels;
	for (level_t l = 0; l < levels; ++l)
		bench->array->level[l].name = l == 0 ? "parity" : "2-parity";
	array_add_disk(bench->array, "d1", "/nowhere/1/");
	array_add_disk(bench->array, "d2", "/nowhere/2/");
	assert_true(array_map_disks(bench->array));
	bench->slot = (struct slot){ .column_count = DISKS, .cell = bench->cell, .level_count = levels,
				     .code = raid_code(RAID_CAUCHY),
				     .block_size = BLOCK, .hash_size = 16 };
	for (column_t c = 0; c < DISKS; ++c) {
		memset(bench->right[c], 'a' + (int)c, BLOCK);
		bench->cell[c].data = mem_aligned(BLOCK, 64);
	}
	for (level_t l = 0; l < LEVEL_MAX; ++l) {
		bench->scratch[l] = mem_aligned(BLOCK, 64);
		bench->slot.parity[l].stored = mem_aligned(BLOCK, 64);
		bench->slot.parity[l].fresh = mem_aligned(BLOCK, 64);
	}
	return bench;
}

static inline void bench_free(struct bench *bench)
{
	for (column_t c = 0; c < DISKS; ++c)
		free(bench->cell[c].data);
	for (level_t l = 0; l < LEVEL_MAX; ++l) {
		free(bench->scratch[l]);
		free(bench->slot.parity[l].stored);
		free(bench->slot.parity[l].fresh);
	}
	free(bench->slot.extra);
	array_free(bench->array);
	free(bench);
}

/* A file of one whole block in stripe 0 of the disk, whose data is bench->right. */
static inline struct file *bench_file(struct bench *bench, column_t column, enum block_state state)
{
	struct disk *disk = bench->array->disk[column];
	struct file *file = disk_add_file(disk, "file", &(struct stamp){ BLOCK, 1000, 5 }, 7);
	uint8_t *hash = bench->hash[column];

	hash_block(&bench->array->hash, bench->right[column], BLOCK, hash);
	if (state == BLOCK_CHG)
		past_set_zero(hash, 16);
	assert_non_null(extent_insert(disk->map, file, 0, 0, 1, state, hash, false));
	return file;
}

/* What the engine and its readers do before compute: every block that is asked for is there, and right. */
static inline void bench_read(struct bench *bench, const struct stripe_job *job, void *context)
{
	struct slot *slot = &bench->slot;

	free(slot->extra);
	slot->extra = mem_zalloc(job->extra_size + 1);
	slot_fill(slot, bench->array, 0);
	job->fill(slot, context);
	for (column_t c = 0; c < DISKS; ++c)
		if (slot->cell[c].read)
			memcpy(slot->cell[c].data, bench->right[c], BLOCK);
	for (level_t l = 0; l < slot->level_count; ++l)
		slot->parity[l].have = slot->parity[l].read;
}

#endif
