/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of a disk: files with their runs of blocks, links, empty directories, deleted blocks. */
#include "content/record.h"

#include <string.h>

#define NSEC_END	UINT32_C(1000000000)
#define MARK_BLOCKS	((uint64_t)1 << 18)	/* blocks that share one area of zero marks */

static int read_stamp_time(struct decoder *d, struct stamp *stamp)
{
	uint64_t sec;
	uint32_t nsec;

	if (decoder_u64(d, &sec) < 0 || decoder_u32(d, &nsec) < 0)
		return -1;
	if (nsec > NSEC_END)
		return decoder_fail(d, TROUBLE_BROKEN, "a time has more than 999999999 nanoseconds");
	stamp->mtime_sec = (int64_t)sec;
	stamp->mtime_nsec = nsec > 0 ? nsec - 1 : NSEC_UNKNOWN;
	return 0;
}

static int insert_run(struct decoder *d, struct disk *disk, struct file *file, block_t first, stripe_t at,
		      stripe_t count, enum block_state state, const uint8_t *hash, bool writable)
{
	d->has_unsynced |= block_is_unsynced(state);
	/* Not writable where it points into the file, const or not. */
	if (extent_insert(disk->map, file, first, at, count, state, (uint8_t *)(uintptr_t)hash, writable) ==
	    NULL)
		return decoder_fail(d, TROUBLE_BROKEN,
				    "disk '%.100s' has two blocks in one of the %llu stripes from %llu",
				    disk->name, (unsigned long long)count, (unsigned long long)at);
	return 0;
}

/* Blocks of very old versions that have no hash: CHG over nothing. All share one area of marks, as their
 * number is bound by no byte of the file. */
static int insert_unhashed(struct decoder *d, struct disk *disk, struct file *file, block_t first,
			   stripe_t at, stripe_t count)
{
	if (d->marks == NULL) {
		size_t size = (size_t)MARK_BLOCKS * d->array->hash_size;

		d->marks = arena_alloc(d->array->arena, size, 1);
		for (size_t i = 0; i < size; i += d->array->hash_size)
			past_set_zero(d->marks + i, d->array->hash_size);
	}
	while (count > 0) {
		stripe_t some = count < MARK_BLOCKS ? count : MARK_BLOCKS;

		if (insert_run(d, disk, file, first, at, some, BLOCK_CHG, d->marks, false) < 0)
			return -1;
		first += some;
		at += some;
		count -= some;
	}
	return 0;
}

static int read_run(struct decoder *d, struct disk *disk, struct file *file, block_t first, block_t left,
		    block_t *count)
{
	const uint8_t *hash = NULL;
	uint64_t at;
	uint8_t state;

	if (decoder_byte(d, &state) < 0 || decoder_u64(d, &at) < 0 || decoder_u64(d, count) < 0)
		return -1;
	if (memchr("bgpn", state, 4) == NULL)
		return decoder_fail(d, TROUBLE_BROKEN, "blocks of '%.200s' are in the unknown state 0x%02x",
				    file->path, state);
	if (*count > left)
		return decoder_fail(d, TROUBLE_BROKEN, "'%.200s' has more blocks than its size needs",
				    file->path);
	if (at > d->stripe_count || *count > d->stripe_count - at)
		return decoder_fail(d, TROUBLE_BROKEN, "'%.200s' goes beyond the last stripe", file->path);
	if (state != 'n') {
		hash = decoder_hashes(d, *count);
		if (hash == NULL)
			return -1;
	}
	if (*count == 0)
		return 0;
	switch (state) {
	case 'b':
		return insert_run(d, disk, file, first, at, *count, BLOCK_BLK, hash, false);
	case 'g':
		return insert_run(d, disk, file, first, at, *count, BLOCK_CHG, hash, false);
	case 'p':
		return insert_run(d, disk, file, first, at, *count, BLOCK_REP, hash, false);
	default:
		return insert_unhashed(d, disk, file, first, at, *count);
	}
}

