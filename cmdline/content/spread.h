/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same bytes to several files at once, each written by a thread of its own: no disk waits for another one, but when it
 * is a whole piece ahead. Inside content/ only. */
#ifndef CONTENT_SPREAD_H
#define CONTENT_SPREAD_H

#include "base/types.h"

struct spread;

struct spread *spread_new(const int *fd, unsigned count);
/* Begin to write a piece to all. On return the pieces before it are written: `data` has to stay until the next call. A file
 * that cannot be written gets no more. */
void spread_write(struct spread *spread, const void *data, size_t size);
/* Wait for all, and free. Returns 0, or the errno of the first file that failed, which is `*failed`. */
int spread_end(struct spread *spread, unsigned *failed);

#endif
