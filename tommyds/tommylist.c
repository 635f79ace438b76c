/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommylist.h"

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
