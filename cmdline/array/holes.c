/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/holes.h"

#include <stdlib.h>

#include "base/mem.h"

struct hole {
	struct tommy_tree_node size_node, place_node;
	struct run run;
};

struct holes {
	struct tommy_tree by_size;	/* of equal ones the lower comes first */
	struct tommy_tree by_place;
	stripe_t room;			/* of all holes */
	stripe_t open;			/* all from here on is free */
};

static int compare_place(const void *a, const void *b)
{
	stripe_t x = ((const struct hole *)a)->run.at, y = ((const struct hole *)b)->run.at;

	return (x > y) - (x < y);
}

static int compare_size(const void *a, const void *b)
{
	stripe_t x = ((const struct hole *)a)->run.count, y = ((const struct hole *)b)->run.count;

	return x != y ? (x > y) - (x < y) : compare_place(a, b);
}

static void add_hole(struct holes *holes, stripe_t at, stripe_t end)
{
	struct hole *hole = mem_zalloc(sizeof(*hole));

	hole->run = (struct run){ at, end - at };
	holes->room += end - at;
	tommy_tree_insert(&holes->by_size, &hole->size_node, hole);
	tommy_tree_insert(&holes->by_place, &hole->place_node, hole);
}

/* What is free there is cut by the stripes that are closed. */
static void add_free(struct holes *holes, stripe_t at, stripe_t end, const struct bitmap *closed)
{
	while (at < end) {
		stripe_t stop = closed != NULL ? bitmap_next(closed, at) : STRIPE_NONE;

		if (stop > end)
			stop = end;
		if (stop > at)
			add_hole(holes, at, stop);
		for (at = stop; closed != NULL && at < end && bitmap_test(closed, at);)
			at++;
	}
}

struct holes *holes_new(const struct extent_map *map, stripe_t end, const struct bitmap *closed)
{
	struct holes *holes = mem_zalloc(sizeof(*holes));
	stripe_t at = 0;

	tommy_tree_init(&holes->by_size, compare_size);
	tommy_tree_init(&holes->by_place, compare_place);
	for (const struct extent *e = extent_from(map, 0); e != NULL; e = extent_next(e)) {
		if (e->state == BLOCK_DELETED)
			continue;
		add_free(holes, at, e->at < end ? e->at : end, closed);
		at = e->at + e->count;
	}
	add_free(holes, at, end, closed);
	holes->open = at > end ? at : end;
	return holes;
}

static void free_hole(void *arg, void *hole)
{
	(void)arg;
	free(hole);
}

void holes_free(struct holes *holes)
{
	if (holes == NULL)
		return;
	tommy_tree_foreach(&holes->by_place, free_hole, NULL);
	free(holes);
}

stripe_t holes_room(const struct holes *holes)
{
	return holes->room;
}

stripe_t holes_largest(const struct holes *holes)
{
	struct tommy_tree_node *node = tommy_tree_last(&holes->by_size);

	return node != NULL ? ((struct hole *)node->data)->run.count : 0;
}

/* The first stripes of the hole are taken. It keeps its place in the order of places: it ends where it did. */
static void shrink(struct holes *holes, struct hole *hole, stripe_t count)
{
	holes->room -= count;
	tommy_tree_remove(&holes->by_size, &hole->size_node);
	if (hole->run.count == count) {
		tommy_tree_remove(&holes->by_place, &hole->place_node);
		free(hole);
		return;
	}
	hole->run.at += count;
	hole->run.count -= count;
	tommy_tree_insert(&holes->by_size, &hole->size_node, hole);
}

stripe_t holes_take_whole(struct holes *holes, stripe_t count)
{
	struct hole key = { .run = { 0, count } };
	struct tommy_tree_node *node = tommy_tree_lower_bound(&holes->by_size, &key);
	stripe_t at;

	if (node == NULL)
		return STRIPE_NONE;
	at = ((struct hole *)node->data)->run.at;
	shrink(holes, node->data, count);
	return at;
}

struct run holes_take_lowest(struct holes *holes, stripe_t count)
{
	struct tommy_tree_node *node = tommy_tree_first(&holes->by_place);
	struct run run;

	if (node == NULL) {
		run = (struct run){ holes->open, count };
		holes->open += count;
		return run;
	}
	run = ((struct hole *)node->data)->run;
	if (run.count > count)
		run.count = count;
	shrink(holes, node->data, run.count);
	return run;
}
