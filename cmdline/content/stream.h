/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The primitives of the content file (content-format.md 3 and 8): integers, strings and the checksum; read
 * from a mapped file, written to all copies at once. */
#ifndef CONTENT_STREAM_H
#define CONTENT_STREAM_H

#include "base/buf.h"

enum stream_result { STREAM_OK, STREAM_END, STREAM_TOO_LONG };

#define STREAM_LAST	0x80	/* set in the last byte of an integer, unlike LEB128 */

/* The rest of stream_integer(). */
enum stream_result stream_long_integer(struct cursor *in, unsigned bits, uint64_t *value);

/* An integer of up to `bits` (32 or 64). STREAM_TOO_LONG: more bytes, or more bits, than that. */
static inline enum stream_result stream_integer(struct cursor *in, unsigned bits, uint64_t *value)
{
	if (in->at < in->end && (*in->at & STREAM_LAST)) {
		*value = *in->at++ & (STREAM_LAST - 1);
		return STREAM_OK;
	}
	return stream_long_integer(in, bits, value);
}

struct spread;

/* Where encoded bytes go: a buffer that is written to every descriptor when it is full, while another one is filled. A
 * failure is known at the end. */
struct sink {
	const int *fd;
	unsigned count;
	uint8_t *data, *other;	/* the buffer at hand; the one that is written */
	struct spread *spread;	/* NULL: all fits into the first buffer yet */
	size_t used;
	uint64_t size;		/* bytes written before those in `data` */
	uint32_t crc;		/* of these bytes */
	uint32_t tail;		/* the checksum that ended it, once it is finished */
	int error;		/* errno of the first failure, 0: none */
	unsigned failed;	/* the copy it met */
};

void sink_init(struct sink *sink, const int *fd, unsigned count);
void sink_done(struct sink *sink);
void sink_byte(struct sink *sink, uint8_t byte);
void sink_bytes(struct sink *sink, const void *data, size_t size);
void sink_integer(struct sink *sink, uint64_t value);
void sink_string(struct sink *sink, const char *text);
/* The checksum of all bytes so far, then the rest is written out. -1: see `error`. */
int sink_finish(struct sink *sink);

#endif
