/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section META of the side file:
 *
 *	records		how many; of each: mode, uid, gid, 1 if sparse, bytes of xattrs, xattrs
 *	disks		how many; of each its column, then
 *	  files		how many, all of the disk in the order of the content file; of each: 0, or the number of its
 *			record (from 1) times 2, + 1 if its data has still to be looked at; then ctime less mtime in
 *			seconds, nanoseconds of the ctime, links
 *	  links		how many; of each: 0, or the number of its record; then mtime: seconds, nanoseconds
 *	  directories	how many; of each: path, number of its record, 1 if it has a time; then that
 *
 * All or nothing is read. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/le.h"
#include "base/path.h"
#include "base/xattrs.h"
#include "content/side.h"

#define NSEC_END	1000000000u

bool meta_has_any(const struct array *array)
{
	return array->keep_metadata;
}

/* Is the disk in the content file? */
static bool is_written(const struct disk *disk)
{
	return disk->map_order != UINT_MAX;
}

/* Visit every record in use, in the order of the file. */
static void for_each(const struct array *array, void (*visit)(struct meta *meta, void *argument), void *argument)
{
	for (unsigned d = 0; d < array->disk_count; d++) {
		const struct disk *disk = array->disk[d];
		const struct tommy_node *node;

		if (!is_written(disk))
			continue;
		for (node = tommy_list_head(&disk->files); node != NULL; node = node->next)
			visit(((const struct file *)node->data)->kept.meta, argument);
		for (node = tommy_list_head(&disk->links); node != NULL; node = node->next)
			visit(((const struct link *)node->data)->kept.meta, argument);
		for (size_t i = 0; i < disk->kept_dir_count; i++)
			visit(disk->kept_dir[i].meta, argument);
	}
}

struct numbering {
	struct meta **record;
	size_t count, room;
};

/* A number is one of this numbering if the record of that number is this one; else it is of an earlier save. */
static bool is_numbered(const struct numbering *numbering, const struct meta *meta)
{
	return meta->number > 0 && meta->number <= numbering->count && numbering->record[meta->number - 1] == meta;
}

static void number(struct meta *meta, void *argument)
{
	struct numbering *numbering = argument;

	if (meta == NULL || is_numbered(numbering, meta))
		return;
	mem_grow(&numbering->record, numbering->count, &numbering->room, sizeof(struct meta *));
	numbering->record[numbering->count++] = meta;
	meta->number = (uint32_t)numbering->count;
}

static void write_records(struct packer *packer, const struct array *array)
{
	struct numbering numbering = { 0 };

	for_each(array, number, &numbering);
	pack_integer(packer, numbering.count);
	for (size_t i = 0; i < numbering.count; i++) {
		const struct meta *meta = numbering.record[i];

		pack_integer(packer, meta->mode);
		pack_integer(packer, meta->uid);
		pack_integer(packer, meta->gid);
		pack_integer(packer, meta->sparse);
		pack_integer(packer, meta->xattr_bytes);
		pack_bytes(packer, meta->xattrs, meta->xattr_bytes);
	}
	free(numbering.record);
}

static void write_file(struct packer *packer, const struct file *file)
{
	const struct kept *kept = &file->kept;

	if (kept->meta == NULL) {
		pack_integer(packer, 0);
		return;
	}
	pack_integer(packer, (uint64_t)kept->meta->number * 2 + file->suspect);
	pack_signed(packer, (int64_t)((uint64_t)kept->time_sec - (uint64_t)file->stamp.mtime_sec));
	pack_integer(packer, kept->time_nsec);
	pack_integer(packer, kept->link_count);
}

static void write_link(struct packer *packer, const struct kept *kept)
{
	if (kept->meta == NULL) {
		pack_integer(packer, 0);
		return;
	}
	pack_integer(packer, kept->meta->number);
	pack_signed(packer, kept->time_sec);
	pack_integer(packer, kept->time_nsec);
}

static void write_dir(struct packer *packer, const struct kept_dir *dir)
{
	pack_string(packer, dir->path);
	pack_integer(packer, dir->meta->number);
	pack_integer(packer, dir->has_time);
	if (!dir->has_time)
		return;
	pack_signed(packer, dir->mtime_sec);
	pack_integer(packer, dir->mtime_nsec);
}

static void write_disk(struct packer *packer, const struct disk *disk)
{
	const struct tommy_node *node;

	pack_integer(packer, disk->column);
	pack_integer(packer, disk->file_count);
	for (node = tommy_list_head(&disk->files); node != NULL; node = node->next)
		write_file(packer, node->data);
	pack_integer(packer, disk->link_count);
	for (node = tommy_list_head(&disk->links); node != NULL; node = node->next)
		write_link(packer, &((const struct link *)node->data)->kept);
	pack_integer(packer, disk->kept_dir_count);
	for (size_t i = 0; i < disk->kept_dir_count; i++)
		write_dir(packer, &disk->kept_dir[i]);
}

