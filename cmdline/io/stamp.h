/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorded time of a file against the one that it has. */
#ifndef IO_STAMP_H
#define IO_STAMP_H

#include <sys/stat.h>

#include "array/file.h"

/* Is it the same, as far as it was recorded? */
bool stamp_has_time(const struct stamp *recorded, const struct stat *st);
/* To be set; what was not recorded of it is zero. */
struct timespec stamp_time(const struct stamp *recorded);

#endif
