/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reader found under the name of a file. What it says of the blocks that it read holds as long as the same is
 * there. */
#ifndef IO_SEEN_H
#define IO_SEEN_H

#include <sys/stat.h>

#include "base/types.h"

enum seen_what {
	SEEN_UNKNOWN,	/* it could not be told: as good as anything */
	SEEN_NOTHING,	/* no such file, or something else has its name */
	SEEN_FILE,
};

struct seen {
	enum seen_what what;
	uint64_t size;		/* of a file */
	uint64_t inode;		/* 0: not compared */
	struct timespec time;
};

struct seen seen_file(const struct stat *st);
/* May it be the same? */
bool seen_same(const struct seen *a, const struct seen *b);

#endif
