/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section SYNC of the side file: of which files all that is REP was synced once, and not promised (struct file). How
 * many disks; of each its column and how many files; of each of these how many others lie between it and the one before
 * it, in the order of the content file.
 *
 * All or nothing is read. */
#include "content/side.h"

static bool is_told(const struct file *file)
{
	return file->was_synced && file_has_state(file, BLOCK_REP);
}

static uint64_t count_told(const struct disk *disk)
{
	uint64_t count = 0;

	for (const struct tommy_node *node = tommy_list_head(&disk->files); node != NULL; node = node->next)
		count += is_told(node->data);
	return count;
}

static unsigned count_disks(const struct array *array)
{
	unsigned count = 0;

	for (unsigned d = 0; d < array->disk_count; d++)
		count += count_told(array->disk[d]) > 0;
	return count;
}

bool synced_has_any(const struct array *array)
{
	return count_disks(array) > 0;
}

static void write_disk(struct packer *packer, const struct disk *disk, uint64_t count)
{
	uint64_t between = 0;

	pack_integer(packer, disk->column);
	pack_integer(packer, count);
	for (const struct tommy_node *node = tommy_list_head(&disk->files); node != NULL; node = node->next, between++)
		if (is_told(node->data)) {
			pack_integer(packer, between);
			between = UINT64_MAX;
		}
}

void synced_write(struct packer *packer, struct array *array)
{
	pack_integer(packer, count_disks(array));
	for (unsigned d = 0; d < array->disk_count; d++) {
		uint64_t count = count_told(array->disk[d]);

		if (count > 0)
			write_disk(packer, array->disk[d], count);
	}
}

static bool read_disk(struct unpacker *unpacker, struct array *array)
{
	uint64_t column = unpack_integer(unpacker), count = unpack_integer(unpacker);
	const struct disk *disk = column < COLUMN_MAX ? array_disk_at(array, (column_t)column) : NULL;
	const struct tommy_node *node = disk != NULL ? tommy_list_head(&disk->files) : NULL;

	for (; count > 0; count--) {
		uint64_t between = unpack_integer(unpacker);

		for (; between > 0 && node != NULL; between--)
			node = node->next;
		if (node == NULL || unpacker->bad)
			return false;
		((struct file *)node->data)->was_synced = true;
		node = node->next;
	}
	return true;
}

static void forget_all(struct array *array)
{
	for (unsigned d = 0; d < array->disk_count; d++)
		for (struct tommy_node *n = tommy_list_head(&array->disk[d]->files); n != NULL; n = n->next)
			((struct file *)n->data)->was_synced = false;
}

bool synced_read(struct unpacker *unpacker, struct array *array)
{
	uint64_t disks = unpack_integer(unpacker);
	bool good = disks <= array->disk_count;

	for (; good && disks > 0; disks--)
		good = read_disk(unpacker, array);
	good = good && unpacker_is_at_end(unpacker);
	if (!good)
		forget_all(array);
	return good;
}
