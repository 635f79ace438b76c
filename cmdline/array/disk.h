/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A data disk of the array. */
#ifndef ARRAY_DISK_H
#define ARRAY_DISK_H

#include "array/file.h"

struct disk {
	char *name;
	char *dir;			/* with final slash */
	column_t column;		/* COLUMN_NONE until mapped; never changes while it is in the content file */
	unsigned map_order;		/* place among the disk records of the content file; UINT_MAX: not in it */
	char *uuid;			/* recorded in the content file, "" unknown */
	char *uuid_now;			/* of the file system found now, "" unknown; NULL: not looked */
	uint64_t total_blocks, free_blocks;	/* of the file system, for status; 0 unknown */
	bool replaced;			/* another file system than was recorded: its ctimes tell nothing */
	bool inodes_trusted;		/* recorded inodes may be used to recognise files */
	struct arena *arena;		/* of the array: entries, their texts and the extents live in it */
	struct extent_map *map;
	struct tommy_list files, links, dirs;
	size_t file_count, link_count, dir_count;
	struct kept_dir *kept_dir;	/* all directories, not only the empty ones; malloc */
	size_t kept_dir_count;
};

/* All that the disk holds comes from the arena, and lives as long as that; name and dir are copied. */
struct disk *disk_new(const char *name, const char *dir, unsigned hash_size, struct arena *arena);
void disk_free(struct disk *disk);	/* NULL is fine */

/* Add to the end of the disk's list; `path` and `target` are copied. */
struct file *disk_add_file(struct disk *disk, const char *path, const struct stamp *stamp, uint64_t inode);
struct link *disk_add_link(struct disk *disk, const char *path, const char *target, bool hard);
struct dir *disk_add_dir(struct disk *disk, const char *path);
/* Take away. The blocks of a file become DELETED. */
void disk_remove_file(struct disk *disk, struct file *file);
void disk_remove_link(struct disk *disk, struct link *link);
void disk_remove_dir(struct disk *disk, struct dir *dir);
/* A copy of `now`, which may be a part of the present text, instead of one of its paths and targets. */
void disk_set_text(struct disk *disk, const char **text, const char *now);
bool disk_is_unused(const struct disk *disk);	/* no file, link, directory, nor DELETED block */

#endif
