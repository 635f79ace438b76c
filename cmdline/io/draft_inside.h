/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the beginning and the end of a draft share. Inside io/draft*.c only. */
#ifndef IO_DRAFT_INSIDE_H
#define IO_DRAFT_INSIDE_H

#include <sys/stat.h>

#include "io/draft.h"

enum draft_there { THERE_NOTHING, THERE_FILE, THERE_OTHER, THERE_NO_WAY, THERE_ERROR };

/* What has the name of the draft. But for a file errno says what is wrong with it. */
enum draft_there draft_examine(const struct draft_place *place, const struct draft *draft, struct stat *st);
/* Of an open directory: not a link. */
bool draft_is_file(int dir_fd, const char *name);
/* The recorded time. -1 with errno. */
int draft_set_time(const struct draft *draft, int fd);

#endif
