/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parity level: one address space of stripes made of up to 8 files. */
#ifndef ARRAY_LEVEL_H
#define ARRAY_LEVEL_H

#include "base/types.h"

#define SPLIT_SIZE_UNKNOWN UINT64_MAX

/* Strings are owned by the array. */
struct split {
	char *path;
	char *uuid;		/* recorded, "" unknown */
	char *uuid_now;		/* found now; NULL: not looked */
	uint64_t size_bytes;	/* used by the array, multiple of the block size; SPLIT_SIZE_UNKNOWN: as long as the file is */
};

struct level {
	const char *name;	/* "parity", "2-parity", ..., "z-parity"; not freed */
	struct split split[SPLIT_MAX];
	unsigned split_count;
	bool recorded;		/* the content file tells of it; if not, nobody knows what its files are of */
	uint64_t total_blocks, free_blocks;	/* of its file systems, and by which it can grow, for status; 0 unknown */
};

#endif
