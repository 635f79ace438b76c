/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/meta.h"

#include <stdlib.h>
#include <string.h>

#include "tommyds/tommyhashdyn.h"

struct entry {
	struct tommy_hashdyn_node node;
	struct meta meta;
};

struct meta_table {
	struct tommy_hashdyn table;
	struct arena *arena;
};

struct meta_table *meta_table_new(struct arena *arena)
{
	struct meta_table *table = mem_alloc(sizeof(*table));

	tommy_hashdyn_init(&table->table);
	table->arena = arena;
	return table;
}

void meta_table_free(struct meta_table *table)
{
	tommy_hashdyn_done(&table->table);
	free(table);
}

static uint64_t hash(const struct meta *meta)
{
	uint64_t hash = tommy_hash_bytes(meta->xattrs, meta->xattr_bytes);

	hash = tommy_hash_u64(hash ^ meta->mode ^ (uint64_t)meta->sparse << 32);
	return tommy_hash_u64(hash ^ ((uint64_t)meta->uid << 32 | meta->gid));
}

static int is_other(const void *like, const void *object)
{
	const struct meta *a = like, *b = &((const struct entry *)object)->meta;

	return a->mode != b->mode || a->uid != b->uid || a->gid != b->gid || a->sparse != b->sparse ||
	       a->xattr_bytes != b->xattr_bytes ||
	       (a->xattr_bytes > 0 && memcmp(a->xattrs, b->xattrs, a->xattr_bytes) != 0);
}

struct meta *meta_intern(struct meta_table *table, const struct meta *like)
{
	struct entry *entry = tommy_hashdyn_search(&table->table, is_other, like, hash(like));
	uint8_t *xattrs = NULL;

	if (entry != NULL)
		return &entry->meta;
	entry = arena_alloc(table->arena, sizeof(*entry), _Alignof(struct entry));
	entry->meta = *like;
	if (like->xattr_bytes > 0) {
		xattrs = arena_alloc(table->arena, like->xattr_bytes, 1);
		memcpy(xattrs, like->xattrs, like->xattr_bytes);
	}
	entry->meta.xattrs = xattrs;
	tommy_hashdyn_insert(&table->table, &entry->node, entry, hash(like));
	return &entry->meta;
}
