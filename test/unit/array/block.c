/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/block.h"

static void predicates_follow_the_table_of_states(void **state)
{
	static const struct {
		enum block_state state;
		bool file, current, unsynced;
	} row[] = {
		{ BLOCK_EMPTY, false, false, false },
		{ BLOCK_BLK, true, true, false },
		{ BLOCK_CHG, true, false, true },
		{ BLOCK_REP, true, true, true },
		{ BLOCK_DELETED, false, false, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		assert_int_equal(block_has_file(row[i].state), row[i].file);
		assert_int_equal(block_has_current_hash(row[i].state), row[i].current);
		assert_int_equal(block_is_unsynced(row[i].state), row[i].unsynced);
	}
}

static void marks_of_sixteen_bytes_are_recognised(void **state)
{
	uint8_t hash[16];

	(void)state;
	past_set_zero(hash, 16);
	assert_int_equal(hash[0], 0xff);
	assert_int_equal(hash[15], 0xff);
	assert_int_equal(past_kind(hash, 16), PAST_ZERO);
	hash[15] = 0xfe;
	assert_int_equal(past_kind(hash, 16), PAST_HASH);
	past_set_unknown(hash, 16);
	assert_int_equal(hash[15], 0);
	assert_int_equal(past_kind(hash, 16), PAST_UNKNOWN);
	hash[0] = 1;
	assert_int_equal(past_kind(hash, 16), PAST_HASH);
}

static void shorter_digests_never_have_a_meaning(void **state)
{
	uint8_t hash[16];

	(void)state;
	memset(hash, 0x55, sizeof(hash));
	assert_int_equal(past_kind(hash, 8), PAST_UNKNOWN);
	past_set_zero(hash, 8);
	assert_int_equal(hash[7], 0xff);
	assert_int_equal(hash[8], 0x55);
	assert_int_equal(past_kind(hash, 8), PAST_UNKNOWN);
	past_set_unknown(hash, 2);
	assert_int_equal(hash[1], 0);
	assert_int_equal(hash[2], 0xff);
	assert_int_equal(past_kind(hash, 2), PAST_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(predicates_follow_the_table_of_states),
		cmocka_unit_test(marks_of_sixteen_bytes_are_recognised),
		cmocka_unit_test(shorter_digests_never_have_a_meaning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
