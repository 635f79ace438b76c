/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The array becomes what was found. Disk by disk, what is gone leaves before anything new is placed, so
 * that its stripes are used again at once. behaviour.md 2.2, 3.4. */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "array/place.h"
#include "os/file.h"
#include "os/fs.h"
#include "os/thread.h"
#include "scan/inside.h"

/* A file that needs stripes. A known one keeps its own, if never synced too: the parity may hold it there already. */
struct placing {
	const struct found *found;
	uint64_t key;		/* of the order */
};

struct placings {
	const struct tree *tree;
	struct placing *item;
	size_t count, room;
};

static bool is_new_file(const struct found *found)
{
	return found->kind == FOUND_FILE && (found->as == AS_ADDED || found->as == AS_UPDATED ||
					     found->as == AS_COPIED || found->as == AS_RELOCATED);
}

static void placings_add(struct placings *placings, const struct placing *placing)
{
	mem_grow(&placings->item, placings->count, &placings->room, sizeof(*placings->item));
	placings->item[placings->count++] = *placing;
}

static void placings_collect(struct placings *placings)
{
	const struct tree *tree = placings->tree;

	for (size_t i = 0; i < tree->count; ++i)
		if (is_new_file(&tree->found[i]))
			placings_add(placings, &(struct placing){ .found = &tree->found[i] });
}

/* The files of one disk are asked where they lie on the medium, unless keep.c did while it had them open; each disk has
 * its thread. A file that cannot be opened has no place: the sync will tell of it. */
static void *placings_locate(void *argument)
{
	struct placings *placings = argument;
	int root_fd = -1;

	for (size_t i = 0; i < placings->count; ++i) {
		struct placing *placing = &placings->item[i];
		int fd;

		placing->key = placing->found->status.offset;
		if (placing->found->stamp.size == 0 || placing->found->status.located)
			continue;
		if (root_fd < 0)
			root_fd = os_open_dir(placings->tree->disk->dir);
		fd = os_open_beneath(root_fd, placing->found->path, O_RDONLY | O_NONBLOCK, 0);
		if (fd >= 0)
			placing->key = os_physical_offset(fd);
		os_close(fd);
	}
	os_close(root_fd);
	return NULL;
}

static void locate_all(struct placings *placings, unsigned count, bool one_by_one)
{
	thread_t *thread = mem_alloc(count * sizeof(*thread));

	for (unsigned i = 0; i < count; ++i) {
		thread_start(&thread[i], placings_locate, &placings[i]);
		if (one_by_one)
			thread_join(thread[i]);
	}
	for (unsigned i = 0; !one_by_one && i < count; ++i)
		thread_join(thread[i]);
	free(thread);
}

/* Equal keys stay in the order of the walk, which is that of the entries in memory. */
static int compare_key(const void *a, const void *b)
{
	const struct placing *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->found < y->found ? -1 : x->found > y->found;
}

static int compare_path(const void *a, const void *b)
{
	return strcmp(((const struct placing *)a)->found->path, ((const struct placing *)b)->found->path);
}

static void placings_sort(struct placings *placings, enum scan_order order)
{
	if (placings->count == 0)
		return;
	if (order == SCAN_INODE)
		for (size_t i = 0; i < placings->count; ++i)
			placings->item[i].key = placings->item[i].found->inode;
	qsort(placings->item, placings->count, sizeof(*placings->item),
	      order == SCAN_ALPHA ? compare_path : compare_key);
}

/* Returns whether anything was removed. */
static bool remove_gone(struct disk *disk)
{
	size_t before = disk->file_count + disk->link_count + disk->dir_count;
	struct tommy_node *n, *next;

	for (n = tommy_list_head(&disk->files); n != NULL; n = next) {
		next = n->next;
		if (((struct file *)n->data)->mark != FATE_KEPT)
			disk_remove_file(disk, n->data);
	}
	for (n = tommy_list_head(&disk->links); n != NULL; n = next) {
		next = n->next;
		if (((struct link *)n->data)->mark != FATE_KEPT)
			disk_remove_link(disk, n->data);
	}
	for (n = tommy_list_head(&disk->dirs); n != NULL; n = next) {
		next = n->next;
		if (((struct dir *)n->data)->mark != FATE_KEPT)
			disk_remove_dir(disk, n->data);
	}
	return before != disk->file_count + disk->link_count + disk->dir_count;
}

/* In the record the path met first is the file, as SnapRAID finds it too: it would take another one for a
 * move. What was said to the user is another matter: there the file is the one that was it before. A group
 * without a change stays as it is recorded. */
static void regroup_links(struct tree *tree)
{
	struct found *end = tree->found + tree->count, *found;

	for (found = tree->found; found < end; ++found)
		if (found->kind == FOUND_HARDLINK)
			found->same_as->regroup |= found->as != AS_EQUAL || found->same_as->as != AS_EQUAL;
	for (found = tree->found; found < end; ++found) {
		struct found *file = found->same_as;
		const char *path = found->path;

		if (found->kind != FOUND_HARDLINK || found > file || !file->regroup)
			continue;
		found->path = file->path;
		file->path = path;
		file->regroup = false;
	}
	for (found = tree->found; found < end; ++found)
		if (found->kind == FOUND_HARDLINK)
			found->target = found->same_as->path;
}