void meta_write(struct packer *packer, struct array *array)
{
	unsigned count = 0;

	for (unsigned d = 0; d < array->disk_count; d++)
		count += is_written(array->disk[d]);
	write_records(packer, array);
	pack_integer(packer, count);
	for (unsigned d = 0; d < array->disk_count; d++)
		if (is_written(array->disk[d]))
			write_disk(packer, array->disk[d]);
}

struct reader {
	struct unpacker *in;
	struct array *array;
	struct meta **record;
	size_t count;
	struct buf text;
};

static void fail(struct reader *r)
{
	r->in->bad = true;
}

/* One that must be below `end`, or it is taken for 0 and the reading fails. */
static uint64_t read_below(struct reader *r, uint64_t end)
{
	uint64_t value = unpack_integer(r->in);

	if (value < end)
		return value;
	fail(r);
	return 0;
}

static size_t count_slashes(const char *path)
{
	size_t count = 0;

	for (path = strchr(path, '/'); path != NULL; path = strchr(path + 1, '/'))
		count++;
	return count;
}

/* At most so many directories can a disk have: each holds something of it, is empty, or is the root. */
static size_t dirs_at_most(const struct disk *disk)
{
	const struct tommy_node *node;
	size_t count = 1 + disk->dir_count;

	for (node = tommy_list_head(&disk->files); node != NULL; node = node->next)
		count += count_slashes(((const struct file *)node->data)->path);
	for (node = tommy_list_head(&disk->links); node != NULL; node = node->next)
		count += count_slashes(((const struct link *)node->data)->path);
	for (node = tommy_list_head(&disk->dirs); node != NULL; node = node->next)
		count += count_slashes(((const struct dir *)node->data)->path);
	return count;
}

/* Can the disk have so many directories? Mostly they are fewer than its files, and all slashes need not be counted. */
static bool are_possible_dirs(const struct disk *disk, uint64_t count)
{
	return count <= disk->file_count || count <= dirs_at_most(disk);
}

/* Can so many records be in use, at most one by each file, link and directory? */
static bool are_possible_records(const struct array *array, uint64_t count)
{
	uint64_t most = 0;

	for (unsigned d = 0; d < array->disk_count && most < count; d++)
		most += array->disk[d]->file_count;
	for (unsigned d = 0; d < array->disk_count && most < count; d++)
		most += array->disk[d]->link_count + dirs_at_most(array->disk[d]);
	return count <= most;
}

/* The next bytes into r->text, piece by piece: a length alone allocates nothing. */
static void read_bytes(struct reader *r, size_t size)
{
	uint8_t piece[4096];

	while (size > 0 && !r->in->bad) {
		size_t some = size < sizeof(piece) ? size : sizeof(piece);

		unpack_bytes(r->in, piece, some);
		buf_add(&r->text, piece, some);
		size -= some;
	}
}

/* To its end, with the NUL. Returns how long it is. */
static size_t read_name(struct reader *r)
{
	size_t at = r->text.size, size;

	do {
		read_bytes(r, 1);
		size = r->text.size - at;
	} while (!r->in->bad && r->text.data[r->text.size - 1] != '\0' && size <= XATTR_NAME_MAX_BYTES);
	return size;
}

/* A set of so many bytes into r->text: one attribute after the other, and no more of them than a file can have. */
static void read_xattrs(struct reader *r, uint64_t size)
{
	size_t names = 0;

	buf_clear(&r->text);
	while (r->text.size < size && !r->in->bad) {
		uint8_t value[4];

		names += read_name(r);
		unpack_bytes(r->in, value, sizeof(value));
		buf_add(&r->text, value, sizeof(value));
		if (names > XATTR_NAMES_MAX || le32_load(value) > XATTR_BYTES_MAX)
			fail(r);
		read_bytes(r, le32_load(value));
	}
	if (r->text.size != size || (size > 0 && !xattrs_are_valid((const uint8_t *)r->text.data, r->text.size)))
		fail(r);
}

