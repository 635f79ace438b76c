/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a checkpoint log, with the header and the checksums made right, beside a content file. It is loaded as
 * commands load it. */
#include <string.h>

#include "arrays.h"
#include "base/crc32c.h"
#include "base/le.h"
#include "base/path.h"
#include "content/copies.h"
#include "content/record.h"
#include "fuzz.h"

#define HEADER_BYTES	24
#define CHUNK_BYTES	8	/* of its header */

/* A content file, and what its log must fit. */
struct base {
	const char *path;
	uint32_t tail;
	uint64_t size;
};

static struct base bases[2];	/* without and with stripes that wait for a rehash */

static void base_init(struct base *base, const char *name, bool rehash)
{
	struct array *array = arrays_filled(rehash);

	base->path = path_join(fuzz_dir(), name);
	PROMISED(content_save(&base->path, 1, array) == 0);
	PROMISED(copy_ending(base->path, &base->tail, &base->size));
	array_free(array);
}

/* A chunk that is longer than what is left becomes the last one. */
static void repair_chunks(uint8_t *at, const uint8_t *end)
{
	while (end - at > CHUNK_BYTES) {
		size_t left = (size_t)(end - at) - CHUNK_BYTES, size = le32_load(at);

		if (size > left)
			size = left;
		le32_store(at, (uint32_t)size);
		le32_store(at + 4, crc32c(0, at + CHUNK_BYTES, size));
		at += CHUNK_BYTES + size;
	}
}

static void repair(uint8_t *data, size_t size, const struct base *base)
{
	if (size < HEADER_BYTES)
		return;
	memcpy(data, "SNAPLOG1", 8);
	le32_store(data + 8, base->tail);
	le64_store(data + 12, base->size);
	le32_store(data + 20, crc32c(0, data, 20));
	repair_chunks(data + HEADER_BYTES, data + size);
}

/* What the log made of the array can be saved, and what was saved is accepted. */
static void check_saving(struct array *array)
{
	struct decoder *d = mem_zalloc(sizeof(*d));
	struct buf first = { 0 }, second = { 0 };

	array_forget_unused(array);
	arrays_encode(array, &first);
	d->array = array_new(1024, 16);
	PROMISED(record_decode(d, (const uint8_t *)first.data, first.size) == 0);
	array_forget_unused(d->array);
	arrays_encode(d->array, &second);
	PROMISED(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
	array_free(d->array);
	decoder_done(d);
	free(d);
	buf_done(&first);
	buf_done(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The place of the magic is free to say to what the log belongs. */
	const struct base *base = &bases[size > 0 && data[0] == 'R'];
	struct content_load load = { .path = &base->path, .count = 1 };
	struct array *array = arrays_configured();
	uint8_t *log = mem_dup(data, size);
	struct content *content;

	fuzz_begin();
	if (bases[0].path == NULL) {
		base_init(&bases[0], "content", false);
		base_init(&bases[1], "rehash", true);
	}
	repair(log, size, base);
	free(fuzz_file(base == bases ? "content.log" : "rehash.log", log, size));
	PROMISED(content_load(&load, array, &content) == CONTENT_LOADED);
	arrays_check_stripes(array);
	check_saving(array);
	array_free(array);
	content_close(content);
	free(log);
	return 0;
}
