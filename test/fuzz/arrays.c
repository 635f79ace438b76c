/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrays.h"

#include <string.h>

#include "array/sweep.h"
#include "content/record.h"
#include "fuzz.h"

#define STRIPES_MAX	((stripe_t)1 << 20)
#define ENCODED_MAX	((uint64_t)1 << 20)	/* what a sink keeps in memory */

static void add_level(struct array *array, unsigned level, const char *name, unsigned splits)
{
	array->level[level].name = name;
	array->level[level].split_count = splits;
	for (unsigned i = 0; i < splits; i++)
		array->level[level].split[i] = (struct split){ .path = mem_strdup("/p"), .uuid = mem_strdup(""),
							       .size_bytes = SPLIT_SIZE_UNKNOWN };
	array->level_count = level + 1;
}

struct array *arrays_configured(void)
{
	struct array *array = array_new(1024, 16);

	array_add_disk(array, "d1", "/d1/");
	array_add_disk(array, "d2", "/d2/");
	add_level(array, 0, "parity", 1);
	add_level(array, 1, "2-parity", 2);
	array->hash.kind = HASH_SPOOKY2;
	array->keep_metadata = true;
	return array;
}

/* Blocks of one state; a file NULL: DELETED. */
static void add_blocks(struct array *array, struct disk *disk, struct file *file, block_t first, stripe_t at,
		       stripe_t count, enum block_state state)
{
	uint8_t *hash = arena_alloc(array->arena, count * array->hash_size, 1);

	for (size_t i = 0; i < count * array->hash_size; i++)
		hash[i] = (uint8_t)(at * 31 + i + state);
	extent_insert(disk->map, file, first, at, count, state, hash, true);
}

static struct file *add_file(struct disk *disk, const char *path, uint64_t size)
{
	const struct stamp stamp = { size, 1700000000, 5 };

	return disk_add_file(disk, path, &stamp, 100 + size);
}

static void fill_first(struct array *array, struct disk *disk)
{
	struct file *b;

	add_blocks(array, disk, add_file(disk, "a", 3000), 0, 0, 3, BLOCK_BLK);
	b = add_file(disk, "dir/b", 3 * 1024);
	add_blocks(array, disk, b, 0, 3, 1, BLOCK_CHG);
	add_blocks(array, disk, b, 1, 4, 2, BLOCK_REP);
	add_file(disk, "empty", 0);
	disk_add_link(disk, "l", "../a", false);
	disk_add_link(disk, "dir/h", "a", true);
	disk_add_dir(disk, "none/here");
}

static void fill_second(struct array *array, struct disk *disk)
{
	add_blocks(array, disk, NULL, 0, 0, 2, BLOCK_DELETED);
	add_blocks(array, disk, add_file(disk, "c", 1), 0, 2, 1, BLOCK_BLK);
	add_blocks(array, disk, NULL, 0, 4, 1, BLOCK_DELETED);
	add_blocks(array, disk, add_file(disk, "dir/deep/x", 1024), 0, 6, 1, BLOCK_CHG);
}

struct array *arrays_filled(bool rehash)
{
	struct array *array = arrays_configured();

	array_map_disks(array);
	fill_first(array, array->disk[0]);
	fill_second(array, array->disk[1]);
	info_set_run(array->info, 0, 2, &(struct info){ .time = 1700000000 });
	info_set(array->info, 2, &(struct info){ .time = 1700000800, .bad = true, .just_synced = true });
	info_set(array->info, 3, &(struct info){ .time = 1600000000, .rehash = rehash });
	array->past_hash.kind = rehash ? HASH_MURMUR3 : HASH_NONE;
	array_forget_unused(array);
	return array;
}

bool arrays_is_small(const struct array *array)
{
	uint64_t blocks = 0;

	for (unsigned d = 0; d < array->disk_count; d++)
		for (const struct extent *x = extent_from(array->disk[d]->map, 0); x != NULL; x = extent_next(x))
			blocks += x->count;
	return blocks <= ENCODED_MAX / 2 / HASH_BYTES_MAX && array_stripe_count(array) <= STRIPES_MAX;
}

void arrays_encode(struct array *array, struct buf *image)
{
	struct sink sink;

	sink_init(&sink, NULL, 0);
	PROMISED(record_encode(array, INT64_MAX, &sink) == 0 && sink.size <= ENCODED_MAX);
	/* It is whole in the buffer, which a flush leaves as it is. */
	buf_clear(image);
	buf_add(image, sink.data, (size_t)sink.size);
	sink_done(&sink);
}

/* Written anew, so that it does not share an error with path_is_safe. */
static bool leads_out(const char *path)
{
	size_t size = strlen(path);

	return size == 0 || path[0] == '/' || path[size - 1] == '/' || strstr(path, "//") != NULL ||
	       strcmp(path, ".") == 0 || strcmp(path, "..") == 0 || strncmp(path, "./", 2) == 0 ||
	       strncmp(path, "../", 3) == 0 || strstr(path, "/./") != NULL || strstr(path, "/../") != NULL ||
	       (size >= 2 && strcmp(path + size - 2, "/.") == 0) || (size >= 3 && strcmp(path + size - 3, "/..") == 0);
}

void arrays_check_paths(const struct array *array)
{
	for (unsigned d = 0; d < array->disk_count; d++) {
		const struct disk *disk = array->disk[d];
		const struct tommy_node *node;

		for (node = tommy_list_head(&disk->files); node != NULL; node = node->next)
			PROMISED(!leads_out(((const struct file *)node->data)->path));
		for (node = tommy_list_head(&disk->links); node != NULL; node = node->next) {
			const struct link *link = node->data;

			PROMISED(!leads_out(link->path) && !(link->hard && leads_out(link->target)));
		}
		for (node = tommy_list_head(&disk->dirs); node != NULL; node = node->next)
			PROMISED(!leads_out(((const struct dir *)node->data)->path));
		for (size_t i = 0; i < disk->kept_dir_count; i++)
			PROMISED(disk->kept_dir[i].path[0] == '\0' || !leads_out(disk->kept_dir[i].path));
	}
}

static void check_disk(const struct array *array, const struct disk *disk)
{
	stripe_t end = 0;

	for (const struct extent *x = extent_from(disk->map, 0); x != NULL; x = extent_next(x)) {
		PROMISED(x->count > 0 && x->at >= end && (x->file != NULL) == block_has_file(x->state));
		end = x->at + x->count;
	}
	for (const struct tommy_node *node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
		const struct file *file = node->data;
		block_t block = 0;

		for (const struct extent *x = file->extent; x != NULL; x = x->next) {
			PROMISED(x->file == file && x->first == block);
			block += x->count;
		}
		PROMISED(block == file_block_count(file, array->block_size));
	}
}

void arrays_check_stripes(const struct array *array)
{
	struct sweep sweep;

	for (unsigned d = 0; d < array->disk_count; d++)
		check_disk(array, array->disk[d]);
	sweep_begin(&sweep, array);
	while (sweep_next(&sweep)) {
		PROMISED(sweep.blk == 0 || sweep.has_info);
		PROMISED(!sweep.info.rehash || array->past_hash.kind != HASH_NONE);
	}
}
