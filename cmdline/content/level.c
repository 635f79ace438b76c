/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of the parity levels. */
#include "content/record.h"

#include <stdlib.h>

#include "report/report.h"

/* Without a configuration the levels are those of the file. */
static void level_grow(struct array *array, uint32_t level, uint32_t splits)
{
	static const char *const name[LEVEL_MAX] = { "parity",   "2-parity", "3-parity",
						     "4-parity", "5-parity", "6-parity" };
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
	if (*number >= d->array->level_count) {
		report(EV_CONTENT_LEVEL_DROPPED, *number + 1, d->array->level_count);
		return 0;
	}
	*level = &d->array->level[*number];
	(*level)->recorded = true;
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
		return decoder_fail(d, TROUBLE_CONFIG,
				    "part %u of %s, '%.200s', holds parity but is not in the configuration",
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
		return decoder_fail(d, TROUBLE_BROKEN, "a parity level has %u parts, more than 8",
				    (unsigned)splits);
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
		sink_string(e->sink, level->split_count > 0
					     ? encoder_uuid(level->split[0].uuid_now, level->split[0].uuid)
					     : "");
		return;
	}
	sink_integer(e->sink, level->split_count);
	for (unsigned i = 0; i < level->split_count; i++) {
		const struct split *split = &level->split[i];

		sink_string(e->sink, split->path);
		sink_string(e->sink, encoder_uuid(split->uuid_now, split->uuid));
		sink_integer(e->sink, split->size_bytes);
	}
}

void write_levels(struct encoder *e)
{
	/* A level that came to the configuration is told of by the sync that takes it in, not by a touch before it.
	 * One there always is: very old files tell of none. */
	for (unsigned i = 0; i < e->array->level_count; i++)
		if (e->array->level[i].recorded || !e->array->level[0].recorded)
			write_level(e, i, &e->array->level[i]);
}
