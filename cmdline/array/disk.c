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
	disk->arena = arena;
	disk->map = extent_map_new(hash_size, arena);
	return disk;
}

void disk_free(struct disk *disk)
{
	if (disk == NULL)
		return;
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
	struct file *file = arena_zalloc(disk->arena, sizeof(*file));

	file->path = arena_strdup(disk->arena, path);
	file->stamp = *stamp;
	file->inode = inode;
	tommy_list_insert_tail(&disk->files, &file->node, file);
	disk->file_count++;
	return file;
}

struct link *disk_add_link(struct disk *disk, const char *path, const char *target, bool hard)
{
	struct link *link = arena_zalloc(disk->arena, sizeof(*link));

	link->path = arena_strdup(disk->arena, path);
	link->target = arena_strdup(disk->arena, target);
	link->hard = hard;
	tommy_list_insert_tail(&disk->links, &link->node, link);
	disk->link_count++;
	return link;
}

struct dir *disk_add_dir(struct disk *disk, const char *path)
{
	struct dir *dir = arena_zalloc(disk->arena, sizeof(*dir));

	dir->path = arena_strdup(disk->arena, path);
	tommy_list_insert_tail(&disk->dirs, &dir->node, dir);
	disk->dir_count++;
	return dir;
}

void disk_remove_file(struct disk *disk, struct file *file)
{
	extent_delete_file(disk->map, file);
	tommy_list_remove(&disk->files, &file->node);
	disk->file_count--;
}

void disk_remove_link(struct disk *disk, struct link *link)
{
	tommy_list_remove(&disk->links, &link->node);
	disk->link_count--;
}

void disk_remove_dir(struct disk *disk, struct dir *dir)
{
	tommy_list_remove(&disk->dirs, &dir->node);
	disk->dir_count--;
}

void disk_set_text(struct disk *disk, const char **text, const char *now)
{
	*text = arena_strdup(disk->arena, now);
}

bool disk_is_unused(const struct disk *disk)
{
	return disk->file_count == 0 && disk->link_count == 0 && disk->dir_count == 0 &&
	       extent_map_end(disk->map) == 0;
}
