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
/* Give all blocks of `file` (which has none yet) a stripe. `source` NULL: they become CHG, with the past
 * hash of what is there. Else a file with the same data, all of whose blocks have a current hash of the kind
 * array->hash: they become REP with those hashes, but CHG where the stripe is marked rehash. DELETED
 * blocks in the way are absorbed. `source` is still whole, or `hashes` (count digests) was saved from it. */
void place_file(struct place *place, struct file *file, const uint8_t *hashes);
/* All current hashes of a file, one after another, malloc; NULL: one of its blocks has none, or lies in a
 * stripe marked rehash, or it has no block. */
uint8_t *place_hashes(const struct array *array, const struct disk *disk, const struct file *file);

#endif
