/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/disk.h"

#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"

struct disk *disk_new(const char *name, const char *dir, unsigned hash_size, struct arena *arena)
{
	struct disk *disk = mem_zalloc(sizeof(*disk));

	disk->name = mem_strdup(name);
	disk->dir = mem_strdup(dir);
	disk->column = COLUMN_NONE;
	disk->map_order = UINT_MAX;
	disk->uuid = mem_strdup("");
	disk->map = extent_map_new(hash_size, arena);
	return disk;
}

static void file_free(void *arg, void *data)
{
	struct file *file = data;

	(void)arg;
	free(file->path);
	free(file);
}

static void link_free(void *arg, void *data)
{
	struct link *link = data;

	(void)arg;
	free(link->path);
	free(link->target);
	free(link);
}

static void dir_free(void *arg, void *data)
{
	struct dir *dir = data;

	(void)arg;
	free(dir->path);
	free(dir);
}

void disk_free(struct disk *disk)
{
	if (disk == NULL)
		return;
	tommy_list_foreach(&disk->files, file_free, NULL);
	tommy_list_foreach(&disk->links, link_free, NULL);
	tommy_list_foreach(&disk->dirs, dir_free, NULL);
	extent_map_free(disk->map);
	free(disk->kept_dir);
	free(disk->name);
	free(disk->dir);
	free(disk->uuid);
	free(disk->uuid_now);
	free(disk);
}

struct file *disk_add_file(struct disk *disk, const char *path, const struct stamp *stamp, uint64_t inode)
{
	struct file *file = mem_zalloc(sizeof(*file));

	file->path = mem_strdup(path);
	file->stamp = *stamp;
	file->inode = inode;
	tommy_list_insert_tail(&disk->files, &file->node, file);
	disk->file_count++;
	return file;
}

struct link *disk_add_link(struct disk *disk, const char *path, const char *target, bool hard)
{
	struct link *link = mem_zalloc(sizeof(*link));

	link->path = mem_strdup(path);
	link->target = mem_strdup(target);
	link->hard = hard;
	tommy_list_insert_tail(&disk->links, &link->node, link);
	disk->link_count++;
	return link;
}

struct dir *disk_add_dir(struct disk *disk, const char *path)
{
	struct dir *dir = mem_zalloc(sizeof(*dir));

	dir->path = mem_strdup(path);
	tommy_list_insert_tail(&disk->dirs, &dir->node, dir);
	disk->dir_count++;
	return dir;
}

void disk_remove_file(struct disk *disk, struct file *file)
{
	extent_delete_file(disk->map, file);
	tommy_list_remove(&disk->files, &file->node);
	disk->file_count--;
	file_free(NULL, file);
}

void disk_remove_link(struct disk *disk, struct link *link)
{
	tommy_list_remove(&disk->links, &link->node);
	disk->link_count--;
	link_free(NULL, link);
}

void disk_remove_dir(struct disk *disk, struct dir *dir)
{
	tommy_list_remove(&disk->dirs, &dir->node);
	disk->dir_count--;
	dir_free(NULL, dir);
}

void file_set_path(struct file *file, const char *path)
{
	char *copy = mem_strdup(path);	/* `path` may be the present one, or a part of it */

	free(file->path);
	file->path = copy;
}

bool disk_is_unused(const struct disk *disk)
{
	return disk->file_count == 0 && disk->link_count == 0 && disk->dir_count == 0 &&
	       extent_map_end(disk->map) == 0;
}
