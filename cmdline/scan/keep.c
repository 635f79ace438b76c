/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is recorded of files besides their data: mode, owner, extended attributes, holes, and the ctime.
 *
 * Extended attributes cost an open of the file, so they are only read of what is new or has another ctime: the
 * kernel sets it at any change of them. A scan where nothing changed reads none.
 *
 * The ctime cannot be put back. A file of the recorded size and time but another ctime may have been written to by
 * someone who put the time back, so its data is looked at in this sync (it is suspect). There is no need if the file
 * is the same inode and the reason can be seen: another path, number of links, mode, owner or attribute. Whoever
 * writes to a file, puts its time back and changes one of these between two syncs is not noticed; reading an array
 * again after each 'chmod -R' or 'cp -al' is the greater harm. Another inode is another file, restored or copied with
 * its time; to read all of a disk again that fix has just written and verified would take hours. scrub reads it in
 * its turn. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "os/attr.h"
#include "os/file.h"
#include "os/fs.h"
#include "os/thread.h"
#include "scan/inside.h"

void status_take(struct status *status, const struct buf *xattrs, struct arena *arena)
{
	uint8_t *copy;

	status->looked = true;
	if (xattrs->size == 0)
		return;
	copy = arena_alloc(arena, xattrs->size, 1);
	memcpy(copy, xattrs->data, xattrs->size);
	status->xattrs = copy;
	status->xattr_bytes = xattrs->size;
}

static void look(struct status *status, int fd, struct arena *arena, struct buf *scratch)
{
	if (os_xattrs_get(fd, scratch) < 0)
		buf_clear(scratch);
	status_take(status, scratch, arena);
}

static bool is_known_file(const struct found *found)
{
	return found->as == AS_EQUAL || found->as == AS_MOVED || found->as == AS_RESTORED;
}

static bool has_ctime(const struct kept *kept, const struct status *status)
{
	return kept->time_sec == status->ctime_sec && kept->time_nsec == status->ctime_nsec;
}

/* Same mode and owner? */
static bool has_rights(const struct meta *meta, const struct status *status)
{
	return meta->mode == status->mode && meta->uid == status->uid && meta->gid == status->gid;
}

static bool is_as_kept(const struct kept *kept, const struct status *status)
{
	return kept->meta != NULL && has_ctime(kept, status) && has_rights(kept->meta, status) &&
	       kept->link_count == status->link_count;
}

static bool has_to_be_looked_at(const struct found *found)
{
	return found->kind == FOUND_FILE &&
	       !(is_known_file(found) && is_as_kept(&found->was.file->kept, &found->status));
}

/* Each disk has its thread. A file that cannot be opened is not looked at: the sync will tell of it. */
static void *look_at_tree(void *argument)
{
	struct tree *tree = argument;
	struct buf scratch = { NULL, 0, 0 };
	int root_fd = -1;

	for (size_t i = 0; i < tree->count; ++i) {
		struct found *found = &tree->found[i];
		int fd;

		if (!has_to_be_looked_at(found))
			continue;
		if (root_fd < 0)
			root_fd = os_open_dir(tree->disk->dir);
		fd = root_fd < 0 ? -1 : os_open_beneath(root_fd, found->path, O_RDONLY, 0);
		if (fd >= 0) {
			look(&found->status, fd, tree->arena, &scratch);
			found->status.sparse = found->status.is_short && os_has_holes(fd, found->stamp.size);
			if (!is_known_file(found) && tree->options->order == SCAN_PHYSICAL) {
				found->status.offset = found->stamp.size > 0 ? os_physical_offset(fd) : 0;
				found->status.located = true;
			}
		}
		os_close(fd);
	}
	os_close(root_fd);
	buf_done(&scratch);
	return NULL;
}

static void look_at_all(struct scan *scan)
{
	thread_t *thread = mem_alloc(scan->tree_count * sizeof(*thread));
	bool one_by_one = scan->options.one_by_one;

	for (unsigned i = 0; i < scan->tree_count; ++i) {
		thread_start(&thread[i], look_at_tree, &scan->tree[i]);
		if (one_by_one)
			thread_join(thread[i]);
	}
	for (unsigned i = 0; !one_by_one && i < scan->tree_count; ++i)
		thread_join(thread[i]);
	free(thread);
}

/* `before`: what is recorded, NULL: nothing. What could not be looked at stays as it is recorded. */
static struct meta *meta_of(const struct status *status, const struct meta *before, struct array *array)
{
	struct meta meta = { .mode = status->mode, .uid = status->uid, .gid = status->gid };

