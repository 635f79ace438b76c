/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An open-addressed hash table of pointers, for objects that are only put in and looked for.
 *
 * Each place holds the hash beside the pointer: a search follows a pointer only where all of the hash is equal, and nothing
 * has to be embedded in the object. Objects of equal hash are all kept, and met in the order they were inserted.
 * Always true: a power of two of places, or none; at most half of them in use.
 * Cost: O(1), and a step for each object of the same hash before it; an insert that grows is O(n), which
 * tommy_table_reserve() spares. A zeroed table is empty.
 * Memory: aborts if there is none.
 * Threads: none of its own; many may search while none changes it. */
#ifndef TOMMYDS_TOMMYTABLE_H
#define TOMMYDS_TOMMYTABLE_H

#include <stddef.h>
#include <stdint.h>

#include "tommyds/tommyhashdyn.h"

struct tommy_place {
	uint64_t hash;
	void *data;	/* NULL: free */
};

struct tommy_table {
	struct tommy_place *place;
	size_t count, room;
};

/* Expect so many objects in all. */
void tommy_table_reserve(struct tommy_table *table, size_t count);
void tommy_table_insert(struct tommy_table *table, void *data, uint64_t hash);
/* The first inserted object of that hash for which compare(arg, object) is 0; NULL if there is none. */
void *tommy_table_search(const struct tommy_table *table, tommy_search_fn *compare, const void *arg, uint64_t hash);
void tommy_table_done(struct tommy_table *table);	/* objects are of the caller; it is empty afterwards */

#endif
