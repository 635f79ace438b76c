/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define USUAL_BYTES	32	/* of one number or word: printed at the first try */

/* Room for `more` bytes and the NUL after them. */
static char *buf_reserve(struct buf *buf, size_t more)
{
	size_t wanted = buf->size + more + 1;

	if (wanted > buf->room) {
		size_t room = buf->room * 2 < 64 ? 64 : buf->room * 2;

		buf->room = room < wanted ? wanted : room;
		buf->data = mem_realloc(buf->data, buf->room);
	}
	return buf->data + buf->size;
}

void buf_add(struct buf *buf, const void *data, size_t size)
{
	char *at = buf_reserve(buf, size);

	if (size > 0)
		memcpy(at, data, size);
	at[size] = '\0';
	buf->size += size;
}

void buf_str(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;
	char *text = buf_reserve(buf, USUAL_BYTES);
	size_t room = buf->room - buf->size;
	int size;

	va_start(args, format);
	size = vsnprintf(text, room, format, args);
	va_end(args);
	if (size < 0)	/* only for a wide string that has no bytes, which nobody passes */
		size = 0;
	if ((size_t)size >= room) {
		text = buf_reserve(buf, (size_t)size);
		va_start(args, format);
		vsnprintf(text, (size_t)size + 1, format, args);
		va_end(args);
	}
	buf->size += (size_t)size;
	buf->data[buf->size] = '\0';
}

void buf_decimal(struct buf *buf, uint64_t value, unsigned width, char fill)
{
	char digits[20];
	size_t first = sizeof(digits);

	do
		digits[--first] = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	for (size_t used = sizeof(digits) - first; used < width; used++)
		buf_char(buf, fill);
	buf_add(buf, digits + first, sizeof(digits) - first);
}

void buf_clear(struct buf *buf)
{
	buf->size = 0;
	if (buf->data != NULL)
		buf->data[0] = '\0';
}

void buf_done(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){ 0 };
}

const uint8_t *cursor_bytes(struct cursor *c, size_t size)
{
	const uint8_t *bytes = c->at;

	if (size > (size_t)(c->end - c->at)) {
		c->at = c->end;		/* what follows a missing piece has no meaning either */
		c->bad = true;
		return NULL;
	}
	if (size > 0)
		c->at += size;
	return bytes;
}
