/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a content file, read without a configuration and with one. */
#include <string.h>

#include "arrays.h"
#include "base/crc32c.h"
#include "base/le.h"
#include "content/record.h"
#include "content/summary.h"
#include "fuzz.h"

#define CRC_BYTES	4

static const struct content_load load = { .count = 0 };

/* NULL: refused. */
static struct array *decode(const void *data, size_t size, const struct content_load *how)
{
	struct decoder *d = mem_zalloc(sizeof(*d));
	struct array *array;

	d->load = how;
	d->array = how == NULL ? array_new(1024, 16) : arrays_configured();
	if (record_decode(d, data, size) < 0) {
		PROMISED(d->trouble != TROUBLE_NONE && d->text != NULL);
		array_free(d->array);
		d->array = NULL;
	}
	array = d->array;
	decoder_done(d);
	free(d);
	return array;
}

/* What was accepted can be saved, and what was saved is accepted and saved the same. */
static void check_saving(struct array *array, const struct content_load *how)
{
	struct buf first = { 0 }, second = { 0 };
	struct array *again;

	array_forget_unused(array);
	arrays_encode(array, &first);
	again = decode(first.data, first.size, how);
	PROMISED(again != NULL);
	array_forget_unused(again);
	arrays_encode(again, &second);
	PROMISED(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
	array_free(again);
	buf_done(&first);
	buf_done(&second);
}

/* Returns if there is time for more. */
static bool try(const uint8_t *data, size_t size, const struct content_load *how)
{
	struct array *array = decode(data, size, how);
	bool small;

	if (array == NULL)
		return true;
	arrays_check_paths(array);
	arrays_check_stripes(array);
	small = arrays_is_small(array);
	if (small) {
		summary_report(array, true);
		check_saving(array, how);
	}
	array_free(array);
	return small;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = mem_dup(data, size);

	fuzz_begin();
	if (size >= CRC_BYTES)
		le32_store(copy + size - CRC_BYTES, crc32c(0, copy, size - CRC_BYTES));
	if (try(copy, size, NULL))
		try(copy, size, &load);
	free(copy);
	return 0;
}
