/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The extended attributes of one file as bytes: for each its name with a NUL, the length of the value (32 bits,
 * little-endian) and the value; names ascend, so that equal sets are equal bytes. */
#ifndef BASE_XATTRS_H
#define BASE_XATTRS_H

#include "base/buf.h"

/* What Linux can tell of one file. */
#define XATTR_NAME_MAX_BYTES	255u
#define XATTR_BYTES_MAX		65536u	/* of a value */
#define XATTR_NAMES_MAX		65536u	/* of all names, each with its NUL */

struct xattr {
	const char *name;
	const uint8_t *value;
	uint32_t size;
};

void xattrs_add(struct buf *set, const struct xattr *xattr);	/* in the order of names */
/* false: there is no more, or what is left is no such bytes: then at->bad. */
bool xattrs_next(struct cursor *at, struct xattr *xattr);
/* Are these bytes a set? Those from outside have to be asked. */
bool xattrs_are_valid(const uint8_t *set, size_t size);
/* false: there is none of that name. */
bool xattrs_find(const uint8_t *set, size_t size, const char *name, struct xattr *xattr);

#endif
