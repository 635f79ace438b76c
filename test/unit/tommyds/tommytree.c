/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommytree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct item {
	struct tommy_tree_node node;
	int key;
	int inside;
};

#define ITEMS 400
static struct item item[ITEMS]; /* of keys 0, 2, 4... */

static int item_compare(const void *a, const void *b)
{
	const struct item *x = a;
	const struct item *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Check links, heights, balance of a subtree; returns its count. */
static size_t check_subtree(const struct tommy_tree_node *node, const struct tommy_tree_node *parent)
{
	int height[2];

	if (node == NULL)
		return 0;
	assert_ptr_equal(node->parent, parent);
	for (int side = 0; side < 2; ++side)
		height[side] = node->child[side] != NULL ? node->child[side]->height : 0;
	assert_in_range(height[0] - height[1] + 1, 0, 2);
	assert_int_equal(node->height, 1 + (height[0] > height[1] ? height[0] : height[1]));
	return 1 + check_subtree(node->child[0], node) + check_subtree(node->child[1], node);
}

static void check_tree(const struct tommy_tree *tree)
{
	struct tommy_tree_node *node = tommy_tree_first(tree);
	struct tommy_tree_node *prev = NULL;

	assert_int_equal(check_subtree(tree->root, NULL), tommy_tree_count(tree));
	for (int i = 0; i < ITEMS; ++i) {
		if (!item[i].inside)
			continue;
		assert_non_null(node);
		assert_ptr_equal(node->data, &item[i]);
		assert_ptr_equal(tommy_tree_prev(node), prev);
		prev = node;
		node = tommy_tree_next(node);
	}
	assert_null(node);
	assert_ptr_equal(tommy_tree_last(tree), prev);
}

static void check_searches(const struct tommy_tree *tree)
{
	for (int key = -1; key <= 2 * ITEMS; ++key) {
		struct item want = { .key = key };
		struct item *equal = key >= 0 && key < 2 * ITEMS && key % 2 == 0 ? &item[key / 2] : NULL;
		struct tommy_tree_node *low = tommy_tree_lower_bound(tree, &want);
		struct tommy_tree_node *high = tommy_tree_floor(tree, &want);

		if (equal != NULL && !equal->inside)
			equal = NULL;
		assert_ptr_equal(tommy_tree_search(tree, &want), equal);
		if (equal != NULL) {
			assert_ptr_equal(low->data, equal);
			assert_ptr_equal(high->data, equal);
			continue;
		}
		/* Neighbours of a gap: one below the key, one above, nothing between. */
		assert_ptr_equal(low != NULL ? tommy_tree_prev(low) : tommy_tree_last(tree), high);
		if (low != NULL)
			assert_true(((struct item *)low->data)->key > key);
		if (high != NULL)
			assert_true(((struct item *)high->data)->key < key);
	}
}

static void setup_items(struct tommy_tree *tree)
{
	tommy_tree_init(tree, item_compare);
	memset(item, 0, sizeof(item));
	for (int i = 0; i < ITEMS; ++i)
		item[i].key = 2 * i;
}

static void toggle(struct tommy_tree *tree, int i)
{
	if (item[i].inside)
		assert_ptr_equal(tommy_tree_remove(tree, &item[i].node), &item[i]);
	else
		assert_ptr_equal(tommy_tree_insert(tree, &item[i].node, &item[i]), &item[i]);
	item[i].inside = !item[i].inside;
}

static void stays_ordered_and_balanced_in_any_order_of_changes(void **state)
{
	struct tommy_tree tree;
	uint32_t seed = 1;

	(void)state;
	setup_items(&tree);
	for (int i = 0; i < 4000; ++i) {
		seed = seed * 1664525 + 1013904223;
		toggle(&tree, (int)((seed >> 8) % ITEMS));
		if (i % 16 == 0)
			check_tree(&tree);
		if (i % 500 == 0)
			check_searches(&tree);
	}
}

static void stays_balanced_when_filled_and_emptied_in_order(void **state)
{
	struct tommy_tree tree;

	(void)state;
	for (int down = 0; down < 2; ++down) {
		setup_items(&tree);
		for (int pass = 0; pass < 2; ++pass)
			for (int i = 0; i < ITEMS; ++i) {
				toggle(&tree, down ? ITEMS - 1 - i : i);
				check_tree(&tree);
			}
		assert_null(tree.root);
	}
}

static void small_trees_survive_every_order_of_removal(void **state)
{
	struct tommy_tree tree;

	(void)state;
	for (int count = 1; count <= 12; ++count)
		for (int victim = 0; victim < count; ++victim) {
			setup_items(&tree);
			for (int i = 0; i < count; ++i)
				toggle(&tree, i);
			for (int i = 0; i < count; ++i) {
				toggle(&tree, (victim + i * (count % 5 != 0 ? 5 : 3)) % count);
				check_tree(&tree);
			}
		}
}

static void insert_of_an_equal_object_returns_the_old_one_and_changes_nothing(void **state)
{
	struct tommy_tree tree;
	struct item twin = { .key = 10 };

	(void)state;
	setup_items(&tree);
	for (int i = 0; i < 20; ++i)
		toggle(&tree, i);
	assert_ptr_equal(tommy_tree_insert(&tree, &twin.node, &twin), &item[5]);
	assert_int_equal(tommy_tree_count(&tree), 20);
	check_tree(&tree);
}

static void an_empty_tree_has_nothing_to_find(void **state)
{
	struct tommy_tree tree;

	(void)state;
	setup_items(&tree);
	assert_null(tommy_tree_first(&tree));
	assert_null(tommy_tree_last(&tree));
	check_searches(&tree);
}

static void item_count_and_free(void *arg, void *data)
{
	++*(int *)arg;
	free(data);
}

static void foreach_meets_all_and_may_free(void **state)
{
	struct tommy_tree tree;
	int count = 0;

	(void)state;
	tommy_tree_init(&tree, item_compare);
	for (int i = 0; i < 100; ++i) {
		struct item *fresh = calloc(1, sizeof(*fresh));

		assert_non_null(fresh);
		fresh->key = i;
		tommy_tree_insert(&tree, &fresh->node, fresh);
	}
	tommy_tree_foreach(&tree, item_count_and_free, &count);
	assert_int_equal(count, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stays_ordered_and_balanced_in_any_order_of_changes),
		cmocka_unit_test(stays_balanced_when_filled_and_emptied_in_order),
		cmocka_unit_test(small_trees_survive_every_order_of_removal),
		cmocka_unit_test(insert_of_an_equal_object_returns_the_old_one_and_changes_nothing),
		cmocka_unit_test(an_empty_tree_has_nothing_to_find),
		cmocka_unit_test(foreach_meets_all_and_may_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
