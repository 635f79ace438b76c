/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a content file. The checksum is made right first, or nothing would get past it.
 *
 *	clang -fsanitize=fuzzer,address,undefined ... test/fuzz/fuzz_content.c (all libraries)
 *	./fuzz_content CORPUS test/fixtures */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/le.h"
#include "content/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was accepted can be saved, and what was saved is accepted and saved the same. */
static void check_saving(struct array *array)
{
	struct sink sink;

	array_forget_unused(array);
	sink_init(&sink, NULL, 0);
	if (record_encode(array, INT64_MAX, &sink) < 0)
		abort();
	/* A small file is whole in the buffer, which a flush leaves as it is. */
	if (sink.size < (1 << 20)) {
		struct decoder *d = mem_zalloc(sizeof(*d));

		d->array = array_new(1024, 16);
		if (record_decode(d, sink.data, (size_t)sink.size) < 0)
			abort();
		array_free(d->array);
		decoder_done(d);
		free(d);
	}
	sink_done(&sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct decoder *d = mem_zalloc(sizeof(*d));
	uint8_t *copy = mem_dup(data, size);

	if (size >= 4)
		le32_store(copy + size - 4, crc32c(0, copy, size - 4));
	d->array = array_new(1024, 16);
	if (record_decode(d, copy, size) == 0)
		check_saving(d->array);
	array_free(d->array);
	decoder_done(d);
	free(d);
	free(copy);
	return 0;
}
