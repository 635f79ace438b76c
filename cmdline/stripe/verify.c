/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"

static void hash_cells(struct cell **cell, unsigned count, const struct hash_key *key, bool fresh)
{
	struct hash_task task[COLUMN_MAX], *list[COLUMN_MAX];

	for (unsigned i = 0; i < count; ++i) {
		task[i].data = cell[i]->data;
		task[i].size = cell[i]->bytes;
		list[i] = &task[i];
	}
	if (count > 0)
		hash_blocks(key, list, count);
	for (unsigned i = 0; i < count; ++i)
		memcpy(fresh ? cell[i]->fresh : cell[i]->found, task[i].digest, HASH_BYTES_MAX);
}

void verify_hash_cells(const struct slot *slot, struct cell **cell, unsigned count)
{
	hash_cells(cell, count, &slot->key, false);
}

void verify_hash(struct slot *slot)
{
	struct cell *cell[COLUMN_MAX];
	unsigned count = 0;

	for (column_t c = 0; c < slot->column_count; ++c)
		if (slot->cell[c].read && slot->cell[c].result == DATA_OK)
			cell[count++] = &slot->cell[c];
	verify_hash_cells(slot, cell, count);
	if (slot->rehash)
		hash_cells(cell, count, &slot->fresh_key, true);
}

bool verify_matches(const struct slot *slot, const struct cell *cell)
{
	return memcmp(cell->found, cell->hash, slot->hash_size) == 0;
}

unsigned verify_differing_bits(const struct slot *slot, const struct cell *cell)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < slot->hash_size; ++i)
		bits += (unsigned)__builtin_popcount(cell->found[i] ^ cell->hash[i]);
	return bits;
}

void verify_encode(struct slot *slot, void *const data[COLUMN_MAX], unsigned levels)
{
	void *parity[LEVEL_MAX];

	for (level_t l = 0; l < slot->level_count; ++l) {
		parity[l] = levels & (1u << l) ? slot->parity[l].fresh : NULL;
		if (parity[l] != NULL)
			memset((char *)parity[l] + slot->used, 0, slot->block_size - slot->used);
	}
	raid_encode(slot->code, slot->level_count, slot->column_count, slot->used, (const void *const *)data, parity);
}

unsigned verify_tails(const struct slot *slot, unsigned levels)
{
	unsigned wrong = 0;

	for (level_t l = 0; l < slot->level_count; ++l)
		if ((levels & (1u << l)) &&
		    !mem_is_zero((const char *)slot->parity[l].stored + slot->used, slot->block_size - slot->used))
			wrong |= 1u << l;
	return wrong;
}

unsigned verify_parity(const struct slot *slot, void *const data[COLUMN_MAX], unsigned levels)
{
	const void *parity[LEVEL_MAX];

	for (level_t l = 0; l < slot->level_count; ++l)
		parity[l] = levels & (1u << l) ? slot->parity[l].stored : NULL;
	return raid_verify(slot->code, slot->level_count, slot->column_count, slot->used, (const void *const *)data,
			   parity) |
	       verify_tails(slot, levels);
}

static char *full_path(const struct cell *cell)
{
	return path_join(cell->disk->dir, cell->file->path);
}

static enum event read_event(enum data_result result)
{
	switch (result) {
	case DATA_MISSING:
		return EV_BLOCK_MISSING;
	case DATA_DENIED:
		return EV_BLOCK_DENIED;
	case DATA_CHANGED:
		return EV_BLOCK_CHANGED;
	case DATA_SHORT:
		return EV_BLOCK_SHORT;
	case DATA_IO:
		return EV_BLOCK_IO;
	case DATA_OK:
	case DATA_ERROR:
		break;
	}
	return EV_BLOCK_ERROR;
}

bool verify_report_read(const struct slot *slot, const struct cell *cell, struct error_counts *errors)
{
	bool io = cell->result == DATA_IO;
	char *path;

	if (io)
		++errors->io;
	else
		++errors->soft;
	if (cell->file->mark & FILE_TOLD)
		return io;
	cell->file->mark |= FILE_TOLD;
	path = full_path(cell);
	report(read_event(cell->result), slot->at, cell->disk->name, cell->file->path, path, strerror(cell->error));
	free(path);
	return io;
}

void verify_report_hash(const struct slot *slot, const struct cell *cell, enum event event)
{
	char *path = full_path(cell);

	report(event, slot->at, cell->disk->name, cell->file->path, path, verify_differing_bits(slot, cell),
	       slot->hash_size * 8);
	free(path);
}
