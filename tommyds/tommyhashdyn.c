/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommyhashdyn.h"

#include <stdlib.h>
#include <string.h>

#define BUCKET_MIN 16

static struct tommy_hashdyn_node **bucket_of(const struct tommy_hashdyn *table, uint64_t hash)
{
	return &table->bucket[hash & (table->bucket_count - 1)];
}

static void bucket_append(struct tommy_hashdyn_node **bucket, struct tommy_hashdyn_node *node)
{
	node->next = NULL;
	if (*bucket == NULL) {
		node->prev = node;
		*bucket = node;
		return;
	}
	node->prev = (*bucket)->prev;
	node->prev->next = node;
	(*bucket)->prev = node;
}

static struct tommy_hashdyn_node **bucket_alloc(size_t count)
{
	struct tommy_hashdyn_node **bucket = calloc(count, sizeof(*bucket));

	if (bucket == NULL)
		abort();
	return bucket;
}

/* Nodes of equal hash share the old and the new bucket, so they keep their order. */
static void table_resize(struct tommy_hashdyn *table, size_t bucket_count)
{
	struct tommy_hashdyn_node **old = table->bucket;
	size_t old_count = table->bucket_count;

	table->bucket = bucket_alloc(bucket_count);
	table->bucket_count = bucket_count;
	for (size_t i = 0; i < old_count; ++i) {
		struct tommy_hashdyn_node *node = old[i];

		while (node != NULL) {
			struct tommy_hashdyn_node *next = node->next;

			bucket_append(bucket_of(table, node->hash), node);
			node = next;
		}
	}
	free(old);
}

void tommy_hashdyn_init(struct tommy_hashdyn *table)
{
	table->bucket = bucket_alloc(BUCKET_MIN);
	table->bucket_count = BUCKET_MIN;
	table->count = 0;
}

void tommy_hashdyn_done(struct tommy_hashdyn *table)
{
	free(table->bucket);
	memset(table, 0, sizeof(*table));
}

void tommy_hashdyn_insert(struct tommy_hashdyn *table, struct tommy_hashdyn_node *node, void *data,
			  uint64_t hash)
{
	if (table->count == table->bucket_count)
		table_resize(table, table->bucket_count * 2);
	node->data = data;
	node->hash = hash;
	bucket_append(bucket_of(table, hash), node);
	++table->count;
}

void *tommy_hashdyn_remove(struct tommy_hashdyn *table, struct tommy_hashdyn_node *node)
{
	struct tommy_hashdyn_node **bucket = bucket_of(table, node->hash);

	if (node->next != NULL)
		node->next->prev = node->prev;
	else
		(*bucket)->prev = node->prev;
	if (*bucket == node)
		*bucket = node->next;
	else
		node->prev->next = node->next;
	--table->count;

	/* An eighth full, then half of the buckets: far from growing again, so that no sequence of
	 * inserts and removes resizes each time. */
	if (table->bucket_count > BUCKET_MIN && table->count < table->bucket_count / 8)
		table_resize(table, table->bucket_count / 2);
	return node->data;
}

/* The first node of that hash at or after `node` in its bucket. */
static struct tommy_hashdyn_node *chain_find(struct tommy_hashdyn_node *node, uint64_t hash)
{
	while (node != NULL && node->hash != hash)
		node = node->next;
	return node;
}

struct tommy_hashdyn_node *tommy_hashdyn_first(const struct tommy_hashdyn *table, uint64_t hash)
{
	return chain_find(*bucket_of(table, hash), hash);
}

struct tommy_hashdyn_node *tommy_hashdyn_next(const struct tommy_hashdyn_node *node)
{
	return chain_find(node->next, node->hash);
}

void *tommy_hashdyn_search(const struct tommy_hashdyn *table, tommy_search_fn *compare, const void *arg,
			   uint64_t hash)
{
	struct tommy_hashdyn_node *node;

	for (node = tommy_hashdyn_first(table, hash); node != NULL; node = tommy_hashdyn_next(node))
		if (compare(arg, node->data) == 0)
			return node->data;
	return NULL;
}

void tommy_hashdyn_foreach(const struct tommy_hashdyn *table, tommy_foreach_fn *fn, void *arg)
{
	for (size_t i = 0; i < table->bucket_count; ++i) {
		struct tommy_hashdyn_node *node = table->bucket[i];

		while (node != NULL) {
			struct tommy_hashdyn_node *next = node->next; /* read first: fn may free the node */

			fn(arg, node->data);
			node = next;
		}
	}
}

/* The first digits of the fractions of pi and e, odd: multiplying by them can be undone. */
#define MIX_PI 0x243f6a8885a308d3u
#define MIX_E  0xb7e151628aed2a6bu

/* Steps that are one to one, so that different keys never share a hash. */
uint64_t tommy_hash_u64(uint64_t key)
{
	key ^= key >> 32;
	key *= MIX_PI;
	key ^= key >> 29;
	key *= MIX_E;
	key ^= key >> 32;
	return key;
}

uint64_t tommy_hash_bytes(const void *data, size_t size)
{
	const unsigned char *at = data;
	uint64_t state = tommy_hash_u64(size + MIX_PI);
	uint64_t word;

	for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		state = (state ^ word) * MIX_PI;
		state ^= state >> 29;
	}
	word = 0;
	if (size > 0)	/* of nothing `data` may be NULL, and memcpy takes no NULL */
		memcpy(&word, at, size);
	return tommy_hash_u64(state ^ word);
}
