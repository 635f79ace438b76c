/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/unchanged.h"

#include "array/disk.h"
#include "io/data.h"

static bool is_unchanged(int root_fd, const struct disk *disk, const struct file *file)
{
	const struct data_want want = { .path = file->path, .stamp = file->stamp,
					.inode = disk->inodes_trusted ? file->inode : 0 };

	return data_is_there(root_fd, &want);
}

static bool disk_is_unchanged(int root_fd, const struct disk *disk, const struct bitmap *stripes)
{
	const struct file *last = NULL;
	stripe_t at = 0;

	while ((at = bitmap_next(stripes, at)) != STRIPE_NONE) {
		const struct extent *extent = extent_from(disk->map, at);

		if (extent == NULL)
			break;
		if (extent->at > at) {
			at = extent->at;
			continue;
		}
		if (extent->file != NULL && extent->file != last && !is_unchanged(root_fd, disk, extent->file))
			return false;
		last = extent->file;
		at = extent->at + extent->count;
	}
	return true;
}

bool stripes_are_unchanged(const struct session *session, const struct bitmap *stripes)
{
	const struct array *array = session->array;

	for (unsigned d = 0; d < array->disk_count; ++d) {
		const struct disk *disk = array->disk[d];

		if (!disk_is_unchanged(session->root_fd[disk->column], disk, stripes))
			return false;
	}
	return true;
}
