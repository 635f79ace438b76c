/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/inodes.h"

#include <stdlib.h>

#include "base/mem.h"

struct owned_inode {
	uint64_t inode;
	struct stamp stamp;
	const struct file *file;	/* never followed */
};

struct inodes {
	struct owned_inode *list;	/* ascending */
	size_t count;
};

static int compare_inode(const void *a, const void *b)
{
	uint64_t x = ((const struct owned_inode *)a)->inode, y = ((const struct owned_inode *)b)->inode;

	return (x > y) - (x < y);
}

struct inodes *inodes_new(const struct disk *disk)
{
	struct inodes *inodes = mem_zalloc(sizeof(*inodes));

	inodes->list = mem_alloc((disk->file_count + 1) * sizeof(*inodes->list));
	for (struct tommy_node *i = tommy_list_head(&disk->files); i != NULL; i = i->next) {
		const struct file *file = i->data;

		if (file->inode != 0)
			inodes->list[inodes->count++] = (struct owned_inode){ file->inode, file->stamp, file };
	}
	qsort(inodes->list, inodes->count, sizeof(*inodes->list), compare_inode);
	return inodes;
}

void inodes_free(struct inodes *inodes)
{
	if (inodes == NULL)
		return;
	free(inodes->list);
	free(inodes);
}

bool inodes_clash(const struct inodes *inodes, uint64_t inode, const struct stamp *stamp, const struct file *file)
{
	size_t low = 0, high = inodes->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (inodes->list[middle].inode < inode)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < inodes->count && inodes->list[low].inode == inode; ++low)
		if (inodes->list[low].file != file && stamp_equal(&inodes->list[low].stamp, stamp))
			return true;
	return false;
}
