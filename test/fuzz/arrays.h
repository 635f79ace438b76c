/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays for the targets of content/. */
#ifndef TEST_FUZZ_ARRAYS_H
#define TEST_FUZZ_ARRAYS_H

#include "array/array.h"
#include "base/buf.h"

/* Two disks, d1 and d2, and two levels, as a configuration makes them: nothing is recorded. */
struct array *arrays_configured(void);
/* With files in every state of a block, links and directories, stripes with each flag, that of a rehash only if it is
 * asked for; ready to be saved. */
struct array *arrays_filled(bool rehash);

/* Are its hashes and stripes few? A short file may tell of 2^32 stripes, each step of which then takes a moment; and
 * one of the oldest format of as many blocks without a hash, which get one. */
bool arrays_is_small(const struct array *array);
/* The bytes of the content file of a small one. */
void arrays_encode(struct array *array, struct buf *image);
/* Promised of an array that was loaded, whatever the file said: no path leads out of its disk. */
void arrays_check_paths(const struct array *array);
/* Likewise: extents are in the order of stripes, do not overlap, and cover each file once; a synced stripe has a time,
 * and one that waits for a rehash its previous hash. */
void arrays_check_stripes(const struct array *array);

#endif
