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
};

static void check_keys(const struct tommy_list *list, const int *key, size_t count)
{
	struct tommy_node *node = tommy_list_head(list);
	struct tommy_node *prev = NULL;

	assert_int_equal(tommy_list_count(list), count);
	for (size_t i = 0; i < count; ++i) {
		assert_non_null(node);
		assert_ptr_equal(node->prev, prev);
		assert_int_equal(((struct item *)node->data)->key, key[i]);
		prev = node;
		node = node->next;
	}
	assert_null(node);
	assert_ptr_equal(list->tail, prev);
}

static void inserts_go_to_the_end(void **state)
{
	struct tommy_list list = { 0 };
	struct item item[4] = { { .key = 0 }, { .key = 1 }, { .key = 2 }, { .key = 3 } };

	(void)state;
	check_keys(&list, NULL, 0);
	for (int i = 0; i < 4; ++i)
		tommy_list_insert_tail(&list, &item[i].node, &item[i]);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inserts_go_to_the_end),
		cmocka_unit_test(remove_takes_out_first_middle_last_and_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
