/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/extent.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array/file.h"
#include "base/mem.h"

/* How one is found by its stripe. */
struct index {
	/* The latest answers, NULL: the first extent. Whoever goes up the stripes finds the next one behind them: there
	 * are two, for those who fill slots and those who retire them. */
	struct extent *near[2];
	unsigned oldest;		/* of these */
	struct tommy_tree tree;		/* by stripe; built from the list at the first search that they do not answer */
	bool made;
};

struct extent_map {
	struct extent *first, *last;	/* the list, by stripe */
	struct extent *spare;		/* to be used again, chained by `next` */
	struct index *index;
	unsigned hash_size;
	struct arena *arena;
};

/* The order is kept although `at` of an extent moves while it is in the tree: it moves only over blocks that
 * were its own, or become so, never past a neighbour. */
static int extent_compare(const void *a, const void *b)
{
	stripe_t x = ((const struct extent *)a)->at, y = ((const struct extent *)b)->at;

	return (x > y) - (x < y);
}

static stripe_t extent_end(const struct extent *extent)
{
	return extent->at + extent->count;
}

static void index_insert(const struct extent_map *map, struct extent *extent)
{
	if (extent->node == NULL)
		extent->node = arena_alloc(map->arena, sizeof(*extent->node), _Alignof(struct tommy_tree_node));
	tommy_tree_insert(&map->index->tree, extent->node, extent);
}

static struct tommy_tree *map_tree(const struct extent_map *map)
{
	struct index *index = map->index;

	if (!index->made) {
		tommy_tree_init(&index->tree, extent_compare);
		for (struct extent *extent = map->first; extent != NULL; extent = extent->after)
			index_insert(map, extent);
		index->made = true;
	}
	return &index->tree;
}

/* The last extent that begins at `at` or before, if it is this one or the one after it. */
static struct extent *floor_near(struct extent *extent, stripe_t at)
{
	struct extent *after = extent->after;

	if (at < extent->at)
		return NULL;
	if (after == NULL || at < after->at)
		return extent;
	return after->after == NULL || at < after->after->at ? after : NULL;
}

/* The last extent that begins at `at` or before. */
static struct extent *extent_floor(const struct extent_map *map, stripe_t at)
{
	struct extent key = { .at = at }, *found = NULL;
	struct index *index = map->index;
	unsigned n;

	if (map->first == NULL || at < map->first->at)
		return NULL;
	if (at >= map->last->at)
		return map->last;
	for (n = 0; n < 2 && found == NULL; ++n)
		found = floor_near(index->near[n] != NULL ? index->near[n] : map->first, at);
	n = found != NULL ? n - 1 : index->oldest;
	if (found == NULL)
		found = tommy_tree_floor(map_tree(map), &key)->data;
	index->near[n] = found;
	index->oldest = 1 - n;
	return found;
}

static uint8_t *hash_at(const struct extent_map *map, const struct extent *extent, stripe_t at)
{
	return extent->hash + (size_t)(at - extent->at) * map->hash_size;
}

struct extent_map *extent_map_new(unsigned hash_size, struct arena *arena)
{
	struct extent_map *map = mem_zalloc(sizeof(*map));

	map->index = mem_zalloc(sizeof(*map->index));
	map->hash_size = hash_size;
	map->arena = arena;
	return map;
}

void extent_map_free(struct extent_map *map)
{
	if (map == NULL)
		return;
	free(map->index);
	free(map);
}

struct extent *extent_at(const struct extent_map *map, stripe_t at)
{
	struct extent *extent = extent_floor(map, at);

	return extent != NULL && at < extent_end(extent) ? extent : NULL;
}

struct extent *extent_from(const struct extent_map *map, stripe_t at)
{
	struct extent *extent = extent_floor(map, at);

	if (extent == NULL)
		return map->first;
	return at < extent_end(extent) ? extent : extent_next(extent);
}

struct extent *extent_last(const struct extent_map *map)
{
	return map->last;
}

stripe_t extent_map_end(const struct extent_map *map)
{
	const struct extent *last = extent_last(map);

	return last != NULL ? extent_end(last) : 0;
}

