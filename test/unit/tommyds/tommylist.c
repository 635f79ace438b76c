/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommylist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct item {
	struct tommy_node node;
	int key;
	int rank; /* order of insertion */
};

static int item_compare(const void *a, const void *b)
{
	const struct item *x = a;
	const struct item *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static void check_keys(const struct tommy_list *list, const int *key, size_t count)
{
	struct tommy_node *node = tommy_list_head(list);
	struct tommy_node *prev = NULL;

	assert_int_equal(tommy_list_count(list), count);
	assert_int_equal(tommy_list_empty(list), count == 0);
	for (size_t i = 0; i < count; ++i) {
		assert_non_null(node);
		assert_ptr_equal(node->prev, prev);
		assert_int_equal(((struct item *)node->data)->key, key[i]);
		prev = node;
		node = node->next;
	}
	assert_null(node);
	assert_ptr_equal(tommy_list_tail(list), prev);
}

static void inserts_go_to_the_end_that_was_asked(void **state)
{
	struct tommy_list list;
	struct item item[4] = { { .key = 0 }, { .key = 1 }, { .key = 2 }, { .key = 3 } };

	(void)state;
	tommy_list_init(&list);
	check_keys(&list, NULL, 0);
	tommy_list_insert_tail(&list, &item[1].node, &item[1]);
	tommy_list_insert_head(&list, &item[0].node, &item[0]);
	tommy_list_insert_tail(&list, &item[2].node, &item[2]);
	tommy_list_insert_tail(&list, &item[3].node, &item[3]);
	check_keys(&list, (int[]){ 0, 1, 2, 3 }, 4);
}

static void remove_takes_out_first_middle_last_and_only(void **state)
{
	struct tommy_list list = { 0 };
	struct item item[4] = { { .key = 0 }, { .key = 1 }, { .key = 2 }, { .key = 3 } };

	(void)state;
	for (int i = 0; i < 4; ++i)
		tommy_list_insert_tail(&list, &item[i].node, &item[i]);
	assert_ptr_equal(tommy_list_remove(&list, &item[1].node), &item[1]);
	check_keys(&list, (int[]){ 0, 2, 3 }, 3);
	tommy_list_remove(&list, &item[0].node);
	check_keys(&list, (int[]){ 2, 3 }, 2);
	tommy_list_remove(&list, &item[3].node);
	check_keys(&list, (int[]){ 2 }, 1);
	tommy_list_remove(&list, &item[2].node);
	check_keys(&list, NULL, 0);
}

static void sort_orders_and_keeps_equal_ones_as_they_were(void **state)
{
	static struct item item[1000];

	(void)state;
	for (int count = 0; count <= 1000; count = count < 40 ? count + 1 : count * 2 + 1) {
		struct tommy_list list = { 0 };
		struct tommy_node *prev = NULL;
		uint32_t seed = (uint32_t)count;

		for (int i = 0; i < count; ++i) {
			seed = seed * 1664525 + 1013904223;
			item[i].key = (int)((seed >> 16) % 10);
			item[i].rank = i;
			tommy_list_insert_tail(&list, &item[i].node, &item[i]);
		}
		tommy_list_sort(&list, item_compare);
		assert_int_equal(tommy_list_count(&list), count);
		for (struct tommy_node *node = tommy_list_head(&list); node != NULL; node = node->next) {
			assert_ptr_equal(node->prev, prev);
			if (prev != NULL) {
				struct item *a = prev->data;
				struct item *b = node->data;

				assert_true(a->key < b->key || (a->key == b->key && a->rank < b->rank));
			}
			prev = node;
			--count;
		}
		assert_ptr_equal(tommy_list_tail(&list), prev);
		assert_int_equal(count, 0);
		count = (int)tommy_list_count(&list);
	}
}

static void item_sum_and_free(void *arg, void *data)
{
	*(int *)arg = *(int *)arg * 10 + ((struct item *)data)->key;
	free(data);
}

static void foreach_goes_from_head_to_tail_and_may_free(void **state)
{
	struct tommy_list list = { 0 };
	int digits = 0;

	(void)state;
	for (int i = 1; i <= 4; ++i) {
		struct item *item = calloc(1, sizeof(*item));

		assert_non_null(item);
		item->key = i;
		tommy_list_insert_tail(&list, &item->node, item);
	}
	tommy_list_foreach(&list, item_sum_and_free, &digits);
	assert_int_equal(digits, 1234);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inserts_go_to_the_end_that_was_asked),
		cmocka_unit_test(remove_takes_out_first_middle_last_and_only),
		cmocka_unit_test(sort_orders_and_keeps_equal_ones_as_they_were),
		cmocka_unit_test(foreach_goes_from_head_to_tail_and_may_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
