/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked for with -f, each one read as people mean it.
 *
 * A text is first a name: of a file, of a link, or with a slash at its end of a directory. Only where nothing that
 * is recorded has that name it is a pattern. A path below the directory of a data disk is one of that disk. */
#ifndef COMMAND_WISH_H
#define COMMAND_WISH_H

#include "array/array.h"
#include "config/options.h"

struct wishes;

struct wishes *wishes_new(const struct string_list *texts, const struct array *array);
void wishes_free(struct wishes *wishes);		/* NULL is fine */

/* First every recorded entry that may be meant is shown, ... */
void wishes_see(struct wishes *wishes, const struct disk *disk, const char *path, bool is_dir);
/* ... then all texts must have met something, -1: said, ... */
int wishes_check(const struct wishes *wishes);
/* ... and then this tells. No texts: yes. */
bool wishes_want(const struct wishes *wishes, const struct disk *disk, const char *path, bool is_dir);

#endif
