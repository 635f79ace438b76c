/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of the whole array: sizes, hash kinds, disks and parity levels. */
#include "content/record.h"

#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* Sizes that blocks were read with may not change any more. */
static int check_early(struct decoder *d)
{
	return d->has_blocks ? decoder_fail(d, TROUBLE_BROKEN, "sizes come after the first blocks") : 0;
}

int read_block_size(struct decoder *d)
{
	uint32_t size;

	if (check_early(d) < 0 || decoder_u32(d, &size) < 0)
		return -1;
	if (size < BLOCK_SIZE_MIN || size > BLOCK_SIZE_MAX || (size & (size - 1)) != 0)
		return decoder_fail(d, TROUBLE_CONFIG, "its block size of %u bytes is no power of two from 1 KiB to 16 MiB",
				    (unsigned)size);
	if (d->load != NULL && d->load->block_size_given && size != d->array->block_size)
		return decoder_fail(d, TROUBLE_CONFIG, "its block size is %u KiB but the configuration says %u",
				    (unsigned)size / 1024, (unsigned)d->array->block_size / 1024);
	d->array->block_size = size;
	d->has_block_size = true;
	return 0;
}

void write_block_size(struct encoder *e, unsigned index, const struct disk *disk)
{
	(void)index;
	(void)disk;
	sink_byte(e->sink, 'z');
	sink_integer(e->sink, e->array->block_size);
}

int read_stripe_count(struct decoder *d)
{
	if (check_early(d) < 0 || decoder_u64(d, &d->stripe_count) < 0)
		return -1;
	if (d->stripe_count > STRIPE_LIMIT)
		return decoder_fail(d, TROUBLE_BROKEN, "it tells of %llu stripes, more than this program handles",
				    (unsigned long long)d->stripe_count);
	d->has_stripe_count = true;
	return 0;
}

void write_stripe_count(struct encoder *e, unsigned index, const struct disk *disk)
{
	(void)index;
	(void)disk;
	sink_byte(e->sink, 'x');
	sink_integer(e->sink, e->stripe_count);
}

int read_hash_size(struct decoder *d)
{
	uint64_t size;

	if (check_early(d) < 0 || decoder_u64(d, &size) < 0)
		return -1;
	if (size < 2 || size > HASH_BYTES_MAX)
		return decoder_fail(d, TROUBLE_CONFIG, "its hash size of %llu bytes is not within 2 and 16",
				    (unsigned long long)size);
	if (d->load != NULL && d->load->hash_size_given && size != d->array->hash_size)
		return decoder_fail(d, TROUBLE_CONFIG, "its hash size is %u but the configuration says %u", (unsigned)size,
				    d->array->hash_size);
	array_set_hash_size(d->array, (unsigned)size);
	return 0;
}

void write_hash_size(struct encoder *e, unsigned index, const struct disk *disk)
{
	(void)index;
	(void)disk;
	if (e->version < 3)
		return;
	sink_byte(e->sink, 'y');
	sink_integer(e->sink, e->array->hash_size);
}

static int read_key(struct decoder *d, struct hash_key *key)
{
	const struct hash_info *info;
	const uint8_t *seed;
	uint8_t letter;

	if (decoder_byte(d, &letter) < 0)
		return -1;
	info = hash_by_letter((char)letter);
	if (info == NULL)
		return decoder_fail(d, TROUBLE_NEWER, "its hash kind 0x%02x is not known here", letter);
	seed = cursor_bytes(&d->in, sizeof(key->seed));
	if (seed == NULL)
		return decoder_fail(d, TROUBLE_BROKEN, "it ends inside a record");
	key->kind = info->kind;
	memcpy(key->seed, seed, sizeof(key->seed));
	return 0;
}

int read_hash(struct decoder *d)
{
	d->has_hash = true;
	return read_key(d, &d->array->hash);
}

int read_past_hash(struct decoder *d)
{
	d->has_past_hash = true;
	return read_key(d, &d->array->past_hash);
}

static void write_key(struct encoder *e, uint8_t tag, const struct hash_key *key)
{
	sink_byte(e->sink, tag);
	sink_byte(e->sink, (uint8_t)hash_by_kind(key->kind)->letter);
	sink_bytes(e->sink, key->seed, sizeof(key->seed));
}

void write_hash(struct encoder *e, unsigned index, const struct disk *disk)
{
	(void)index;
	(void)disk;
	write_key(e, 'c', &e->array->hash);
}

void write_past_hash(struct encoder *e, unsigned index, const struct disk *disk)
{
	(void)index;
	(void)disk;
	if (e->has_rehash)
		write_key(e, 'C', &e->array->past_hash);
}

static bool disk_is_taken(const struct decoder *d, const struct disk *disk)
{
	for (unsigned i = 0; i < d->disk_count; i++)
		if (d->disk[i] == disk)
			return true;
	return false;
}

