/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is protected, in memory: disks, levels, and the state of every stripe.
 *
 * Made empty from the configuration by command/session, filled by content/, changed by scan/apply and by the
 * jobs of stripe/ (coordinator only). No file, clock or thread in here. */
#ifndef ARRAY_ARRAY_H
#define ARRAY_ARRAY_H

#include "array/disk.h"
#include "array/info.h"
#include "array/level.h"
#include "base/bitmap.h"
#include "base/mem.h"
#include "hash/hash.h"

struct array {
	uint32_t block_size;		/* bytes */
	unsigned hash_size;		/* bytes of a stored digest */
	struct hash_key hash;		/* of all stripes but those marked rehash */
	struct hash_key past_hash;	/* of stripes marked rehash; kind HASH_NONE: there are none */
	struct disk **disk;		/* in the order of the configuration */
	unsigned disk_count;
	struct level level[LEVEL_MAX];
	unsigned level_count;
	const char *parity_path[LEVEL_MAX][SPLIT_MAX];	/* where the parity was at the last save; NULL: unknown, or nothing */
	bool z_parity;			/* the third level is Vandermonde's */
	bool z_known, z_was;		/* was it at the last save? if that is known */
	struct info_map *info;
	struct arena *arena;		/* hashes and other things that live as long as the array */
	struct meta_table *metas;
	bool keep_metadata;		/* what it takes for complete restores is recorded in the side files */
	int64_t saved;			/* when the content was saved, in ns since 1970; 0: not known. Never less than before */
	bool changed;			/* differs from the content files: they have to be written */
	stripe_t loaded_count;		/* stripes of the loaded content: what is below and has no info may have been left
					 * by files of which nothing is known any more */
	bool was_unsynced;		/* the loaded content is of the middle of a sync */
	struct bitmap *unfinished;	/* its unsynced stripes, for a sync; NULL: none */
};

struct array *array_new(uint32_t block_size, unsigned hash_size);
void array_free(struct array *array);		/* NULL is fine */
struct disk *array_add_disk(struct array *array, const char *name, const char *dir);
void array_set_hash_size(struct array *array, unsigned hash_size);	/* only while no disk has a block */
struct disk *array_find_disk(const struct array *array, const char *name);	/* NULL: none */
struct disk *array_disk_at(const struct array *array, column_t column);	/* NULL: an empty column */
/* Give every disk without a column the lowest free one, in the order of the configuration. false: more
 * than COLUMN_MAX. */
bool array_map_disks(struct array *array);
column_t array_column_end(const struct array *array);	/* highest column in use + 1 */

/* Number of stripes: the highest that holds a block of a file, + 1 (what the content file calls blockmax). */
stripe_t array_stripe_count(const struct array *array);
/* Stripes that must be in the parity files: the highest BLK block + 1. */
stripe_t array_used_count(const struct array *array);
/* How many stripes sync has work in: with a file block and at least one CHG, REP or DELETED. */
stripe_t array_unsynced_count(const struct array *array);
/* New bitmaps, the caller's to free: stripes with a block of a file; those that sync has work in; those marked bad. */
struct bitmap *array_file_stripes(const struct array *array);
struct bitmap *array_unsynced_stripes(const struct array *array);
struct bitmap *array_bad_stripes(const struct array *array);
/* A sync begins, and nothing was changed since the load: what is unsynced is left of another one. */
void array_note_unfinished(struct array *array);

/* The hash function of the digests at that stripe. */
const struct hash_key *array_hash_at(const struct array *array, stripe_t at);

/* behaviour.md 9: drop the DELETED blocks and the info of stripes that no file uses (to be called before
 * saving). */
void array_forget_unused(struct array *array);

#endif
