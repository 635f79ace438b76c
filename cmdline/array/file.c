/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/file.h"

#include <assert.h>

block_t file_block_count(const struct file *file, uint32_t block_size)
{
	return file->stamp.size / block_size + (file->stamp.size % block_size != 0);
}

uint32_t file_block_bytes(const struct file *file, block_t block, uint32_t block_size)
{
	uint64_t left = file->stamp.size - block * block_size;

	assert(block < file_block_count(file, block_size));
	return left < block_size ? (uint32_t)left : block_size;
}

struct extent *file_extent(const struct file *file, block_t block)
{
	struct extent *extent = file->extent;

	while (extent != NULL && block >= extent->first + extent->count)
		extent = extent->next;
	return extent;
}

bool file_has_state(const struct file *file, enum block_state state)
{
	for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next)
		if (extent->state == state)
			return true;
	return false;
}

/* With a promise among them nobody could tell which is which. */
void file_note_synced(struct file *file)
{
	file->was_synced |= !file_has_state(file, BLOCK_REP);
}
