/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LAST_BYTE	0x80
#define INTEGER_BYTES	10	/* the longest one */

/* A save waits for it: the fastest level takes a fifth of the time of the best one, for a tenth more bytes. */
#define LEVEL		1

/* Only for want of memory can zlib fail to start. */
static void must(int result)
{
	if (result != Z_OK)
		abort();
}

void packer_begin(struct packer *packer, struct buf *out)
{
	memset(&packer->zlib, 0, sizeof(packer->zlib));
	must(deflateInit(&packer->zlib, LEVEL));
	packer->out = out;
	packer->used = 0;
}

static void flush(struct packer *packer, int how)
{
	packer->zlib.next_in = packer->plain;
	packer->zlib.avail_in = (unsigned)packer->used;
	do {
		packer->zlib.next_out = packer->packed;
		packer->zlib.avail_out = PACK_BYTES;
		deflate(&packer->zlib, how);
		buf_add(packer->out, packer->packed, PACK_BYTES - packer->zlib.avail_out);
	} while (packer->zlib.avail_out == 0);
	packer->used = 0;
}

void packer_end(struct packer *packer)
{
	flush(packer, Z_FINISH);
	deflateEnd(&packer->zlib);
}

void pack_bytes(struct packer *packer, const void *data, size_t size)
{
	const uint8_t *from = data;

	while (size > 0) {
		size_t some = PACK_BYTES - packer->used;

		if (some > size)
			some = size;
		memcpy(packer->plain + packer->used, from, some);
		packer->used += some;
		from += some;
		size -= some;
		if (packer->used == PACK_BYTES)
			flush(packer, Z_NO_FLUSH);
	}
}

void pack_integer(struct packer *packer, uint64_t value)
{
	if (packer->used > PACK_BYTES - INTEGER_BYTES)
		flush(packer, Z_NO_FLUSH);
	for (; value >= LAST_BYTE; value >>= 7)
		packer->plain[packer->used++] = value & (LAST_BYTE - 1);
	packer->plain[packer->used++] = (uint8_t)(value | LAST_BYTE);
}

/* Small ones of either sign are short. */
void pack_signed(struct packer *packer, int64_t value)
{
	pack_integer(packer, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void pack_string(struct packer *packer, const char *text)
{
	size_t size = strlen(text);

	pack_integer(packer, size);
	pack_bytes(packer, text, size);
}

void unpacker_begin(struct unpacker *unpacker, const uint8_t *data, size_t size)
{
	memset(unpacker, 0, offsetof(struct unpacker, window));
	unpacker->zlib.next_in = (uint8_t *)(uintptr_t)data;
	must(inflateInit(&unpacker->zlib));
	/* A stream is given whole; one that is longer than zlib can count is not ours. */
	unpacker->bad = size > UINT32_MAX;
	unpacker->zlib.avail_in = unpacker->bad ? 0 : (unsigned)size;
}

void unpacker_end(struct unpacker *unpacker)
{
	inflateEnd(&unpacker->zlib);
}

/* The next window. false: there is none. */
static bool refill(struct unpacker *unpacker)
{
	int result;

	if (unpacker->bad || unpacker->ended)
		return false;
	unpacker->zlib.next_out = unpacker->window;
	unpacker->zlib.avail_out = PACK_BYTES;
	result = inflate(&unpacker->zlib, Z_NO_FLUSH);
	unpacker->at = 0;
	unpacker->size = PACK_BYTES - unpacker->zlib.avail_out;
	unpacker->ended = result == Z_STREAM_END;
	unpacker->bad = result != Z_OK && result != Z_STREAM_END;
	return unpacker->size > 0 && !unpacker->bad;
}

void unpack_bytes(struct unpacker *unpacker, void *data, size_t size)
{
	uint8_t *to = data;

	while (size > 0) {
		size_t some = unpacker->size - unpacker->at;

		if (unpacker->bad || (some == 0 && !refill(unpacker))) {
			unpacker->bad = true;
			memset(to, 0, size);
			return;
		}
		some = unpacker->size - unpacker->at;
		if (some > size)
			some = size;
		memcpy(to, unpacker->window + unpacker->at, some);
		unpacker->at += some;
		to += some;
		size -= some;
	}
}

uint64_t unpack_integer(struct unpacker *unpacker)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (unpacker->bad || (unpacker->at == unpacker->size && !refill(unpacker)))
			break;
		byte = unpacker->window[unpacker->at++];
		if (shift == 63 && (byte & (LAST_BYTE - 1)) > 1)
			break;
		value |= (uint64_t)(byte & (LAST_BYTE - 1)) << shift;
		if (byte & LAST_BYTE)
			return value;
	}
	unpacker->bad = true;
	return 0;
}

int64_t unpack_signed(struct unpacker *unpacker)
{
	uint64_t value = unpack_integer(unpacker);

	return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

void unpack_string(struct unpacker *unpacker, size_t limit, struct buf *text)
{
	uint64_t size = unpack_integer(unpacker);
	char *piece;

	buf_clear(text);
	if (size > limit)
		unpacker->bad = true;
	if (unpacker->bad) {
		buf_str(text, "");
		return;
	}
	piece = mem_alloc(size + 1);
	unpack_bytes(unpacker, piece, size);
	buf_add(text, piece, size);
	free(piece);
}

bool unpacker_is_at_end(struct unpacker *unpacker)
{
	if (!unpacker->bad && unpacker->at == unpacker->size)
		refill(unpacker);
	return !unpacker->bad && unpacker->at == unpacker->size && unpacker->ended &&
	       unpacker->zlib.avail_in == 0;
}