/* The one configured disk on the file system of that UUID. NULL: none, or no telling which. */
static struct disk *find_by_uuid(const struct decoder *d, const char *uuid)
{
	struct disk *found = NULL;

	for (unsigned i = 0; uuid[0] != '\0' && i < d->array->disk_count; i++) {
		struct disk *disk = d->array->disk[i];

		if (disk->uuid_now == NULL || strcmp(disk->uuid_now, uuid) != 0)
			continue;
		if (d->load->match_first_uuid)
			return disk;
		if (found != NULL)
			return NULL;
		found = disk;
	}
	return found;
}

static struct disk *match_disk(struct decoder *d, const char *name, const char *uuid)
{
	struct disk *disk = array_find_disk(d->array, name);

	if (d->load == NULL)
		return disk == NULL && d->array->disk_count < COLUMN_MAX ? array_add_disk(d->array, name, "") : disk;
	if (disk == NULL) {
		disk = find_by_uuid(d, uuid);
		if (disk != NULL && !disk_is_taken(d, disk)) {
			report(EV_CONTENT_DISK_RENAMED, name, disk->name);
			d->array->changed = true;
		}
	}
	return disk;
}

static int add_disk(struct decoder *d, const char *name, uint32_t column, uint64_t total, uint64_t spare,
		    const char *uuid)
{
	struct disk *disk;

	if (name[0] == '\0')
		return decoder_fail(d, TROUBLE_BROKEN, "a disk has no name");
	if (column >= COLUMN_MAX)
		return decoder_fail(d, TROUBLE_BROKEN, "disk '%.100s' is in column %u, beyond the last one", name,
				    (unsigned)column);
	if (array_disk_at(d->array, column) != NULL)
		return decoder_fail(d, TROUBLE_BROKEN, "disks '%.100s' and '%.100s' are in one column",
				    array_disk_at(d->array, column)->name, name);
	disk = match_disk(d, name, uuid);
	if (disk == NULL)
		return decoder_fail(d, TROUBLE_CONFIG,
				    "its disk '%.100s' (UUID '%s') is not in the configuration; a disk is removed by "
				    "emptying it and a sync, its line goes after that",
				    name, uuid);
	if (disk_is_taken(d, disk))
		return decoder_fail(d, TROUBLE_CONFIG, "two of its disks are disk '%.100s' of the configuration", disk->name);
	disk->column = column;
	disk->map_order = d->disk_count;
	disk->total_blocks = total;
	disk->free_blocks = spare;
	free(disk->uuid);
	disk->uuid = mem_strdup(uuid);
	d->disk[d->disk_count++] = disk;
	return 0;
}

int read_disk(struct decoder *d)
{
	char name[PATH_BYTES_MAX + 1], uuid[UUID_BYTES_MAX + 1];
	uint64_t total, spare;
	uint32_t column;

	if (decoder_string(d, name, PATH_BYTES_MAX) < 0 || decoder_u32(d, &column) < 0 || decoder_u64(d, &total) < 0 ||
	    decoder_u64(d, &spare) < 0 || decoder_string(d, uuid, UUID_BYTES_MAX) < 0)
		return -1;
	return add_disk(d, name, column, total, spare, uuid);
}

int read_old_disk(struct decoder *d)
{
	char name[PATH_BYTES_MAX + 1], uuid[UUID_BYTES_MAX + 1];
	uint32_t column;

	if (decoder_string(d, name, PATH_BYTES_MAX) < 0 || decoder_u32(d, &column) < 0 ||
	    decoder_string(d, uuid, UUID_BYTES_MAX) < 0)
		return -1;
	return add_disk(d, name, column, 0, 0, uuid);
}

/* What is written as the UUID of a file system: that found now, or if it cannot be told, that known before. */
static const char *uuid_written(const char *now, const char *recorded)
{
	if (now != NULL && now[0] != '\0')
		return now;
	return recorded != NULL ? recorded : "";
}

void write_disks(struct encoder *e, unsigned index, const struct disk *disk)
{
	(void)index;
	for (unsigned i = 0; i < e->disk_count; i++) {
		disk = e->disk[i];
		sink_byte(e->sink, 'M');
		sink_string(e->sink, disk->name);
		sink_integer(e->sink, disk->column);
		sink_integer(e->sink, disk->total_blocks);
		sink_integer(e->sink, disk->free_blocks);
		sink_string(e->sink, uuid_written(disk->uuid_now, disk->uuid));
	}
}

