/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of struct moves, for moves.c and moves_plan.c. */
#ifndef ARRAY_MOVES_INSIDE_H
#define ARRAY_MOVES_INSIDE_H

#include "array/moves.h"

/* Blocks of a file that stay together. */
struct piece {
	block_t first;
	stripe_t count, from, to;
	uint8_t *hash;		/* as in an extent: not to be written */
};

struct moving {
	struct disk *disk;
	struct file *file;
	block_t blocks;
	struct piece *piece;	/* ascending in the file; malloc */
	size_t piece_count, piece_room;
};

/* Only the first ones of the plan are moved. */
void moves_keep_first(struct moves *moves, size_t count);

#endif
