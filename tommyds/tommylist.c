/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommylist.h"

/* Merge two sorted chains, linked by next only. On a tie `a` goes first: that is what makes it stable. */
static struct tommy_node *chain_merge(struct tommy_node *a, struct tommy_node *b, tommy_compare_fn *compare)
{
	struct tommy_node *head = NULL;
	struct tommy_node **end = &head;

	while (a != NULL && b != NULL) {
		struct tommy_node **least = compare(a->data, b->data) <= 0 ? &a : &b;

		*end = *least;
		end = &(*end)->next;
		*least = *end;
	}
	*end = a != NULL ? a : b;
	return head;
}

void tommy_list_init(struct tommy_list *list)
{
	list->head = NULL;
	list->tail = NULL;
	list->count = 0;
}

void tommy_list_insert_head(struct tommy_list *list, struct tommy_node *node, void *data)
{
	node->data = data;
	node->prev = NULL;
	node->next = list->head;
	if (list->head != NULL)
		list->head->prev = node;
	else
		list->tail = node;
	list->head = node;
	++list->count;
}

void tommy_list_insert_tail(struct tommy_list *list, struct tommy_node *node, void *data)
{
	node->data = data;
	node->prev = list->tail;
	node->next = NULL;
	if (list->tail != NULL)
		list->tail->next = node;
	else
		list->head = node;
	list->tail = node;
	++list->count;
}

void *tommy_list_remove(struct tommy_list *list, struct tommy_node *node)
{
	if (node->prev != NULL)
		node->prev->next = node->next;
	else
		list->head = node->next;
	if (node->next != NULL)
		node->next->prev = node->prev;
	else
		list->tail = node->prev;
	--list->count;
	return node->data;
}

void tommy_list_foreach(const struct tommy_list *list, tommy_foreach_fn *fn, void *arg)
{
	struct tommy_node *node = list->head;

	while (node != NULL) {
		struct tommy_node *next = node->next; /* read first: fn may free the node */

		fn(arg, node->data);
		node = next;
	}
}

/* Merge sort from the bottom, like adding one to a binary counter: run[i] is NULL or a sorted chain of 2^i
 * nodes, and every node of a higher run came before those of a lower one. */
void tommy_list_sort(struct tommy_list *list, tommy_compare_fn *compare)
{
	struct tommy_node *run[8 * sizeof(size_t)] = { NULL };
	struct tommy_node *node = list->head;
	struct tommy_node *sorted = NULL;
	struct tommy_node *prev = NULL;
	size_t i;

	while (node != NULL) {
		struct tommy_node *carry = node;

		node = node->next;
		carry->next = NULL;
		for (i = 0; run[i] != NULL; ++i) {
			carry = chain_merge(run[i], carry, compare);
			run[i] = NULL;
		}
		run[i] = carry;
	}
	for (i = 0; i < sizeof(run) / sizeof(run[0]); ++i)
		sorted = chain_merge(run[i], sorted, compare);

	list->head = sorted;
	for (node = sorted; node != NULL; node = node->next) {
		node->prev = prev;
		prev = node;
	}
	list->tail = prev;
}