int read_file(struct decoder *d)
{
	char path[PATH_BYTES_MAX + 1];
	struct stamp stamp = { 0 };
	struct disk *disk;
	struct file *file;
	uint64_t inode;
	uint32_t index;
	block_t blocks, count;

	if (decoder_begin_blocks(d) < 0)
		return -1;
	disk = decoder_disk(d, &index);
	if (disk == NULL || decoder_u64(d, &stamp.size) < 0 || read_stamp_time(d, &stamp) < 0 ||
	    decoder_u64(d, &inode) < 0 || decoder_path(d, path) < 0)
		return -1;
	if (stamp.size / d->array->block_size > d->stripe_count)
		return decoder_fail(d, TROUBLE_BROKEN, "'%.200s' is larger than the array", path);
	file = disk_add_file(disk, path, &stamp, inode);
	pathset_add(&d->paths[index], file->path);
	blocks = file_block_count(file, d->array->block_size);
	for (block_t first = 0; first < blocks; first += count)
		if (read_run(d, disk, file, first, blocks - first, &count) < 0)
			return -1;
	return 0;
}

static int read_link(struct decoder *d, bool hard)
{
	char path[PATH_BYTES_MAX + 1], target[PATH_BYTES_MAX + 1];
	struct disk *disk;
	uint32_t index;

	disk = decoder_disk(d, &index);
	if (disk == NULL || decoder_path(d, path) < 0)
		return -1;
	/* The target of a hard link is a file of this disk; that of a symbolic link is any text. */
	if ((hard ? decoder_path(d, target) : decoder_string(d, target, PATH_BYTES_MAX)) < 0)
		return -1;
	pathset_add(&d->paths[index], disk_add_link(disk, path, target, hard)->path);
	return 0;
}

int read_hard_link(struct decoder *d)
{
	return read_link(d, true);
}

int read_symlink(struct decoder *d)
{
	return read_link(d, false);
}

int read_dir(struct decoder *d)
{
	char path[PATH_BYTES_MAX + 1];
	struct disk *disk;
	uint32_t index;

	disk = decoder_disk(d, &index);
	if (disk == NULL || decoder_path(d, path) < 0)
		return -1;
	pathset_add(&d->paths[index], disk_add_dir(disk, path)->path);
	return 0;
}

int read_deleted(struct decoder *d)
{
	struct disk *disk;
	uint64_t at = 0, count;
	uint32_t index;
	uint8_t kind;

	if (decoder_begin_blocks(d) < 0)
		return -1;
	disk = decoder_disk(d, &index);
	if (disk == NULL)
		return -1;
	for (; at < d->stripe_count; at += count) {
		const uint8_t *hash;

		if (decoder_u64(d, &count) < 0 || decoder_byte(d, &kind) < 0)
			return -1;
		if (count > d->stripe_count - at)
			return decoder_fail(d, TROUBLE_BROKEN, "deleted blocks go beyond the last stripe");
		if (kind == 'O')
			continue;
		if (kind != 'o')
			return decoder_fail(d, TROUBLE_BROKEN, "deleted blocks of the unknown kind 0x%02x",
					    kind);
		hash = decoder_hashes(d, count);
		if (hash == NULL)
			return -1;
		if (count > 0 && insert_run(d, disk, NULL, 0, at, count, BLOCK_DELETED, hash, false) < 0)
			return -1;
	}
	return 0;
}

/* Files gone since the last sync, whose data a snapshot may still have. Read over: what is saved here is a
 * version without them. */
int read_gone_files(struct decoder *d)
{
	char path[PATH_BYTES_MAX + 1];
	struct file file = { .path = path };
	uint64_t count;
	uint32_t index;

	if (decoder_begin_blocks(d) < 0 || decoder_disk(d, &index) == NULL || decoder_u64(d, &count) < 0)
		return -1;
	for (uint64_t i = 0; i < count; i++) {
		if (decoder_path(d, path) < 0 || decoder_u64(d, &file.stamp.size) < 0 ||
		    read_stamp_time(d, &file.stamp) < 0)
			return -1;
		if (decoder_hashes(d, file_block_count(&file, d->array->block_size)) == NULL)
			return -1;
	}
	return 0;
}

