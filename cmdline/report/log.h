/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of -l. interface.md 6.1. Not thread safe: the report has the lock. */
#ifndef REPORT_LOG_H
#define REPORT_LOG_H

#include "base/types.h"

struct log;

/* The value of -l: FILE, >FILE (create or overwrite), >>FILE (append), >&1, >&2. %D %T %% in a name are the
 * date, the time and a percent; a name ending in .gz is written compressed. NULL: it was said why not. */
struct log *log_open(const char *value, int64_t now);
/* -1 with errno: this and all later lines are lost. */
int log_write(struct log *log, const char *data, size_t size);
int log_flush(struct log *log);
int log_close(struct log *log);		/* NULL is fine */
const char *log_path(const struct log *log);

/* The name with %D %T %% put in, the caller's to free(). NULL: another letter follows a percent. */
char *log_expand(const char *name, int64_t now);

#endif