const uint8_t *extent_hash(const struct extent_map *map, const struct extent *extent, stripe_t at)
{
	assert(at >= extent->at && at < extent_end(extent));
	return hash_at(map, extent, at);
}

/* Can the block after `a` and the first one of `b`, in state `state`, belong to `a`? */
static bool extent_continues(const struct extent_map *map, const struct extent *a, const struct extent *b,
			     enum block_state state)
{
	return a->file == b->file && a->state == state && extent_end(a) == b->at &&
	       (a->file == NULL || a->first + a->count == b->first) && a->writable == b->writable &&
	       hash_at(map, a, b->at) == b->hash;
}

/* Put one in behind `before`, NULL: as the first one. */
static struct extent *extent_add(struct extent_map *map, const struct extent *like, struct extent *before)
{
	struct extent *extent = map->spare, *after = before != NULL ? before->after : map->first;
	struct tommy_tree_node *node = extent != NULL ? extent->node : NULL;

	if (extent != NULL)
		map->spare = extent->next;
	else
		extent = arena_alloc(map->arena, sizeof(*extent), _Alignof(struct extent));
	*extent = *like;
	extent->node = node;
	extent->before = before;
	extent->after = after;
	*(before != NULL ? &before->after : &map->first) = extent;
	*(after != NULL ? &after->before : &map->last) = extent;
	if (map->index->made)
		index_insert(map, extent);
	return extent;
}

static void extent_drop(struct extent_map *map, struct extent *extent)
{
	*(extent->before != NULL ? &extent->before->after : &map->first) = extent->after;
	*(extent->after != NULL ? &extent->after->before : &map->last) = extent->before;
	if (map->index->made)
		tommy_tree_remove(&map->index->tree, extent->node);
	for (unsigned n = 0; n < 2; ++n)
		if (map->index->near[n] == extent)
			map->index->near[n] = extent->before;
	extent->next = map->spare;
	map->spare = extent;
}

/* Take `b`, which follows `a` in its file, out of the chain. */
static void chain_skip(struct extent *a, const struct extent *b)
{
	if (a->file == NULL)
		return;
	assert(a->next == b);
	a->next = b->next;
	if (a->file->last == b)
		a->file->last = a;
}

/* Cut off the blocks from `at` on as an extent of their own, the next one of the file. */
static struct extent *extent_cut(struct extent_map *map, struct extent *extent, stripe_t at)
{
	stripe_t head = at - extent->at;
	struct extent tail = *extent, *added;

	assert(head > 0 && head < extent->count);
	tail.at += head;
	tail.first += extent->file != NULL ? head : 0;
	tail.count -= head;
	tail.hash = hash_at(map, extent, at);
	extent->count = head;
	added = extent_add(map, &tail, extent);
	if (extent->file != NULL) {
		extent->next = added;
		if (extent->file->last == extent)
			extent->file->last = added;
	}
	return added;
}

/* One extent instead of two if `b` follows `a` in everything. Either may be NULL. Returns what covers `a`. */
static struct extent *extent_join(struct extent_map *map, struct extent *a, struct extent *b)
{
	if (a == NULL || b == NULL || !extent_continues(map, a, b, b->state))
		return a;
	chain_skip(a, b);
	a->count += b->count;
	extent_drop(map, b);
	return a;
}

struct extent *extent_insert(struct extent_map *map, struct file *file, block_t first, stripe_t at,
			     stripe_t count, enum block_state state, uint8_t *hash, bool writable)
{
	struct extent fresh = { .file = file, .first = file != NULL ? first : 0, .at = at, .count = count,
				.hash = hash, .state = state, .writable = writable };
	struct extent *added, *before, *after;

	assert(count > 0 && state != BLOCK_EMPTY && (file != NULL) == block_has_file(state));
	assert(file == NULL || first == (file->last != NULL ? file->last->first + file->last->count : 0));
	before = extent_floor(map, at);
	after = before != NULL ? before->after : map->first;
	if ((before != NULL && extent_end(before) > at) || (after != NULL && after->at < at + count))
		return NULL;
	added = extent_add(map, &fresh, before);
	if (file != NULL) {
		if (file->last != NULL)
			file->last->next = added;
		else
			file->extent = added;
		file->last = added;
	}
	extent_join(map, added, after);
	if (before == NULL || !extent_continues(map, before, added, state))
		return added;
	return extent_join(map, before, added);
}

