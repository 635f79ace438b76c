/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorded names of a disk that end in one suffix: next to none. Made once, then const. */
#ifndef ARRAY_SUFFIXED_H
#define ARRAY_SUFFIXED_H

#include "array/disk.h"

struct suffixed;

struct suffixed *suffixed_new(const struct disk *disk, const char *suffix);	/* NULL: there is none */
void suffixed_free(struct suffixed *suffixed);	/* NULL is fine */
bool suffixed_has(const struct suffixed *suffixed, const char *path);	/* NULL has none */

#endif