static void read_records(struct reader *r)
{
	uint64_t count = unpack_integer(r->in);
	size_t room = 0;

	if (!are_possible_records(r->array, count))
		fail(r);
	for (uint64_t i = 0; i < count && !r->in->bad; i++) {
		struct meta meta = { .mode = (uint32_t)read_below(r, 010000) };

		meta.uid = (uint32_t)read_below(r, 1ull << 32);
		meta.gid = (uint32_t)read_below(r, 1ull << 32);
		meta.sparse = read_below(r, 2);
		read_xattrs(r, unpack_integer(r->in));
		meta.xattrs = (const uint8_t *)r->text.data;
		meta.xattr_bytes = r->text.size;
		if (r->in->bad)
			return;
		mem_grow(&r->record, r->count, &room, sizeof(struct meta *));
		r->record[r->count++] = meta_intern(r->array->metas, &meta);
	}
}

/* A number from 1 on; NULL for 0. */
static struct meta *record_of(const struct reader *r, uint64_t number)
{
	return number == 0 ? NULL : r->record[number - 1];
}

static void read_file(struct reader *r, struct file *file)
{
	uint64_t word = read_below(r, (r->count + 1) * 2);

	file->kept.meta = record_of(r, word / 2);
	if (file->kept.meta == NULL) {
		if (word != 0)
			fail(r);
		return;
	}
	file->suspect = word & 1;
	file->kept.time_sec = (int64_t)((uint64_t)unpack_signed(r->in) + (uint64_t)file->stamp.mtime_sec);
	file->kept.time_nsec = (uint32_t)read_below(r, NSEC_END);
	file->kept.link_count = (uint32_t)read_below(r, 1ull << 32);
}

static void read_link(struct reader *r, struct link *link)
{
	link->kept.meta = record_of(r, read_below(r, r->count + 1));
	if (link->kept.meta == NULL)
		return;
	link->kept.time_sec = unpack_signed(r->in);
	link->kept.time_nsec = (uint32_t)read_below(r, NSEC_END);
}

static void read_dirs(struct reader *r, struct disk *disk)
{
	uint64_t count = unpack_integer(r->in);
	size_t room = 0;

	if (!are_possible_dirs(disk, count))
		fail(r);
	for (uint64_t i = 0; i < count && !r->in->bad; i++) {
		struct kept_dir dir = { 0 };

		unpack_string(r->in, PATH_BYTES_MAX, &r->text);
		dir.meta = record_of(r, read_below(r, r->count + 1));
		dir.has_time = read_below(r, 2);
		if (dir.has_time) {
			dir.mtime_sec = unpack_signed(r->in);
			dir.mtime_nsec = (uint32_t)read_below(r, NSEC_END);
		}
		if (r->text.size > 0 && !path_is_safe(r->text.data, r->text.size))
			fail(r);
		if (dir.meta == NULL)
			fail(r);
		if (r->in->bad)
			return;
		dir.path = arena_strdup(r->array->arena, r->text.data);
		mem_grow(&disk->kept_dir, disk->kept_dir_count, &room, sizeof(dir));
		disk->kept_dir[disk->kept_dir_count++] = dir;
	}
}

static void read_disk(struct reader *r)
{
	struct disk *disk = array_disk_at(r->array, (column_t)read_below(r, COLUMN_MAX));
	struct tommy_node *node;

	if (disk == NULL || disk->kept_dir_count > 0 || unpack_integer(r->in) != disk->file_count) {
		fail(r);
		return;
	}
	for (node = tommy_list_head(&disk->files); node != NULL && !r->in->bad; node = node->next)
		read_file(r, node->data);
	if (unpack_integer(r->in) != disk->link_count)
		fail(r);
	for (node = tommy_list_head(&disk->links); node != NULL && !r->in->bad; node = node->next)
		read_link(r, node->data);
	read_dirs(r, disk);
}

static void forget_all(struct array *array)
{
	for (unsigned d = 0; d < array->disk_count; d++) {
		struct disk *disk = array->disk[d];
		struct tommy_node *node;

		for (node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
			((struct file *)node->data)->kept = (struct kept){ NULL, 0, 0, 0 };
			((struct file *)node->data)->suspect = false;
		}
		for (node = tommy_list_head(&disk->links); node != NULL; node = node->next)
			((struct link *)node->data)->kept = (struct kept){ NULL, 0, 0, 0 };
		disk->kept_dir_count = 0;
	}
}

bool meta_read(struct unpacker *unpacker, struct array *array)
{
	struct reader r = { .in = unpacker, .array = array };
	uint64_t disks;
	bool good;

	if (!array->keep_metadata)
		return true;
	read_records(&r);
	disks = read_below(&r, array->disk_count + 1);
	while (disks-- > 0 && !unpacker->bad)
		read_disk(&r);
	good = unpacker_is_at_end(unpacker);
	if (!good)
		forget_all(array);
	free(r.record);
	buf_done(&r.text);
	return good;
}
