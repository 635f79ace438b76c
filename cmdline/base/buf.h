/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growable bytes to write into, and bounded bytes to read from. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/types.h"

struct buf {
	char *data;		/* NUL terminated once something was added */
	size_t size, room;
};

void buf_add(struct buf *buf, const void *data, size_t size);
void buf_str(struct buf *buf, const char *text);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number in at least `width` columns, filled up in front. */
void buf_decimal(struct buf *buf, uint64_t value, unsigned width, char fill);
static inline void buf_char(struct buf *buf, char c)
{
	if (buf->size + 1 < buf->room) {
		buf->data[buf->size++] = c;
		buf->data[buf->size] = '\0';
	} else {
		buf_add(buf, &c, 1);
	}
}

void buf_clear(struct buf *buf);		/* size becomes 0, memory is kept */
void buf_done(struct buf *buf);			/* frees, and leaves an empty buf */

/* Reads that cannot run over the end: past it they give zeros and `bad` stays set. */
struct cursor {
	const uint8_t *at, *end;
	bool bad;
};

const uint8_t *cursor_bytes(struct cursor *c, size_t size);	/* NULL and bad if there are fewer */

static inline uint8_t cursor_byte(struct cursor *c)
{
	if (c->at < c->end)
		return *c->at++;
	c->bad = true;
	return 0;
}

#endif
