/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommytree.h"

/* Sides of a node: indexes of child[], so that each mirrored pair of cases is written once. */
enum side {
	LEFT,  /* smaller */
	RIGHT, /* greater */
};

static int height_of(const struct tommy_tree_node *node)
{
	return node != NULL ? node->height : 0;
}

static void height_update(struct tommy_tree_node *node)
{
	int left = height_of(node->child[LEFT]);
	int right = height_of(node->child[RIGHT]);

	node->height = 1 + (left > right ? left : right);
}

static int side_of(const struct tommy_tree_node *node)
{
	return node->parent->child[RIGHT] == node;
}

/* The pointer that holds `node`: in its parent, or the root. */
static struct tommy_tree_node **link_of(struct tommy_tree *tree, struct tommy_tree_node *node)
{
	return node->parent == NULL ? &tree->root : &node->parent->child[side_of(node)];
}

static void child_set(struct tommy_tree_node *node, int side, struct tommy_tree_node *child)
{
	node->child[side] = child;
	if (child != NULL)
		child->parent = node;
}

/* Turn the edge from `node` to its child of `side`: the child goes up, `node` becomes its child of the
 * other side. The order is the same. Returns the child. */
static struct tommy_tree_node *rotate(struct tommy_tree *tree, struct tommy_tree_node *node, int side)
{
	struct tommy_tree_node **link = link_of(tree, node);
	struct tommy_tree_node *top = node->child[side];
	struct tommy_tree_node *parent = node->parent;

	child_set(node, side, top->child[!side]);
	child_set(top, !side, node);
	top->parent = parent;
	*link = top;
	height_update(node);
	height_update(top);
	return top;
}

/* Give `node`, whose subtrees are balanced and differ by at most two, its balance. Returns the new top. */
static struct tommy_tree_node *balance(struct tommy_tree *tree, struct tommy_tree_node *node)
{
	int lean = height_of(node->child[RIGHT]) - height_of(node->child[LEFT]);
	int tall = lean > 0;
	struct tommy_tree_node *child = node->child[tall];

	if (lean >= -1 && lean <= 1) {
		height_update(node);
		return node;
	}
	/* A child that leans inwards would lean outwards after the turn, as far as before: turn it first. */
	if (height_of(child->child[!tall]) > height_of(child->child[tall]))
		rotate(tree, child, !tall);
	return rotate(tree, node, tall);
}

/* Heights below `node` have changed by one: restore the balance from there up, until one is as it was. */
static void balance_up(struct tommy_tree *tree, struct tommy_tree_node *node)
{
	while (node != NULL) {
		int before = node->height;

		node = balance(tree, node);
		if (node->height == before)
			break;
		node = node->parent;
	}
}

static struct tommy_tree_node *outermost(struct tommy_tree_node *node, int side)
{
	while (node != NULL && node->child[side] != NULL)
		node = node->child[side];
	return node;
}

static struct tommy_tree_node *neighbour(const struct tommy_tree_node *node, int side)
{
	if (node->child[side] != NULL)
		return outermost(node->child[side], !side);
	while (node->parent != NULL && side_of(node) == side)
		node = node->parent;
	return node->parent;
}

void tommy_tree_init(struct tommy_tree *tree, tommy_compare_fn *compare)
{
	tree->root = NULL;
	tree->compare = compare;
	tree->count = 0;
}

void *tommy_tree_insert(struct tommy_tree *tree, struct tommy_tree_node *node, void *data)
{
	struct tommy_tree_node **link = &tree->root;
	struct tommy_tree_node *parent = NULL;

	while (*link != NULL) {
		int order = tree->compare(data, (*link)->data);

		if (order == 0)
			return (*link)->data;
		parent = *link;
		link = &parent->child[order > 0];
	}
	node->parent = parent;
	node->child[LEFT] = NULL;
	node->child[RIGHT] = NULL;
	node->data = data;
	node->height = 1;
	*link = node;
	++tree->count;
	balance_up(tree, parent);
	return data;
}

void *tommy_tree_remove(struct tommy_tree *tree, struct tommy_tree_node *node)
{
	struct tommy_tree_node **link = link_of(tree, node);
	struct tommy_tree_node *parent = node->parent;
	struct tommy_tree_node *heir; /* takes the place of the node */
	struct tommy_tree_node *from; /* the lowest node with a changed subtree */

	if (node->child[LEFT] == NULL || node->child[RIGHT] == NULL) {
		heir = node->child[node->child[LEFT] == NULL];
		from = parent;
	} else {
		/* The next in order has no smaller child: take it out of its place, put it in this one. */
		heir = outermost(node->child[RIGHT], LEFT);
		from = heir->parent == node ? heir : heir->parent;
		if (heir->parent != node) {
			child_set(heir->parent, LEFT, heir->child[RIGHT]);
			child_set(heir, RIGHT, node->child[RIGHT]);
		}
		child_set(heir, LEFT, node->child[LEFT]);
		heir->height = node->height;
	}
	*link = heir;
	if (heir != NULL)
		heir->parent = parent;
	--tree->count;
	balance_up(tree, from);
	return node->data;
}

void *tommy_tree_search(const struct tommy_tree *tree, const void *key)
{
	struct tommy_tree_node *node = tommy_tree_lower_bound(tree, key);

	return node != NULL && tree->compare(key, node->data) == 0 ? node->data : NULL;
}

struct tommy_tree_node *tommy_tree_lower_bound(const struct tommy_tree *tree, const void *key)
{
	struct tommy_tree_node *node = tree->root;
	struct tommy_tree_node *found = NULL;

	while (node != NULL) {
		int right = tree->compare(key, node->data) > 0;

		if (!right)
			found = node;
		node = node->child[right];
	}
	return found;
}

struct tommy_tree_node *tommy_tree_floor(const struct tommy_tree *tree, const void *key)
{
	struct tommy_tree_node *node = tree->root;
	struct tommy_tree_node *found = NULL;

	while (node != NULL) {
		int right = tree->compare(key, node->data) >= 0;

		if (right)
			found = node;
		node = node->child[right];
	}
	return found;
}

struct tommy_tree_node *tommy_tree_first(const struct tommy_tree *tree)
{
	return outermost(tree->root, LEFT);
}

struct tommy_tree_node *tommy_tree_last(const struct tommy_tree *tree)
{
	return outermost(tree->root, RIGHT);
}

struct tommy_tree_node *tommy_tree_next(const struct tommy_tree_node *node)
{
	return neighbour(node, RIGHT);
}

struct tommy_tree_node *tommy_tree_prev(const struct tommy_tree_node *node)
{
	return neighbour(node, LEFT);
}

/* Recursion is as deep as the tree is high: at most 1.44 log2(n). */
static void subtree_foreach(struct tommy_tree_node *node, tommy_foreach_fn *fn, void *arg)
{
	if (node == NULL)
		return;
	subtree_foreach(node->child[LEFT], fn, arg);
	subtree_foreach(node->child[RIGHT], fn, arg);
	fn(arg, node->data);
}

void tommy_tree_foreach(const struct tommy_tree *tree, tommy_foreach_fn *fn, void *arg)
{
	subtree_foreach(tree->root, fn, arg);
}
