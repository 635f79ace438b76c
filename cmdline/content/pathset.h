/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paths met so far, to find one that comes twice on a disk. Cheap: one probe of a table of hashes, and a
 * comparison only of equal hashes. */
#ifndef CONTENT_PATHSET_H
#define CONTENT_PATHSET_H

#include "base/types.h"

struct pathset_entry {
	uint64_t hash;
	const char *path;	/* NULL: a free place */
	unsigned disk;
};

struct pathset {
	struct pathset_entry *entry;
	size_t count, room;	/* room is a power of two, or 0 */
};

/* Expect so many paths: a set that grows pays for each step. */
void pathset_reserve(struct pathset *set, size_t count);
/* `path` must live as long as the set. false: the disk has it already. A zeroed set is empty. */
bool pathset_add(struct pathset *set, unsigned disk, const char *path);
void pathset_done(struct pathset *set);

#endif
