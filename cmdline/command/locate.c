/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locate: where the files lie in the parity, those at its end last: which files keep it as long as it is. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tommyds/tommyarray.h"

/* A file with blocks, and where they are. */
struct located {
	const struct file *file;
	const char *disk;
	stripe_t first, lowest, highest;
	unsigned fragments;
};

static int compare_stripes(stripe_t a, stripe_t b)
{
	return a < b ? -1 : a > b;
}

static int compare(const void *a, const void *b)
{
	const struct located *x = a, *y = b;
	int order = compare_stripes(x->highest, y->highest);

	if (order == 0)
		order = compare_stripes(x->lowest, y->lowest);
	return order != 0 ? order : strcmp(x->file->path, y->file->path);
}

static void locate(struct located *located, const struct file *file, const char *disk)
{
	stripe_t next = STRIPE_NONE;

	*located = (struct located){ file, disk, file->extent->at, STRIPE_NONE, 0, 0 };
	for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next) {
		stripe_t end = extent->at + extent->count;

		if (extent->at < located->lowest)
			located->lowest = extent->at;
		if (end - 1 > located->highest)
			located->highest = end - 1;
		/* A change of state parts an extent, but no file. */
		located->fragments += extent->at != next;
		next = end;
	}
}

/* The files with a block at `from` or beyond, sorted. */
static void collect(const struct array *array, stripe_t from, struct tommy_array *found)
{
	for (unsigned d = 0; d < array->disk_count; ++d) {
		const struct disk *disk = array->disk[d];

		for (struct tommy_node *node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
			const struct file *file = node->data;
			struct located located;

			if (file->extent == NULL)
				continue;
			locate(&located, file, disk->name);
			if (located.highest >= from)
				tommy_array_insert(found, mem_dup(&located, sizeof(located)));
		}
	}
	tommy_array_sort(found, compare);
}

int command_locate(struct session *session)
{
	const struct array *array = session->array;
	uint64_t block = array->block_size, tail = session->options->tail_bytes, bytes = 0;
	stripe_t count = array_stripe_count(array), from = 0;
	struct tommy_array found;

	if (tail != 0 && tail / block + (tail % block != 0) < count)
		from = (stripe_t)(count - tail / block - (tail % block != 0));
	tommy_array_init(&found);
	collect(array, from, &found);
	if (from == 0)
		report(EV_LOCATE_HEAD_ALL, count * block);
	else
		report(EV_LOCATE_HEAD, count * block, from * block);
	report(EV_LOCATE_COLUMNS);
	for (size_t i = 0; i < tommy_array_count(&found); ++i) {
		struct located *at = tommy_array_get(&found, i);

		report(EV_LOCATE_FILE, at->first * block, (uint64_t)(at->highest - at->lowest + 1) * block,
		       at->fragments, at->file->path, at->disk);
		bytes += at->file->stamp.size;
		free(at);
	}
	report(EV_LOCATE_END, tommy_array_count(&found), bytes);
	tommy_array_done(&found);
	return 0;
}
