/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which stripes a new file takes: the lowest ones that hold no block of a file on its disk, DELETED and
 * EMPTY alike, ascending along the file. behaviour.md 3.4. */
#ifndef ARRAY_PLACE_H
#define ARRAY_PLACE_H

#include "array/array.h"

/* A place to continue from: files of one disk are placed one after another in one run. */
struct place {
	struct array *array;
	struct disk *disk;
	stripe_t at;
};

void place_begin(struct place *place, struct array *array, struct disk *disk);
/* Give all blocks of `file` (which has none yet) a stripe. `hashes` NULL: they become CHG, with the past
 * hash of what is there: that of the DELETED block they take the place of, or the zero mark. Else `hashes`
 * are the digests of all its blocks, of the kind array->hash (see place_hashes): the blocks become REP with
 * them, but CHG as above where the stripe is marked rehash. `hashes` is copied. */
void place_file(struct place *place, struct file *file, const uint8_t *hashes);
/* All current hashes of a file, one after another, malloc; NULL: one of its blocks has none, or lies in a
 * stripe marked rehash, or it has no block. */
uint8_t *place_hashes(const struct array *array, const struct disk *disk, const struct file *file);

#endif
