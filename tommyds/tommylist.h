/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A doubly linked list whose nodes live inside the listed objects.
 *
 * The object embeds a `struct tommy_node`; the list never allocates and owns nothing. A node is in at most
 * one list at a time, and its object must not move or be freed while it is in one.
 * Walk with tommy_list_head() and node->next. Cost: all calls are O(1).
 * Threads: none of its own; a list is changed by one thread at a time. */
#ifndef TOMMYDS_TOMMYLIST_H
#define TOMMYDS_TOMMYLIST_H

#include <stddef.h>

struct tommy_node {
	struct tommy_node *next; /* NULL in the last node */
	struct tommy_node *prev; /* NULL in the first node */
	void *data;		 /* the object the node lives in, as given to insert */
};

struct tommy_list {
	struct tommy_node *head;
	struct tommy_node *tail;
	size_t count;
};

/* Order of two objects: negative, zero or positive, as of strcmp(). */
typedef int tommy_compare_fn(const void *a, const void *b);
typedef void tommy_foreach_fn(void *arg, void *data);

/* Zeroed memory is an empty list. There is no done: an empty and a full list both hold no resource. */
void tommy_list_insert_tail(struct tommy_list *list, struct tommy_node *node, void *data);
/* Take out a node that is in this list. Returns its object. */
void *tommy_list_remove(struct tommy_list *list, struct tommy_node *node);

/* The first node; NULL: the list is empty. */
static inline struct tommy_node *tommy_list_head(const struct tommy_list *list)
{
	return list->head;
}

static inline size_t tommy_list_count(const struct tommy_list *list)
{
	return list->count;
}

#endif