static uint8_t state_letter(enum block_state state)
{
	return state == BLOCK_BLK ? 'b' : state == BLOCK_CHG ? 'g' : 'p';
}

static void write_hashes(struct encoder *e, const struct extent *extent)
{
	sink_bytes(e->sink, extent->hash, (size_t)extent->count * e->array->hash_size);
}

/* Runs are maximal in the file: extents that differ only in where their hashes are make one. */
static void write_runs(struct encoder *e, const struct file *file)
{
	const struct extent *first = file->extent, *next;

	for (; first != NULL; first = next) {
		stripe_t count = first->count;

		for (next = first->next; next != NULL && next->state == first->state &&
					 next->at == first->at + count; next = next->next)
			count += next->count;
		sink_byte(e->sink, state_letter(first->state));
		sink_integer(e->sink, first->at);
		sink_integer(e->sink, count);
		for (const struct extent *extent = first; extent != next; extent = extent->next)
			write_hashes(e, extent);
	}
}

void write_files(struct encoder *e)
{
	for (struct tommy_node *node = tommy_list_head(&e->owner->files); node != NULL; node = node->next) {
		const struct file *file = node->data;
		uint32_t nsec = file->stamp.mtime_nsec;

		sink_byte(e->sink, 'f');
		sink_integer(e->sink, e->owner->map_order);
		sink_integer(e->sink, file->stamp.size);
		sink_integer(e->sink, (uint64_t)file->stamp.mtime_sec);
		sink_integer(e->sink, nsec == NSEC_UNKNOWN ? 0 : nsec + 1);
		sink_integer(e->sink, file->inode);
		sink_string(e->sink, file->path);
		write_runs(e, file);
	}
}

void write_links(struct encoder *e)
{
	for (struct tommy_node *node = tommy_list_head(&e->owner->links); node != NULL; node = node->next) {
		const struct link *link = node->data;

		sink_byte(e->sink, link->hard ? 'a' : 's');
		sink_integer(e->sink, e->owner->map_order);
		sink_string(e->sink, link->path);
		sink_string(e->sink, link->target);
	}
}

void write_dirs(struct encoder *e)
{
	for (struct tommy_node *node = tommy_list_head(&e->owner->dirs); node != NULL; node = node->next) {
		const struct dir *dir = node->data;

		sink_byte(e->sink, 'r');
		sink_integer(e->sink, e->owner->map_order);
		sink_string(e->sink, dir->path);
	}
}

static void write_hole_run(struct encoder *e, stripe_t count, uint8_t kind)
{
	if (count == 0)
		return;
	sink_integer(e->sink, count);
	sink_byte(e->sink, kind);
}

/* The next DELETED extent from `extent` on, itself included. */
static const struct extent *deleted_from(const struct extent *extent)
{
	while (extent != NULL && extent->state != BLOCK_DELETED)
		extent = extent_next(extent);
	return extent;
}

void write_deleted(struct encoder *e)
{
	const struct extent *first = deleted_from(extent_from(e->owner->map, 0)), *next;
	stripe_t at = 0;

	sink_byte(e->sink, 'h');
	sink_integer(e->sink, e->owner->map_order);
	for (; first != NULL; first = next) {
		stripe_t end = first->at + first->count;

		for (next = deleted_from(extent_next(first)); next != NULL && next->at == end;
		     next = deleted_from(extent_next(next)))
			end += next->count;
		write_hole_run(e, first->at - at, 'O');
		write_hole_run(e, end - first->at, 'o');
		for (const struct extent *x = first; x != next; x = deleted_from(extent_next(x)))
			write_hashes(e, x);
		at = end;
	}
	write_hole_run(e, e->stripe_count - at, 'O');
}
