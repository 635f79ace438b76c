/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of -l. interface.md 6.1. Not thread safe: the report has the lock. */
#ifndef REPORT_LOG_H
#define REPORT_LOG_H

#include <sys/stat.h>

#include "base/types.h"

struct log;

/* The value of -l: FILE, >FILE (create or overwrite), >>FILE (append), >&1, >&2. %D %T %% in a name are the
 * date, the time and a percent; a name ending in .gz is written compressed. NULL: it was said why not.
 * Until log_begin() what is written is held in memory, and a file that has that name is as it was. */
struct log *log_open(const char *value, int64_t now);
/* Of a log in a regular file that has not begun; false of others. */
bool log_stat(const struct log *log, struct stat *st);
/* Is nothing but a log lost with what has that name? */
bool log_may_replace(const struct log *log);
int log_begin(struct log *log);		/* -1 with errno */
/* -1 with errno: this and all later lines are lost. */
int log_write(struct log *log, const char *data, size_t size);
int log_flush(struct log *log);
int log_close(struct log *log);		/* NULL is fine. One that has not begun leaves nothing behind. */
const char *log_path(const struct log *log);

/* The name with %D %T %% put in, the caller's to free(). NULL: another letter follows a percent. */
char *log_expand(const char *name, int64_t now);

#endif
