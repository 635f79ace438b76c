/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data of the user that stands where something is restored: kept beside it, as NAME.edited, NAME.edited.1, ... */
#ifndef IO_ASIDE_H
#define IO_ASIDE_H

#include "base/types.h"

#define ASIDE_MAX 16

/* Rename `name` to the first of these names that is free; `suffix` tells which. -1 with errno, and "". */
int aside_keep(int dir_fd, const char *name, char suffix[ASIDE_MAX]);

#endif
