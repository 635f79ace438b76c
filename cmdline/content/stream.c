/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/mem.h"
#include "content/spread.h"
#include "os/file.h"

#define SINK_BYTES	((size_t)1 << 20)

enum stream_result stream_long_integer(struct cursor *in, unsigned bits, uint64_t *value)
{
	const uint8_t *at = in->at;
	uint64_t sum = 0;

	for (unsigned shift = 0; shift < bits; shift += 7) {
		unsigned left = bits - shift;
		uint8_t group;

		if (at == in->end) {
			in->at = at;
			in->bad = true;
			return STREAM_END;
		}
		group = *at & (STREAM_LAST - 1);
		if (left < 7 && group >> left != 0)
			return STREAM_TOO_LONG;
		sum |= (uint64_t)group << shift;
		if (*at++ & STREAM_LAST) {
			in->at = at;
			*value = sum;
			return STREAM_OK;
		}
	}
	return STREAM_TOO_LONG;
}

void sink_init(struct sink *sink, const int *fd, unsigned count)
{
	*sink = (struct sink){ .fd = fd, .count = count, .data = mem_alloc(SINK_BYTES) };
}

void sink_done(struct sink *sink)
{
	free(sink->data);
	free(sink->other);
	sink->data = sink->other = NULL;
}

/* Count what is in the buffer as written. */
static void sink_account(struct sink *sink)
{
	/* Over the bytes before they are written: reading them back then proves the whole way to the disk. */
	sink->crc = crc32c(sink->crc, sink->data, sink->used);
	sink->size += sink->used;
	sink->used = 0;
}

static void sink_flush(struct sink *sink)
{
	uint8_t *full = sink->data;
	size_t size = sink->used;

	if (sink->spread == NULL) {
		sink->spread = spread_new(sink->fd, sink->count);
		sink->other = mem_alloc(SINK_BYTES);
	}
	sink_account(sink);
	spread_write(sink->spread, full, size);
	sink->data = sink->other;
	sink->other = full;
}

void sink_byte(struct sink *sink, uint8_t byte)
{
	if (sink->used == SINK_BYTES)
		sink_flush(sink);
	sink->data[sink->used++] = byte;
}

void sink_bytes(struct sink *sink, const void *data, size_t size)
{
	const uint8_t *from = data;

	while (size > 0) {
		size_t some;

		if (sink->used == SINK_BYTES)
			sink_flush(sink);
		some = SINK_BYTES - sink->used;
		if (some > size)
			some = size;
		memcpy(sink->data + sink->used, from, some);
		sink->used += some;
		from += some;
		size -= some;
	}
}

void sink_integer(struct sink *sink, uint64_t value)
{
	for (; value >= STREAM_LAST; value >>= 7)
		sink_byte(sink, value & (STREAM_LAST - 1));
	sink_byte(sink, (uint8_t)(value | STREAM_LAST));
}

void sink_string(struct sink *sink, const char *text)
{
	size_t size = strlen(text);

	sink_integer(sink, size);
	sink_bytes(sink, text, size);
}

/* A small file is not worth a thread for each copy. */
static void write_by_turns(struct sink *sink, size_t size)
{
	for (unsigned i = 0; i < sink->count && sink->error == 0; i++)
		if (os_write_all(sink->fd[i], sink->data, size) < 0) {
			sink->error = errno;
			sink->failed = i;
		}
}

int sink_finish(struct sink *sink)
{
	uint32_t crc = crc32c(sink->crc, sink->data, sink->used);
	size_t size;

	sink->tail = crc;
	for (unsigned shift = 0; shift < 32; shift += 8)
		sink_byte(sink, (uint8_t)(crc >> shift));
	size = sink->used;
	sink_account(sink);
	if (sink->spread == NULL) {
		write_by_turns(sink, size);
	} else {
		spread_write(sink->spread, sink->data, size);
		sink->error = spread_end(sink->spread, &sink->failed);
		sink->spread = NULL;
	}
	return sink->error == 0 ? 0 : -1;
}