/* Join with both neighbours where it can be. The extent may be gone afterwards. */
static void extent_settle(struct extent_map *map, struct extent *extent)
{
	extent_join(map, extent, extent_next(extent));
	extent_join(map, extent_prev(extent), extent);
}

/* From here on the hashes may be written: those of the content file are copied, the whole run at once. */
static void extent_make_writable(struct extent_map *map, struct extent *extent)
{
	size_t size = (size_t)extent->count * map->hash_size;

	extent->hash = memcpy(arena_alloc(map->arena, size, 1), extent->hash, size);
	extent->writable = true;
}

/* The first block of `extent` goes to the extent before, which ends there. */
static void boundary_up(struct extent_map *map, struct extent *before, struct extent *extent)
{
	before->count++;
	if (extent->count == 1) {
		chain_skip(before, extent);
		extent_drop(map, extent);
		return;
	}
	extent->at++;
	extent->first++;
	extent->count--;
	extent->hash += map->hash_size;
}

void extent_set(struct extent_map *map, stripe_t at, enum block_state state, const uint8_t *hash)
{
	struct extent *extent = extent_at(map, at), *before;

	assert(extent != NULL && block_has_file(extent->state) && block_has_file(state));
	if (hash != NULL && memcmp(hash_at(map, extent, at), hash, map->hash_size) != 0) {
		if (!extent->writable) {
			extent_make_writable(map, extent);
			extent_settle(map, extent);
			extent = extent_at(map, at);
		}
		memcpy(hash_at(map, extent, at), hash, map->hash_size);
	}
	if (extent->state == state)
		return;
	/* A job that goes up the stripes finds the blocks it has changed in the extent just before: the
	 * boundary between the two moves by one, and nothing is allocated. */
	before = at == extent->at ? extent_prev(extent) : NULL;
	if (before != NULL && extent_continues(map, before, extent, state)) {
		boundary_up(map, before, extent);
		extent_join(map, before, extent_next(before));
		return;
	}
	if (at > extent->at)
		extent = extent_cut(map, extent, at);
	if (extent->count > 1)
		extent_cut(map, extent, at + 1);
	extent->state = state;
	extent_settle(map, extent);
}

void extent_delete_file(struct extent_map *map, struct file *file)
{
	struct extent *extent = file->extent, *next;

	file->extent = NULL;
	file->last = NULL;
	for (; extent != NULL; extent = next) {
		next = extent->next;
		if (extent->state == BLOCK_REP) {
			/* What the parity holds there is not the data of this hash. */
			if (!extent->writable)
				extent_make_writable(map, extent);
			for (stripe_t at = extent->at; at < extent_end(extent); at++)
				past_set_unknown(hash_at(map, extent, at), map->hash_size);
		}
		extent->state = BLOCK_DELETED;
		extent->file = NULL;
		extent->first = 0;
		extent->next = NULL;
		extent_settle(map, extent);
	}
}

void extent_forget_deleted(struct extent_map *map, stripe_t at)
{
	extent_forget_deleted_run(map, at, 1);
}

void extent_forget_deleted_run(struct extent_map *map, stripe_t at, stripe_t count)
{
	struct extent *extent = extent_from(map, at), *next;

	for (; extent != NULL && extent->at < at + count; extent = next) {
		if (extent->state != BLOCK_DELETED) {
			next = extent_next(extent);
			continue;
		}
		if (extent->at < at)
			extent = extent_cut(map, extent, at);
		if (extent_end(extent) > at + count)
			extent_cut(map, extent, at + count);
		next = extent_next(extent);
		extent_drop(map, extent);
	}
}
