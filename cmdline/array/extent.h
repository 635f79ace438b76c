/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the blocks of a disk lie in the parity, and in which state.
 *
 * An extent is a run of blocks at consecutive stripes, of one file in file order (or of no file: DELETED),
 * all in one state, with their hashes one after another. Runs are the unit of everything: a block by
 * itself is nowhere stored. A map holds the extents of one disk by stripe; each file chains its own.
 *
 * Extents that come in the order of their stripes, as they do when a content file is loaded, make a list. The tree
 * to find one by its stripe is made when it is first needed: commands that go along the list, or up the stripes, never
 * pay for it.
 *
 * Always true:	extents of a map never overlap; the chain of a file covers its blocks once, in file order.
 *		Extents live in the arena of the array, hashes there or in the mapped content file (not writable).
 * Threads:	one at a time, for searches too: only the coordinator uses a map. */
#ifndef ARRAY_EXTENT_H
#define ARRAY_EXTENT_H

#include "array/block.h"
#include "tommyds/tommytree.h"

struct arena;
struct file;

struct extent {
	stripe_t at;
	stripe_t count;
	struct extent *before, *after;	/* by stripe */
	struct extent *next;		/* of the same file; NULL for the last, and for DELETED */
	struct file *file;		/* NULL: DELETED */
	block_t first;			/* block of the file at `at` */
	uint8_t *hash;			/* count * hash_size bytes */
	struct tommy_tree_node *node;	/* of the map's tree; NULL until that is made */
	enum block_state state;
	bool writable;			/* hash may be written in place */
};

struct extent_map;

struct extent_map *extent_map_new(unsigned hash_size, struct arena *arena);
void extent_map_free(struct extent_map *map);	/* NULL is fine */

/* The extent that covers `at`; NULL: EMPTY. */
struct extent *extent_at(const struct extent_map *map, stripe_t at);
/* The first extent that ends beyond `at` (it may begin before it); NULL: none. */
struct extent *extent_from(const struct extent_map *map, stripe_t at);

/* In stripe order; NULL: that was the last, the first. */
static inline struct extent *extent_next(const struct extent *extent)
{
	return extent->after;
}

static inline struct extent *extent_prev(const struct extent *extent)
{
	return extent->before;
}

struct extent *extent_last(const struct extent_map *map);	/* NULL: the disk has no block at all */
stripe_t extent_map_end(const struct extent_map *map);	/* last stripe of any extent + 1; 0 */

/* Hash of the block at `at`, inside the extent. */
const uint8_t *extent_hash(const struct extent_map *map, const struct extent *extent, stripe_t at);

/* Add a run of a file (file NULL: DELETED) after those it has. `hash` has count digests; if `writable` is
 * false it must outlive the map, if true it must come from the arena. NULL: one of the stripes is taken,
 * nothing changed. Two that could be one become one: the result may begin before `at`. */
struct extent *extent_insert(struct extent_map *map, struct file *file, block_t first, stripe_t at,
			     stripe_t count, enum block_state state, uint8_t *hash, bool writable);

/* Change one block: its state, and its hash unless `hash` is NULL. The file stays. O(log n) amortised when
 * called in ascending order of stripes. The block must exist and both states have a file. */
void extent_set(struct extent_map *map, stripe_t at, enum block_state state, const uint8_t *hash);

/* All blocks of the file lose it: BLK and CHG keep their hash as the past one, REP gets the unknown mark.
 * The file's chain is empty afterwards. behaviour.md 2.2. */
void extent_delete_file(struct extent_map *map, struct file *file);
/* A DELETED block becomes EMPTY. Other blocks: nothing. */
void extent_forget_deleted(struct extent_map *map, stripe_t at);
void extent_forget_deleted_run(struct extent_map *map, stripe_t at, stripe_t count);

#endif
