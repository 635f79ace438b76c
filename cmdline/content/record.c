/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/record.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "content/copies.h"
#include "os/file.h"

#define MAGIC		"SNAPCNT"
#define MAGIC_BYTES	7
#define HEADER_BYTES	12

static const uint8_t header_end[] = { '\n', 3, 0, 0 };

static int read_end(struct decoder *d)
{
	/* The checksum was proven already; it must be the end, or records hide behind it. */
	if (d->in.end - d->in.at != 4)
		return decoder_fail(d, TROUBLE_BROKEN, "the end record is not at the end");
	d->ended = true;
	return 0;
}

static void write_end(struct encoder *e)
{
	sink_byte(e->sink, 'N');
}

/* In the order they are written. */
static const struct record record_table[] = {
	{ 'z', SCOPE_HEAD, read_block_size, write_block_size },
	{ 'x', SCOPE_HEAD, read_stripe_count, write_stripe_count },
	{ 'y', SCOPE_HEAD, read_hash_size, write_hash_size },
	{ 'c', SCOPE_HEAD, read_hash, write_hash },
	{ 'C', SCOPE_HEAD, read_past_hash, write_past_hash },
	{ 'M', SCOPE_HEAD, read_disk, write_disks },
	{ 'm', SCOPE_READ_ONLY, read_old_disk, NULL },
	{ 'Q', SCOPE_HEAD, read_level, write_levels },		/* writes P in version 2 */
	{ 'P', SCOPE_READ_ONLY, read_old_level, NULL },
	{ 'f', SCOPE_DISK, read_file, write_files },
	{ 'a', SCOPE_DISK, read_hard_link, write_links },	/* writes 's' too: they are one list */
	{ 's', SCOPE_READ_ONLY, read_symlink, NULL },
	{ 'r', SCOPE_DISK, read_dir, write_dirs },
	{ 'h', SCOPE_DISK, read_deleted, write_deleted },
	{ 'd', SCOPE_READ_ONLY, read_gone_files, NULL },
	{ 'i', SCOPE_TAIL, read_info, write_info },
	{ 'N', SCOPE_TAIL, read_end, write_end },
};

#define RECORD_COUNT	(sizeof(record_table) / sizeof(record_table[0]))

int decoder_fail(struct decoder *d, enum trouble trouble, const char *format, ...)
{
	char what[512];
	va_list args;

	if (d->trouble != TROUBLE_NONE)
		return -1;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	d->trouble = trouble;
	d->text = mem_printf("%s (byte %td)", what, d->in.at - d->begin);
	return -1;
}

static int fail_integer(struct decoder *d, enum stream_result result)
{
	return decoder_fail(d, TROUBLE_BROKEN,
			    result == STREAM_END ? "it ends inside a record" : "a number is too long");
}

static inline int decoder_integer(struct decoder *d, unsigned bits, uint64_t *value)
{
	enum stream_result result = stream_integer(&d->in, bits, value);

	return result == STREAM_OK ? 0 : fail_integer(d, result);
}

int decoder_u32(struct decoder *d, uint32_t *value)
{
	uint64_t wide;

	if (decoder_integer(d, 32, &wide) < 0)
		return -1;
	*value = (uint32_t)wide;
	return 0;
}

int decoder_u64(struct decoder *d, uint64_t *value)
{
	return decoder_integer(d, 64, value);
}

int decoder_byte(struct decoder *d, uint8_t *byte)
{
	*byte = cursor_byte(&d->in);
	return d->in.bad ? decoder_fail(d, TROUBLE_BROKEN, "it ends inside a record") : 0;
}

int decoder_string(struct decoder *d, char *text, size_t max)
{
	const uint8_t *bytes;
	uint64_t size;

	if (decoder_u64(d, &size) < 0)
		return -1;
	if (size > max)
		return decoder_fail(d, TROUBLE_BROKEN, "a name is longer than %zu bytes", max);
	bytes = cursor_bytes(&d->in, (size_t)size);
	if (bytes == NULL)
		return decoder_fail(d, TROUBLE_BROKEN, "it ends inside a name");
	memcpy(text, bytes, (size_t)size);
	text[size] = '\0';
	if (strlen(text) != size)
		return decoder_fail(d, TROUBLE_BROKEN, "a name has a NUL inside");
	return 0;
}

