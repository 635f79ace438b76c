/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers and bytes as a zlib stream in memory. Integers have 7 bits in a byte, the last byte has its top bit set,
 * as in the content file.
 *
 * Reading takes a small window at a time: nothing that the stream says of itself allocates. */
#ifndef CONTENT_PACK_H
#define CONTENT_PACK_H

#include <zlib.h>

#include "base/buf.h"

#define PACK_BYTES	65536

struct packer {
	z_stream zlib;
	struct buf *out;	/* the stream is added to it */
	size_t used;
	uint8_t plain[PACK_BYTES];
	uint8_t packed[PACK_BYTES];
};

void packer_begin(struct packer *packer, struct buf *out);
void packer_end(struct packer *packer);
void pack_bytes(struct packer *packer, const void *data, size_t size);
void pack_integer(struct packer *packer, uint64_t value);
void pack_signed(struct packer *packer, int64_t value);
void pack_string(struct packer *packer, const char *text);

struct unpacker {
	z_stream zlib;
	bool ended;		/* zlib has no more */
	bool bad;		/* read over the end, or the stream is broken; then all reads give zeros */
	size_t at, size;	/* of the window */
	uint8_t window[PACK_BYTES];
};

void unpacker_begin(struct unpacker *unpacker, const uint8_t *data, size_t size);
void unpacker_end(struct unpacker *unpacker);
void unpack_bytes(struct unpacker *unpacker, void *data, size_t size);
uint64_t unpack_integer(struct unpacker *unpacker);
int64_t unpack_signed(struct unpacker *unpacker);
/* `limit`: bytes at most, else the stream is bad. The text replaces what was in `text`. */
void unpack_string(struct unpacker *unpacker, size_t limit, struct buf *text);
bool unpacker_is_at_end(struct unpacker *unpacker);	/* all was read, and the stream is whole */

#endif
