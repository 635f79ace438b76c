/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/slot.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define RAID_ALIGN	64	/* sizes of the parity library are multiples of it */
/* Buffers of a stripe at equal distances would share the sets of the cache. */
#define SKEW_BYTES	1792

size_t slot_stride(const struct array *array)
{
	return array->block_size + SKEW_BYTES;
}

size_t slot_bytes(const struct array *array, bool stored)
{
	return slot_stride(array) * (array->disk_count + array->level_count * (stored ? 2 : 1));
}

void slot_init(struct slot *slot, const struct array *array, bool stored, size_t extra_size)
{
	size_t stride = slot_stride(array);
	char *buffer;

	*slot = (struct slot){
		.column_count = array_column_end(array),
		.level_count = array->level_count,
		.code = raid_code(array->z_parity ? RAID_VANDERMONDE : RAID_CAUCHY),
		.block_size = array->block_size,
		.hash_size = array->hash_size,
		.memory = mem_aligned(slot_bytes(array, stored), 4096),
		.extra = mem_zalloc(extra_size + 1),
	};
	slot->cell = mem_zalloc(sizeof(struct cell) * (slot->column_count + 1));
	buffer = slot->memory;
	for (unsigned d = 0; d < array->disk_count; ++d, buffer += stride)
		slot->cell[array->disk[d]->column].data = buffer;
	for (level_t l = 0; l < slot->level_count; ++l) {
		slot->parity[l].fresh = buffer;
		buffer += stride;
		if (stored) {
			slot->parity[l].stored = buffer;
			buffer += stride;
		}
	}
}

void slot_done(struct slot *slot)
{
	free(slot->cell);
	free(slot->extra);
	free(slot->memory);
}

/* Everything but the buffers starts anew with each stripe. */
static void cell_reset(struct cell *cell)
{
	void *data = cell->data;

	memset(cell, 0, sizeof(*cell));
	cell->data = data;
	cell->state = BLOCK_EMPTY;
}

static void cell_fill(struct slot *slot, struct cell *cell, const struct array *array, struct disk *disk, stripe_t at)
{
	const struct extent *extent = extent_at(disk->map, at);
	struct file *file;

	cell->disk = disk;
	if (extent == NULL)
		return;
	cell->state = extent->state;
	memcpy(cell->hash, extent_hash(disk->map, extent, at), array->hash_size);
	file = extent->file;
	if (file == NULL)
		return;
	cell->file = file;
	cell->meta = file->kept.meta;
	cell->was_synced = file_was_synced(file, extent->state);
	cell->assumed = file->assumed;
	cell->block = extent->first + (at - extent->at);
	cell->bytes = file_block_bytes(file, cell->block, array->block_size);
	if (slot->used < cell->bytes)
		slot->used = (cell->bytes + RAID_ALIGN - 1) / RAID_ALIGN * RAID_ALIGN;
	cell->want = (struct data_want){
		.key = file,
		.path = file->path,
		.stamp = file->stamp,
		.inode = disk->inodes_trusted ? file->inode : 0,
	};
}

void slot_fill(struct slot *slot, const struct array *array, stripe_t at)
{
	slot->at = at;
	slot->flags = 0;
	slot->used = RAID_ALIGN;
	slot->key = *array_hash_at(array, at);
	memset(&slot->info, 0, sizeof(slot->info));
	slot->has_info = info_get(array->info, at, &slot->info);
	slot->rehash = slot->has_info && slot->info.rehash;
	slot->fresh_key = array->hash;
	for (column_t c = 0; c < slot->column_count; ++c)
		cell_reset(&slot->cell[c]);
	for (unsigned d = 0; d < array->disk_count; ++d)
		cell_fill(slot, &slot->cell[array->disk[d]->column], array, array->disk[d], at);
	for (level_t l = 0; l < LEVEL_MAX; ++l) {
		struct parity_cell *cell = &slot->parity[l];

		*cell = (struct parity_cell){ .stored = cell->stored, .fresh = cell->fresh };
	}
}

void slot_data(const struct slot *slot, void *data[COLUMN_MAX])
{
	for (column_t c = 0; c < slot->column_count; ++c)
		data[c] = block_has_file(slot->cell[c].state) ? slot->cell[c].data : NULL;
}

uint64_t slot_bytes_read(const struct slot *slot)
{
	uint64_t blocks = 0;

	for (column_t c = 0; c < slot->column_count; ++c)
		blocks += slot->cell[c].read;
	for (level_t l = 0; l < slot->level_count; ++l)
		blocks += slot->parity[l].read;
	return blocks * slot->block_size;
}

uint64_t slot_bytes_written(const struct slot *slot)
{
	uint64_t blocks = 0;

	for (column_t c = 0; c < slot->column_count; ++c)
		blocks += slot->cell[c].write;
	for (level_t l = 0; l < slot->level_count; ++l)
		blocks += slot->parity[l].write;
	return blocks * slot->block_size;
}
