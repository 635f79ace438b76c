/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/xattrs.h"

#include <string.h>

#include "base/le.h"

void xattrs_add(struct buf *set, const struct xattr *xattr)
{
	uint8_t size[4];

	le32_store(size, xattr->size);
	buf_add(set, xattr->name, strlen(xattr->name) + 1);
	buf_add(set, size, sizeof(size));
	buf_add(set, xattr->value, xattr->size);
}

bool xattrs_next(struct cursor *at, struct xattr *xattr)
{
	size_t left = (size_t)(at->end - at->at);
	const uint8_t *end = left > 0 ? memchr(at->at, '\0', left) : NULL;
	const uint8_t *size;

	if (left == 0)
		return false;
	if (end == NULL || end == at->at || end - at->at > (ptrdiff_t)XATTR_NAME_MAX_BYTES) {
		at->bad = true;
		return false;
	}
	xattr->name = (const char *)at->at;
	at->at = end + 1;
	size = cursor_bytes(at, 4);
	if (size == NULL)
		return false;
	xattr->size = le32_load(size);
	if (xattr->size > XATTR_BYTES_MAX)
		at->bad = true;
	else
		xattr->value = cursor_bytes(at, xattr->size);
	return !at->bad;
}

bool xattrs_are_valid(const uint8_t *set, size_t size)
{
	struct cursor at = { .at = set, .end = set + size };
	struct xattr xattr;
	const char *before = "";
	size_t names = 0;

	while (xattrs_next(&at, &xattr)) {
		names += strlen(xattr.name) + 1;
		if (strcmp(before, xattr.name) >= 0 || names > XATTR_NAMES_MAX)
			return false;
		before = xattr.name;
	}
	return !at.bad;
}

bool xattrs_find(const uint8_t *set, size_t size, const char *name, struct xattr *xattr)
{
	struct cursor at = { .at = set, .end = set + size };

	while (xattrs_next(&at, xattr))
		if (strcmp(xattr->name, name) == 0)
			return true;
	return false;
}
