/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A balanced ordered tree (AVL) whose nodes live inside the objects.
 *
 * The object embeds a `struct tommy_tree_node`; the tree never allocates and owns nothing. The order is a
 * compare function on objects; what it looks at must not change while the object is in the tree.
 * Always true: no two objects compare equal; the heights of two siblings differ by at most one.
 * Cost: insert, remove and all searches O(log n); first, last, next, prev O(log n), and O(1) on average
 * over a walk.
 * A search takes a key: an object of the same type with only the compared fields filled in, given to the
 * compare function as its first argument.
 * Threads: none of its own; many may search while none changes it. */
#ifndef TOMMYDS_TOMMYTREE_H
#define TOMMYDS_TOMMYTREE_H

#include <stddef.h>

#include "tommyds/tommylist.h"

struct tommy_tree_node {
	struct tommy_tree_node *parent; /* NULL in the root */
	struct tommy_tree_node *child[2]; /* the smaller ones, the greater ones */
	void *data;			  /* the object the node lives in, as given to insert */
	int height;			  /* 1 for a leaf */
};

struct tommy_tree {
	struct tommy_tree_node *root;
	tommy_compare_fn *compare;
	size_t count;
};

void tommy_tree_init(struct tommy_tree *tree, tommy_compare_fn *compare);

/* Put `data` in. Returns `data`; or, changing nothing, the object already there that compares equal. */
void *tommy_tree_insert(struct tommy_tree *tree, struct tommy_tree_node *node, void *data);
/* Take out a node that is in this tree. Returns its object. */
void *tommy_tree_remove(struct tommy_tree *tree, struct tommy_tree_node *node);

/* The object equal to the key; NULL if there is none. */
void *tommy_tree_search(const struct tommy_tree *tree, const void *key);
/* The node of the first object >= key, of the last one <= key; NULL if there is none. */
struct tommy_tree_node *tommy_tree_lower_bound(const struct tommy_tree *tree, const void *key);
struct tommy_tree_node *tommy_tree_floor(const struct tommy_tree *tree, const void *key);

/* Walk in order; NULL at the end. */
struct tommy_tree_node *tommy_tree_first(const struct tommy_tree *tree);
struct tommy_tree_node *tommy_tree_last(const struct tommy_tree *tree);
struct tommy_tree_node *tommy_tree_next(const struct tommy_tree_node *node);
struct tommy_tree_node *tommy_tree_prev(const struct tommy_tree_node *node);

/* Call fn(arg, object) for all, children before their parent: fn may free the object, but not change the
 * tree. That is for freeing all; the order is that of no key. Afterwards init the tree again. */
void tommy_tree_foreach(const struct tommy_tree *tree, tommy_foreach_fn *fn, void *arg);

static inline size_t tommy_tree_count(const struct tommy_tree *tree)
{
	return tree->count;
}

#endif
