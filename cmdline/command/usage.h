/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a data disk is used, from what the array knows: files, fragments and room. Nothing is read from the disk.
 *
 * Room is what the file system had free at the last sync. A disk can grow as far as its own space and that of
 * the smallest parity level both allow; space beyond the parity is wasted until the parity grows. */
#ifndef COMMAND_USAGE_H
#define COMMAND_USAGE_H

#include "array/array.h"

struct usage {
	uint64_t files, blocks, bytes;		/* bytes: sum of the sizes of the files */
	uint64_t fragmented, excess;		/* files in more than one piece; pieces beyond the first ones */
	uint64_t zero_subsecond;		/* files whose recorded time has no sub-second part */
	stripe_t allocated;			/* highest stripe of a file + 1 */
	bool room_known;			/* else all that follows is 0 */
	uint64_t total_blocks, free_blocks;	/* of the file system */
	uint64_t max_by_space, max_by_parity, max;	/* blocks of files it could hold; max is the lower one */
	uint64_t free_bytes;			/* of files that still fit */
	int64_t wasted_bytes;			/* negative: the parity has more room than the disk */
};

void usage_of_disk(const struct array *array, const struct disk *disk, struct usage *usage);
/* Add the counts and the room of a disk to a total. Only what is wasted adds up, not what is not. */
void usage_add(struct usage *total, const struct usage *usage);
unsigned usage_percent(const struct usage *usage);	/* of the blocks it could hold; 0 unknown */

/* The room of the smallest parity level, in blocks beyond the present end. false: not known yet. */
bool usage_parity_free(const struct array *array, uint64_t *free_blocks);

bool file_lacks_subsecond(const struct file *file);

#endif