/* A new inode is worth a save only where it will be trusted: some file systems invent one each time. */
static bool inode_matters(const struct disk *disk)
{
	return disk->inodes_trusted || (disk->uuid_now != NULL && strcmp(disk->uuid, disk->uuid_now) != 0);
}

static bool keep_file(struct disk *disk, const struct found *found)
{
	struct file *file = found->was.file;
	bool renamed = strcmp(file->path, found->path) != 0;
	bool changed = renamed || file->stamp.mtime_nsec != found->stamp.mtime_nsec ||
		       (file->inode != found->inode && inode_matters(disk)) ||
		       !kept_equal(&file->kept, &found->kept) || file->suspect != found->suspect;

	if (renamed)
		disk_set_text(disk, &file->path, found->path);
	file->stamp = found->stamp;
	file->inode = found->inode;
	file->kept = found->kept;
	file->suspect = found->suspect;
	file->assumed = found->assumed;
	return changed;
}

static bool keep_link(struct disk *disk, const struct found *found)
{
	struct link *link = found->was.link;
	bool hard = found->kind == FOUND_HARDLINK;

	if (link->hard == hard && strcmp(link->target, found->target) == 0 &&
	    strcmp(link->path, found->path) == 0 && kept_equal(&link->kept, &found->kept))
		return false;
	link->kept = found->kept;
	disk_set_text(disk, &link->path, found->path);
	disk_set_text(disk, &link->target, found->target);
	link->hard = hard;
	return true;
}

/* What stays takes its new names, links and directories are added. Returns whether anything changed. */
static bool apply_entries(const struct tree *tree)
{
	struct disk *disk = tree->disk;
	bool changed = false;

	for (size_t i = 0; i < tree->count; ++i) {
		const struct found *found = &tree->found[i];

		if (found->kind == FOUND_FILE) {
			if (!is_new_file(found))
				changed |= keep_file(disk, found);
		} else if (found->kind == FOUND_DIR) {
			if (found->as == AS_ADDED) {
				disk_add_dir(disk, found->path);
				changed = true;
			}
		} else if (found->as == AS_ADDED) {
			disk_add_link(disk, found->path, found->target, found->kind == FOUND_HARDLINK)->kept =
				found->kept;
			changed = true;
		} else {
			changed |= keep_link(disk, found);
		}
	}
	return changed;
}

/* A file may claim any size. */
static bool may_fit(struct place *place, const struct file *file, stripe_t most)
{
	return place_has_room(place, file) ||
	       extent_map_end(place->disk->map) + file_block_count(file, place->array->block_size) <=
		       most + holes_room(place->holes);
}

static void place_all(const struct placings *placings, struct array *array, stripe_t most)
{
	struct disk *disk = placings->tree->disk;
	struct place place;

	place_begin(&place, array, disk, array_stripe_count(array));
	for (size_t i = 0; i < placings->count; ++i) {
		const struct found *found = placings->item[i].found;
		struct file *file = disk_add_file(disk, found->path, &found->stamp, found->inode);

		file->kept = found->kept;
		file->assumed = found->hashes != NULL && !found->proven;
		if (may_fit(&place, file, most))
			place_file(&place, file, found->hashes);
	}
	place_end(&place);
}

static void clear_marks(struct disk *disk)
{
	struct tommy_node *n;

	for (n = tommy_list_head(&disk->files); n != NULL; n = n->next)
		((struct file *)n->data)->mark = 0;
	for (n = tommy_list_head(&disk->links); n != NULL; n = n->next)
		((struct link *)n->data)->mark = 0;
	for (n = tommy_list_head(&disk->dirs); n != NULL; n = n->next)
		((struct dir *)n->data)->mark = 0;
}

void scan_apply(struct scan *scan, struct array *array)
{
	unsigned count = scan->tree_count;
	struct placings *placings = mem_zalloc(count * sizeof(*placings));
	stripe_t most = array_stripe_count(array) + scan->options.growth_most;

	assert(array == scan->array);
	keep_find(scan, array);
	for (unsigned i = 0; i < count; ++i) {
		placings[i].tree = &scan->tree[i];
		placings_collect(&placings[i]);
	}
	if (scan->options.order == SCAN_PHYSICAL)
		locate_all(placings, count, scan->options.one_by_one);
	for (unsigned i = 0; i < count; ++i) {
		struct disk *disk = scan->tree[i].disk;

		placings_sort(&placings[i], scan->options.order);
		regroup_links(&scan->tree[i]);
		if (remove_gone(disk))
			array->changed = true;
		if (apply_entries(&scan->tree[i]))
			array->changed = true;
		if (placings[i].count > 0)
			array->changed = true;
		place_all(&placings[i], array, most);
		if (keep_dirs(&scan->tree[i], array))
			array->changed = true;
		clear_marks(disk);
		free(placings[i].item);
	}
	free(placings);
}
