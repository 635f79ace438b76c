/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which stripes a new file takes: those of a hole that holds all of it (holes.h); if there is none the lowest that hold
 * no block of a file on its disk, ascending along the file. behaviour.md 3.4. Stripes that an earlier sync left
 * unfinished are taken only once the others have no room for a file below the end. */
#ifndef ARRAY_PLACE_H
#define ARRAY_PLACE_H

#include "array/array.h"
#include "array/holes.h"

/* Files of one disk are placed one after another, while nothing else changes its map. */
struct place {
	struct array *array;
	struct disk *disk;
	stripe_t end;
	struct holes *holes;
	bool any;			/* unfinished stripes are among the holes */
};

/* `end`: room beyond it costs parity, so that small holes before it are rather used. */
void place_begin(struct place *place, struct array *array, struct disk *disk, stripe_t end);
void place_end(struct place *place);
/* Is there room for all of `file` below the end? */
bool place_has_room(struct place *place, const struct file *file);
/* Give all blocks of `file` (which has none yet) a stripe. `hashes` NULL: they become CHG, with the past
 * hash of what is there: that of the DELETED block they take the place of, or the zero mark. Else `hashes`
 * are the digests of all its blocks, of the kind array->hash (see place_hashes): the blocks become REP with
 * them, but CHG as above where the stripe is marked rehash. `hashes` is copied. */
void place_file(struct place *place, struct file *file, const uint8_t *hashes);
/* All current hashes of a file, one after another, malloc; NULL: one of its blocks has none, or lies in a
 * stripe marked rehash, or it has no block. */
uint8_t *place_hashes(const struct array *array, const struct disk *disk, const struct file *file);

#endif
