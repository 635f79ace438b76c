/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommyhashdyn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct item {
	struct tommy_hashdyn_node node;
	int key;
};

#define ITEMS 3000
static struct item item[ITEMS];

static int key_compare(const void *arg, const void *data)
{
	return *(const int *)arg != ((const struct item *)data)->key;
}

static uint64_t key_hash(int key)
{
	return tommy_hash_u64((uint64_t)key);
}

static void fill(struct tommy_hashdyn *table)
{
	tommy_hashdyn_init(table);
	for (int i = 0; i < ITEMS; ++i) {
		item[i].key = i;
		tommy_hashdyn_insert(table, &item[i].node, &item[i], key_hash(i));
	}
}

static void finds_what_was_inserted_and_not_removed(void **state)
{
	struct tommy_hashdyn table;

	(void)state;
	fill(&table);
	assert_int_equal(tommy_hashdyn_count(&table), ITEMS);
	for (int step = 0; step < 7; ++step) {
		for (int i = 0; i < ITEMS; ++i) {
			struct item *found = tommy_hashdyn_search(&table, key_compare, &i, key_hash(i));

			assert_ptr_equal(found, i % 7 >= step ? &item[i] : NULL);
		}
		for (int i = step; i < ITEMS; i += 7)
			assert_ptr_equal(tommy_hashdyn_remove(&table, &item[i].node), &item[i]);
	}
	assert_int_equal(tommy_hashdyn_count(&table), 0);
	tommy_hashdyn_done(&table);
}

static void grows_and_shrinks_with_its_content(void **state)
{
	struct tommy_hashdyn table;

	(void)state;
	fill(&table);
	assert_in_range(table.bucket_count, ITEMS, 2 * ITEMS);
	for (int i = 0; i < ITEMS; ++i)
		tommy_hashdyn_remove(&table, &item[i].node);
	assert_int_equal(table.bucket_count, 16);
	tommy_hashdyn_done(&table);
}

static void walks_equal_hashes_in_order_of_insertion_across_resizes(void **state)
{
	struct tommy_hashdyn table;
	struct item same[3] = { { .key = 10 }, { .key = 20 }, { .key = 30 } };
	struct item near = { .key = 40 };
	struct tommy_hashdyn_node *node;
	int key = 30;

	(void)state;
	tommy_hashdyn_init(&table);
	tommy_hashdyn_insert(&table, &near.node, &near, 5 + (1 << 20)); /* same bucket, other hash */
	for (int i = 0; i < 3; ++i)
		tommy_hashdyn_insert(&table, &same[i].node, &same[i], 5);
	for (int pass = 0; pass < 3; ++pass) {
		node = tommy_hashdyn_first(&table, 5);
		for (int i = 0; i < 3; ++i) {
			assert_ptr_equal(node->data, &same[i]);
			node = tommy_hashdyn_next(node);
		}
		assert_null(node);
		assert_ptr_equal(tommy_hashdyn_search(&table, key_compare, &key, 5), &same[2]);
		assert_null(tommy_hashdyn_first(&table, 6));
		for (int i = 0; i < ITEMS; ++i) {
			item[i].key = 1000 + i;
			if (pass == 0)
				tommy_hashdyn_insert(&table, &item[i].node, &item[i], key_hash(i));
			else if (pass == 1)
				tommy_hashdyn_remove(&table, &item[i].node);
		}
	}
	tommy_hashdyn_remove(&table, &same[0].node);
	assert_ptr_equal(tommy_hashdyn_first(&table, 5)->data, &same[1]);
	tommy_hashdyn_remove(&table, &same[2].node);
	tommy_hashdyn_remove(&table, &same[1].node);
	assert_null(tommy_hashdyn_first(&table, 5));
	assert_int_equal(tommy_hashdyn_count(&table), 1);
	tommy_hashdyn_done(&table);
}

static void item_count_and_free(void *arg, void *data)
{
	++*(int *)arg;
	free(data);
}

static void foreach_meets_all_and_may_free(void **state)
{
	struct tommy_hashdyn table;
	int count = 0;

	(void)state;
	tommy_hashdyn_init(&table);
	for (int i = 0; i < 100; ++i) {
		struct item *fresh = calloc(1, sizeof(*fresh));

		assert_non_null(fresh);
		tommy_hashdyn_insert(&table, &fresh->node, fresh, (uint64_t)i % 10);
	}
	tommy_hashdyn_foreach(&table, item_count_and_free, &count);
	tommy_hashdyn_done(&table);
	assert_int_equal(count, 100);
}

/* Every flipped input bit flips each output bit in about half of the cases. */
static void check_flips(const unsigned *flips, unsigned cases)
{
	for (unsigned i = 0; i < 64; ++i)
		assert_in_range(flips[i], cases * 2 / 5, cases * 3 / 5);
}

static void hash_of_a_number_mixes_all_bits(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < 64; ++bit) {
		unsigned flips[64] = { 0 };

		for (uint64_t key = 0; key < 1000; ++key) {
			uint64_t flipped = tommy_hash_u64(key) ^ tommy_hash_u64(key ^ ((uint64_t)1 << bit));

			for (unsigned i = 0; i < 64; ++i)
				flips[i] += (unsigned)(flipped >> i) & 1;
		}
		check_flips(flips, 1000);
	}
}

static void hash_of_bytes_mixes_all_bits_and_the_size(void **state)
{
	uint8_t text[21] = { 0 };
	uint8_t zero[64] = { 0 };

	(void)state;
	for (unsigned bit = 0; bit < 8 * sizeof(text); ++bit) {
		unsigned flips[64] = { 0 };

		for (unsigned key = 0; key < 1000; ++key) {
			uint64_t before;
			uint64_t flipped;

			text[3] = (uint8_t)key;
			text[19] = (uint8_t)(key >> 8);
			before = tommy_hash_bytes(text, sizeof(text));
			text[bit / 8] ^= (uint8_t)(1 << bit % 8);
			flipped = before ^ tommy_hash_bytes(text, sizeof(text));
			text[bit / 8] ^= (uint8_t)(1 << bit % 8);
			for (unsigned i = 0; i < 64; ++i)
				flips[i] += (unsigned)(flipped >> i) & 1;
		}
		check_flips(flips, 1000);
	}
	for (size_t a = 0; a < sizeof(zero); ++a)
		for (size_t b = 0; b < a; ++b)
			assert_true(tommy_hash_bytes(zero, a) != tommy_hash_bytes(zero, b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_inserted_and_not_removed),
		cmocka_unit_test(grows_and_shrinks_with_its_content),
		cmocka_unit_test(walks_equal_hashes_in_order_of_insertion_across_resizes),
		cmocka_unit_test(foreach_meets_all_and_may_free),
		cmocka_unit_test(hash_of_a_number_mixes_all_bits),
		cmocka_unit_test(hash_of_bytes_mixes_all_bits_and_the_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