int decoder_path(struct decoder *d, char text[PATH_BYTES_MAX + 1])
{
	if (decoder_string(d, text, PATH_BYTES_MAX) < 0)
		return -1;
	if (!path_is_safe(text, strlen(text)))
		return decoder_fail(d, TROUBLE_BROKEN,
				    "the path '%.200s' is empty or could lead out of its disk", text);
	return 0;
}

struct disk *decoder_disk(struct decoder *d, uint32_t *index)
{
	if (decoder_u32(d, index) < 0)
		return NULL;
	if (*index >= d->disk_count) {
		decoder_fail(d, TROUBLE_BROKEN, "a record belongs to disk number %u of %u", (unsigned)*index,
			     d->disk_count);
		return NULL;
	}
	return d->disk[*index];
}

const uint8_t *decoder_hashes(struct decoder *d, uint64_t count)
{
	size_t left = (size_t)(d->in.end - d->in.at);

	if (count > left / d->array->hash_size) {
		decoder_fail(d, TROUBLE_BROKEN, "it ends inside the hashes of a file");
		return NULL;
	}
	return cursor_bytes(&d->in, (size_t)count * d->array->hash_size);
}

int decoder_begin_blocks(struct decoder *d)
{
	if (!d->has_block_size || !d->has_stripe_count)
		return decoder_fail(d, TROUBLE_BROKEN, "blocks come before their size and number");
	if (!d->has_hash_size && d->array->hash_size != HASH_BYTES_MAX)
		return decoder_fail(d, TROUBLE_CONFIG, "its hash size is %d but the configuration says %u",
				    HASH_BYTES_MAX, d->array->hash_size);
	d->has_blocks = true;
	return 0;
}

static int read_header(struct decoder *d)
{
	const uint8_t *header = cursor_bytes(&d->in, HEADER_BYTES);

	if (header == NULL || memcmp(header, MAGIC, MAGIC_BYTES) != 0)
		return decoder_fail(d, TROUBLE_BROKEN, "it is not a content file");
	if (header[MAGIC_BYTES] < '1' || header[MAGIC_BYTES] > '4' ||
	    memcmp(header + MAGIC_BYTES + 1, header_end, sizeof(header_end)) != 0)
		return decoder_fail(d, TROUBLE_NEWER, "its format is not one of 1 to 4");
	return 0;
}

static const struct record *record_find(uint8_t tag)
{
	for (size_t i = 0; i < RECORD_COUNT; i++)
		if (record_table[i].tag == tag)
			return &record_table[i];
	return NULL;
}

static int read_records(struct decoder *d)
{
	while (!d->ended) {
		const struct record *record;
		uint8_t tag = cursor_byte(&d->in);

		if (d->in.bad)
			return decoder_fail(d, TROUBLE_BROKEN, "it has no end record");
		record = record_find(tag);
		if (record == NULL)
			return decoder_fail(d, TROUBLE_BROKEN, "a record of the unknown kind 0x%02x '%c'",
					    tag, isprint(tag) ? tag : '?');
		if (record->read(d) < 0)
			return -1;
		for (; d->kept != NULL && (size_t)(d->in.at - d->kept) > CONTENT_WINDOW; d->kept += CONTENT_WINDOW)
			os_map_drop(d->kept, CONTENT_WINDOW);
	}
	return 0;
}

/* A synced stripe without a time cannot be, and all else may be right: it counts as bad until it was looked at. */
static void doubt_untimed(struct info_map *map, const struct disk *disk)
{
	const struct info doubt = { .time = INFO_TIME_MIN, .bad = true };

	for (const struct extent *e = extent_from(disk->map, 0); e != NULL; e = extent_next(e)) {
		const stripe_t end = e->at + e->count;
		stripe_t at = e->state == BLOCK_BLK ? e->at : end;

		for (; (at += info_run_timed(map, at, end - at)) < end; ++at)
			info_set(map, at, &doubt);
	}
}

static int check_paths(struct decoder *d)
{
	for (unsigned i = 0; i < d->disk_count; i++) {
		const char *path = pathset_double(&d->paths[i]);

		if (path != NULL)
			return decoder_fail(d, TROUBLE_BROKEN, "disk '%.100s' has '%.200s' twice", d->disk[i]->name, path);
	}
	return 0;
}

