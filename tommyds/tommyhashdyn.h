/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chained hash table that grows and shrinks with its content; nodes live inside the objects.
 *
 * The object embeds a `struct tommy_hashdyn_node`; the table owns only its array of buckets. Objects of
 * equal hash are all kept, and met in the order they were inserted.
 * Always true: a power of two of buckets, at least 16; at most one object per bucket on average.
 * Cost: O(1) for all calls but foreach and done; an insert or remove that resizes is O(n), rarely.
 * Memory: aborts if there is none.
 * Threads: none of its own; many may search while none changes it. */
#ifndef TOMMYDS_TOMMYHASHDYN_H
#define TOMMYDS_TOMMYHASHDYN_H

#include <stddef.h>
#include <stdint.h>

#include "tommyds/tommylist.h"

struct tommy_hashdyn_node {
	struct tommy_hashdyn_node *next; /* in the bucket; NULL in its last node */
	struct tommy_hashdyn_node *prev; /* in the bucket; the first node points to the last one */
	void *data;			 /* the object the node lives in, as given to insert */
	uint64_t hash;
};

struct tommy_hashdyn {
	struct tommy_hashdyn_node **bucket;
	size_t bucket_count;
	size_t count;
};

/* Is `data` the object that `arg` asks for? 0 if it is. */
typedef int tommy_search_fn(const void *arg, const void *data);

void tommy_hashdyn_init(struct tommy_hashdyn *table);
void tommy_hashdyn_done(struct tommy_hashdyn *table); /* frees the buckets; objects are of the caller */

void tommy_hashdyn_insert(struct tommy_hashdyn *table, struct tommy_hashdyn_node *node, void *data,
			  uint64_t hash);
/* Take out a node that is in this table. Returns its object. */
void *tommy_hashdyn_remove(struct tommy_hashdyn *table, struct tommy_hashdyn_node *node);

/* The first inserted object of that hash for which compare(arg, object) is 0; NULL if there is none. */
void *tommy_hashdyn_search(const struct tommy_hashdyn *table, tommy_search_fn *compare, const void *arg,
			   uint64_t hash);
/* Walk the nodes of exactly that hash: the first one, and the one after `node`; NULL at the end. */
struct tommy_hashdyn_node *tommy_hashdyn_first(const struct tommy_hashdyn *table, uint64_t hash);
struct tommy_hashdyn_node *tommy_hashdyn_next(const struct tommy_hashdyn_node *node);

/* Call fn(arg, object) for all, in no order. fn may free the object, but not change the table: that is for
 * use just before done. */
void tommy_hashdyn_foreach(const struct tommy_hashdyn *table, tommy_foreach_fn *fn, void *arg);

static inline size_t tommy_hashdyn_count(const struct tommy_hashdyn *table)
{
	return table->count;
}

/* Hashes for tables in memory: all input bits reach all output bits. Not for keeping on disk. */
uint64_t tommy_hash_u64(uint64_t key);
uint64_t tommy_hash_bytes(const void *data, size_t size);

#endif
