/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Do two files below a directory hold the same bytes? No link is followed; what cannot be read is not the same. */
#ifndef IO_SAME_H
#define IO_SAME_H

#include "base/types.h"

bool same_data(int root_fd, const char *a, const char *b);

#endif