	if (status->looked) {
		meta.xattrs = status->xattrs;
		meta.xattr_bytes = status->xattr_bytes;
		meta.sparse = status->sparse;
	} else if (before != NULL) {
		meta.xattrs = before->xattrs;
		meta.xattr_bytes = before->xattr_bytes;
		meta.sparse = before->sparse;
	}
	return meta_intern(array->metas, &meta);
}

/* Can its data be other than recorded, although size and time are the same? */
static bool is_suspect(const struct disk *disk, const struct found *found)
{
	const struct file *file = found->was.file;
	const struct kept *kept = &file->kept;
	const struct meta *was = kept->meta, *now = found->kept.meta;

	if (was == NULL || has_ctime(kept, &found->status) || disk->replaced || file->stamp.size == 0)
		return false;
	return file->inode == found->inode && strcmp(file->path, found->path) == 0 &&
	       kept->link_count == found->status.link_count && has_rights(was, &found->status) && was->xattr_bytes == now->xattr_bytes &&
	       (now->xattr_bytes == 0 || memcmp(was->xattrs, now->xattrs, now->xattr_bytes) == 0);
}

static void keep_file(struct found *found, const struct disk *disk, struct array *array)
{
	const struct status *status = &found->status;
	const struct file *file = is_known_file(found) ? found->was.file : NULL;

	if (file != NULL && is_as_kept(&file->kept, status)) {
		found->kept = file->kept;
		found->suspect |= file->suspect;
		return;
	}
	found->kept = (struct kept){ meta_of(status, file != NULL ? file->kept.meta : NULL, array), status->ctime_sec,
				     status->ctime_nsec, status->link_count };
	found->suspect |= file != NULL && (file->suspect || is_suspect(disk, found));
}

static void keep_symlink(struct found *found, struct array *array)
{
	found->kept = (struct kept){ meta_of(&found->status, NULL, array), found->stamp.mtime_sec,
				     found->stamp.mtime_nsec, 0 };
}

void keep_find(struct scan *scan, struct array *array)
{
	if (!scan->options.keep_metadata)
		return;
	look_at_all(scan);
	for (unsigned t = 0; t < scan->tree_count; ++t) {
		struct tree *tree = &scan->tree[t];

		for (size_t i = 0; i < tree->count; ++i)
			if (tree->found[i].kind == FOUND_FILE)
				keep_file(&tree->found[i], tree->disk, array);
			else if (tree->found[i].kind == FOUND_SYMLINK)
				keep_symlink(&tree->found[i], array);
	}
}

bool kept_equal(const struct kept *a, const struct kept *b)
{
	return a->meta == b->meta && a->time_sec == b->time_sec && a->time_nsec == b->time_nsec &&
	       a->link_count == b->link_count;
}

static bool dir_equal(const struct kept_dir *a, const struct kept_dir *b)
{
	return a->meta == b->meta && a->has_time == b->has_time && a->mtime_sec == b->mtime_sec &&
	       a->mtime_nsec == b->mtime_nsec && strcmp(a->path, b->path) == 0;
}

static struct kept_dir kept_of(const struct found_dir *found, struct array *array)
{
	struct kept_dir kept = { .path = found->path, .meta = meta_of(&found->status, NULL, array),
				 .has_time = found->has_time };

	if (kept.has_time) {
		kept.mtime_sec = found->mtime_sec;
		kept.mtime_nsec = found->mtime_nsec;
	}
	return kept;
}

bool keep_dirs(const struct tree *tree, struct array *array)
{
	struct disk *disk = tree->disk;
	/* A disk of which nothing is recorded has no place in the content file. */
	size_t count = disk_is_unused(disk) ? 0 : tree->dir_count;
	struct kept_dir *list;
	bool changed = count != disk->kept_dir_count;

	if (!tree->options->keep_metadata || tree->options->skip_access)
		return false;
	list = mem_alloc(count * sizeof(*list));
	for (size_t i = 0; i < count; ++i) {
		list[i] = kept_of(&tree->dir[i], array);
		changed |= i >= disk->kept_dir_count || !dir_equal(&list[i], &disk->kept_dir[i]);
		list[i].path = arena_strdup(array->arena, list[i].path);
	}
	free(disk->kept_dir);
	disk->kept_dir = list;
	disk->kept_dir_count = count;
	return changed;
}