/* Without a configuration the levels are those of the file. */
static void level_grow(struct array *array, uint32_t level, uint32_t splits)
{
	static const char *const name[LEVEL_MAX] = { "parity", "2-parity", "3-parity", "4-parity", "5-parity", "6-parity" };
	struct level *l = &array->level[level];

	for (; array->level_count <= level; array->level_count++)
		array->level[array->level_count].name = name[array->level_count];
	for (; l->split_count < splits; l->split_count++)
		l->split[l->split_count] = (struct split){ .path = mem_strdup(""), .uuid = mem_strdup(""),
							   .size_bytes = SPLIT_SIZE_UNKNOWN };
}

/* NULL: not configured, to be read over; or wrong. */
static int read_level_head(struct decoder *d, uint32_t *number, struct level **level)
{
	uint64_t total, spare;

	*level = NULL;
	if (decoder_u32(d, number) < 0 || decoder_u64(d, &total) < 0 || decoder_u64(d, &spare) < 0)
		return -1;
	if (*number >= LEVEL_MAX)
		return decoder_fail(d, TROUBLE_BROKEN, "it has parity level %llu, beyond the last one",
				    (unsigned long long)*number + 1);
	if (d->load == NULL)
		level_grow(d->array, *number, 0);
	if (*number >= d->array->level_count)
		return 0;
	*level = &d->array->level[*number];
	(*level)->total_blocks = total;
	(*level)->free_blocks = spare;
	return 0;
}

static void split_set(struct split *split, const char *uuid, uint64_t size)
{
	free(split->uuid);
	split->uuid = mem_strdup(uuid);
	split->size_bytes = size;
}

int read_old_level(struct decoder *d)
{
	char uuid[UUID_BYTES_MAX + 1];
	struct level *level;
	uint32_t number;

	if (read_level_head(d, &number, &level) < 0 || decoder_string(d, uuid, UUID_BYTES_MAX) < 0)
		return -1;
	if (level == NULL)
		return 0;
	if (d->load == NULL)
		level_grow(d->array, number, 1);
	for (unsigned i = 0; i < level->split_count; i++)
		split_set(&level->split[i], i == 0 ? uuid : "", SPLIT_SIZE_UNKNOWN);
	return 0;
}

static int read_split(struct decoder *d, uint32_t number, struct level *level, uint32_t i)
{
	char path[PATH_BYTES_MAX + 1], uuid[UUID_BYTES_MAX + 1];
	uint64_t size;

	if (decoder_string(d, path, PATH_BYTES_MAX) < 0 || decoder_string(d, uuid, UUID_BYTES_MAX) < 0 ||
	    decoder_u64(d, &size) < 0)
		return -1;
	if (level == NULL)
		return 0;
	if (d->load == NULL && i >= level->split_count) {
		level_grow(d->array, number, i + 1);
		free(level->split[i].path);
		level->split[i].path = mem_strdup(path);
	}
	if (i < level->split_count) {
		split_set(&level->split[i], uuid, size);
		return 0;
	}
	if (size != 0)
		return decoder_fail(d, TROUBLE_CONFIG, "part %u of %s, '%.200s', holds parity but is not in the configuration",
				    (unsigned)i + 1, level->name, path);
	report(EV_CONTENT_SPLIT_DROPPED, i + 1, level->name, path);
	d->array->changed = true;
	return 0;
}

int read_level(struct decoder *d)
{
	struct level *level;
	uint32_t number, splits;

	if (read_level_head(d, &number, &level) < 0 || decoder_u32(d, &splits) < 0)
		return -1;
	if (splits > SPLIT_MAX)
		return decoder_fail(d, TROUBLE_BROKEN, "a parity level has %u parts, more than 8", (unsigned)splits);
	for (uint32_t i = 0; i < splits; i++)
		if (read_split(d, number, level, i) < 0)
			return -1;
	/* Configured since: nothing of the parity is in them yet. */
	for (uint32_t i = splits; level != NULL && i < level->split_count; i++)
		split_set(&level->split[i], "", 0);
	return 0;
}

static void write_level(struct encoder *e, unsigned number, const struct level *level)
{
	sink_byte(e->sink, e->version < 3 ? 'P' : 'Q');
	sink_integer(e->sink, number);
	sink_integer(e->sink, level->total_blocks);
	sink_integer(e->sink, level->free_blocks);
	if (e->version < 3) {
		sink_string(e->sink, level->split_count > 0 ?
					     uuid_written(level->split[0].uuid_now, level->split[0].uuid) : "");
		return;
	}
	sink_integer(e->sink, level->split_count);
	for (unsigned i = 0; i < level->split_count; i++) {
		const struct split *split = &level->split[i];

		sink_string(e->sink, split->path);
		sink_string(e->sink, uuid_written(split->uuid_now, split->uuid));
		sink_integer(e->sink, split->size_bytes);
	}
}

void write_levels(struct encoder *e, unsigned index, const struct disk *disk)
{
	(void)index;
	(void)disk;
	for (unsigned i = 0; i < e->array->level_count; i++)
		write_level(e, i, &e->array->level[i]);
}
