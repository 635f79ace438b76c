/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a part of a file that had holes: zeros are left out, so that it takes no more room than it did. */
#ifndef IO_SPARSE_H
#define IO_SPARSE_H

#include "base/types.h"

#define SPARSE_PAGE 4096u	/* the least that file systems leave out */

/* `offset` is a multiple of SPARSE_PAGE. Pages of zeros become, or stay, holes where the file system can; a hole at the
 * end of the file appears when it gets its size. -1 with errno. */
int sparse_write(int fd, const uint8_t *data, uint32_t bytes, uint64_t offset);

#endif
