/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of the whole array: sizes, hash kinds and disks. */
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
		return decoder_fail(d, TROUBLE_CONFIG,
				    "its block size of %u bytes is no power of two from 1 KiB to 16 MiB",
				    (unsigned)size);
	if (d->load != NULL && d->load->block_size_given && size != d->array->block_size)
		return decoder_fail(d, TROUBLE_CONFIG,
				    "its block size is %u KiB but the configuration says %u",
				    (unsigned)size / 1024, (unsigned)d->array->block_size / 1024);
	d->array->block_size = size;
	d->has_block_size = true;
	return 0;
}

void write_block_size(struct encoder *e)
{
	sink_byte(e->sink, 'z');
	sink_integer(e->sink, e->array->block_size);
}

int read_stripe_count(struct decoder *d)
{
	if (check_early(d) < 0 || decoder_u64(d, &d->stripe_count) < 0)
		return -1;
	if (d->stripe_count > STRIPE_COUNT_MAX)
		return decoder_fail(d, TROUBLE_NEWER,
				    "it tells of %llu stripes, more than this program handles",
				    (unsigned long long)d->stripe_count);
	d->has_stripe_count = true;
	return 0;
}

void write_stripe_count(struct encoder *e)
{
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
		return decoder_fail(d, TROUBLE_CONFIG, "its hash size is %u but the configuration says %u",
				    (unsigned)size, d->array->hash_size);
	array_set_hash_size(d->array, (unsigned)size);
	d->has_hash_size = true;
	return 0;
}

void write_hash_size(struct encoder *e)
{
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

void write_hash(struct encoder *e)
{
	write_key(e, 'c', &e->array->hash);
}

void write_past_hash(struct encoder *e)
{
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
		return disk == NULL && d->array->disk_count < COLUMN_MAX ? array_add_disk(d->array, name, "")
									 : disk;
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
		return decoder_fail(d, TROUBLE_BROKEN, "disk '%.100s' is in column %u, beyond the last one",
				    name, (unsigned)column);
	if (array_disk_at(d->array, column) != NULL)
		return decoder_fail(d, TROUBLE_BROKEN, "disks '%.100s' and '%.100s' are in one column",
				    array_disk_at(d->array, column)->name, name);
	disk = match_disk(d, name, uuid);
	if (disk == NULL)
		return decoder_fail(
			d, TROUBLE_CONFIG,
			"its disk '%.100s' (UUID '%s') is not in the configuration; a disk is removed by "
			"emptying it and a sync, its line goes after that",
			name, uuid);
	if (disk_is_taken(d, disk))
		return decoder_fail(d, TROUBLE_CONFIG,
				    "two of its disks are disk '%.100s' of the configuration", disk->name);
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

	if (decoder_string(d, name, PATH_BYTES_MAX) < 0 || decoder_u32(d, &column) < 0 ||
	    decoder_u64(d, &total) < 0 || decoder_u64(d, &spare) < 0 ||
	    decoder_string(d, uuid, UUID_BYTES_MAX) < 0)
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

void write_disks(struct encoder *e)
{
	for (unsigned i = 0; i < e->disk_count; i++) {
		const struct disk *disk = e->disk[i];

		sink_byte(e->sink, 'M');
		sink_string(e->sink, disk->name);
		sink_integer(e->sink, disk->column);
		sink_integer(e->sink, disk->total_blocks);
		sink_integer(e->sink, disk->free_blocks);
		sink_string(e->sink, encoder_uuid(disk->uuid_now, disk->uuid));
	}
}
