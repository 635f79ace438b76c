/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Content files made by hand, from words:
 *
 *	'c	one byte, that character
 *	12	an integer, in its shortest form
 *	"abc"	a string, length first; %00 is a byte in hexadecimal
 *	#3	3 digests of 16 bytes
 *	~6b80	raw bytes in hexadecimal */
#ifndef TEST_IMAGE_H
#define TEST_IMAGE_H

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/crc32c.h"

static inline void image_integer(struct buf *image, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		buf_char(image, (char)(value & 0x7f));
	buf_char(image, (char)(value | 0x80));
}

static inline void image_hex(struct buf *image, const char **at)
{
	char digits[3] = { (*at)[0], (*at)[1], 0 };

	buf_char(image, (char)strtoul(digits, NULL, 16));
	*at += 2;
}

static inline void image_string(struct buf *image, const char **at)
{
	struct buf text = { 0 };

	for (++*at; **at != '"';) {
		if (**at == '%') {
			++*at;
			image_hex(&text, at);
		} else {
			buf_char(&text, *(*at)++);
		}
	}
	++*at;
	image_integer(image, text.size);
	buf_add(image, text.data != NULL ? text.data : "", text.size);
	buf_done(&text);
}

static inline void image_hashes(struct buf *image, const char **at)
{
	char *end;
	unsigned long count = strtoul(*at + 1, &end, 10);

	*at = end;
	for (unsigned long i = 0; i < count * 16; i++)
		buf_char(image, (char)(i % 16 + 1));
}

static inline void image_words(struct buf *image, const char *at)
{
	while (*at != '\0') {
		char *end;

		if (*at == ' ') {
			at++;
		} else if (*at == '\'') {
			buf_char(image, at[1]);
			at += 2;
		} else if (*at == '"') {
			image_string(image, &at);
		} else if (*at == '#') {
			image_hashes(image, &at);
		} else if (*at == '~') {
			for (at++; *at != ' ' && *at != '\0';)
				image_hex(image, &at);
		} else {
			image_integer(image, strtoull(at, &end, 10));
			at = end;
		}
	}
}

static inline void image_begin(struct buf *image, char version)
{
	buf_add(image, "SNAPCNT", 7);
	buf_char(image, version);
	buf_add(image, "\n\3\0\0", 4);
}

static inline void image_seal(struct buf *image)
{
	uint32_t crc = crc32c(0, image->data, image->size);

	for (unsigned shift = 0; shift < 32; shift += 8)
		buf_char(image, (char)(crc >> shift));
}

#endif
