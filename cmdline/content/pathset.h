/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paths of a disk, to find one that comes twice.
 *
 * That never happens but in a broken file, so nothing is asked while they come: their hashes are sorted at the end, which
 * takes a fraction of what it takes to look each one up. A zeroed set is empty. */
#ifndef CONTENT_PATHSET_H
#define CONTENT_PATHSET_H

#include "base/types.h"

struct pathset {
	struct pathset_entry {
		uint64_t hash;
		const char *path;
	} *entry;
	size_t count, room;
};

/* `path` must live as long as the set. */
void pathset_add(struct pathset *set, const char *path);
/* One that was added twice; NULL: none. The order of the set is lost. */
const char *pathset_double(struct pathset *set);
void pathset_done(struct pathset *set);

#endif
