/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the beginning and the end of a draft share. Inside io/draft*.c only. */
#ifndef IO_DRAFT_INSIDE_H
#define IO_DRAFT_INSIDE_H

#include <sys/stat.h>

#include "io/draft.h"

enum draft_there { THERE_NOTHING, THERE_FILE, THERE_OTHER, THERE_NO_WAY, THERE_ERROR };

/* What has the name of the draft. But for a file errno says what is wrong with it. */
enum draft_there draft_examine(const struct draft_place *place, const struct draft *draft, struct stat *st);
/* Is that, as draft_examine() tells, what the reader saw? -1: it is not; errno is DRAFT_RACED. A file is remembered. */
int draft_check_seen(const struct draft_place *place, struct draft *draft, enum draft_there there, const struct stat *st);
/* Is it still the file that was there? -1 as above. */
int draft_check_there(const struct draft *draft, const struct stat *st);
/* Of an open directory: not a link. */
bool draft_is_file(int dir_fd, const char *name);
/* The recorded time. -1 with errno. */
int draft_set_time(const struct draft *draft, int fd);

#endif