/* What only the whole can tell. */
static int check_whole(struct decoder *d)
{
	stripe_t count = array_stripe_count(d->array);

	if (!d->has_block_size || !d->has_stripe_count || !d->has_hash)
		return decoder_fail(d, TROUBLE_BROKEN,
				    "it lacks the block size, the number of blocks or the hash kind");
	if (count != d->stripe_count)
		return decoder_fail(d, TROUBLE_BROKEN, "it tells of %llu stripes but its files need %llu",
				    (unsigned long long)d->stripe_count, (unsigned long long)count);
	if (d->rehash_at != STRIPE_NONE && !d->has_past_hash)
		return decoder_fail(d, TROUBLE_BROKEN, "stripe %llu has a previous hash of unknown kind",
				    (unsigned long long)d->rehash_at);
	if (check_paths(d) < 0)
		return -1;
	/* Nearly always no stripe is without a time, and the runs need not be looked at. */
	if (info_run_timed(d->array->info, 0, count) < count)
		for (unsigned i = 0; i < d->array->disk_count; i++)
			doubt_untimed(d->array->info, d->array->disk[i]);
	d->array->loaded_count = count;
	d->array->was_unsynced = d->has_unsynced && array_unsynced_count(d->array) > 0;
	return 0;
}

int record_decode(struct decoder *d, const uint8_t *data, size_t size)
{
	d->begin = data;
	d->in = (struct cursor){ .at = data, .end = data + size };
	d->rehash_at = STRIPE_NONE;
	if (read_header(d) < 0 || read_records(d) < 0)
		return -1;
	return check_whole(d);
}

void decoder_done(struct decoder *d)
{
	for (unsigned i = 0; i < COLUMN_MAX; i++)
		pathset_done(&d->paths[i]);
	free(d->text);
}

const char *encoder_uuid(const char *now, const char *recorded)
{
	if (now != NULL && now[0] != '\0')
		return now;
	return recorded != NULL ? recorded : "";
}

static int disk_compare(const void *a, const void *b)
{
	unsigned x = (*(struct disk *const *)a)->map_order, y = (*(struct disk *const *)b)->map_order;

	return (x > y) - (x < y);
}

/* Number the disks that get a record: first those of the previous file in its order, then the new ones. */
static void encoder_number_disks(struct encoder *e, struct array *array)
{
	unsigned next = 0;

	e->disk = mem_alloc((array->disk_count + 1) * sizeof(struct disk *));
	for (unsigned i = 0; i < array->disk_count; i++)
		if (array->disk[i]->map_order != UINT_MAX && next <= array->disk[i]->map_order)
			next = array->disk[i]->map_order + 1;
	for (unsigned i = 0; i < array->disk_count; i++) {
		struct disk *disk = array->disk[i];

		if (disk_is_unused(disk)) {
			disk->map_order = UINT_MAX;
			continue;
		}
		assert(disk->column != COLUMN_NONE);
		if (disk->map_order == UINT_MAX)
			disk->map_order = next++;
		e->disk[e->disk_count++] = disk;
	}
	qsort(e->disk, e->disk_count, sizeof(struct disk *), disk_compare);
	for (unsigned i = 0; i < e->disk_count; i++)
		e->disk[i]->map_order = i;
}

/* The lowest that can tell all: 12.2 does the same, so the widest range of programs reads it. */
static unsigned encoder_version(const struct array *array)
{
	if (array->hash_size != HASH_BYTES_MAX)
		return 3;
	for (unsigned i = 0; i < array->level_count; i++)
		if (array->level[i].split_count > 1)
			return 3;
	return 2;
}

static void write_scope(struct encoder *e, enum scope scope)
{
	for (size_t i = 0; i < RECORD_COUNT; i++)
		if (record_table[i].scope == scope)
			record_table[i].write(e);
}

int record_encode(struct array *array, int64_t now, struct sink *sink)
{
	struct encoder e = { .sink = sink, .array = array, .now = now < INFO_TIME_MIN ? INFO_TIME_MIN : now };

	e.stripe_count = array_stripe_count(array);
	e.version = encoder_version(array);
	encoder_number_disks(&e, array);
	encoder_survey_info(&e);
	sink_bytes(sink, MAGIC, MAGIC_BYTES);
	sink_byte(sink, (uint8_t)('0' + e.version));
	sink_bytes(sink, header_end, sizeof(header_end));
	write_scope(&e, SCOPE_HEAD);
	/* Groups come in the order of the configuration, numbers in that of the disk records. */
	for (unsigned i = 0; i < array->disk_count; i++) {
		e.owner = array->disk[i];
		if (e.owner->map_order != UINT_MAX)
			write_scope(&e, SCOPE_DISK);
	}
	write_scope(&e, SCOPE_TAIL);
	free(e.disk);
	return sink_finish(sink);
}
