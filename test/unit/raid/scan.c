/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which blocks are wrong: see also the vectors, in raid.c. */
#include "raid/raid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test/unit/raid/guard.h"

#define SIZE	(3 * 4096 + 64) /* several slices, the last one short */
#define COLUMNS 7

static uint8_t *block[COLUMNS + RAID_LEVEL_MAX]; /* data, then parity */

static int setup(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COLUMNS + RAID_LEVEL_MAX; ++i) {
		block[i] = guard_alloc(SIZE);
		guard_fill(block[i], SIZE, i);
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COLUMNS + RAID_LEVEL_MAX; ++i)
		guard_free(block[i], SIZE);
	return 0;
}

static int scan(enum raid_mode mode, unsigned levels, unsigned *wrong, int *unique)
{
	return raid_scan(raid_code(mode), levels, COLUMNS, SIZE, (const void *const *)block,
			 (const void *const *)block + COLUMNS, wrong, unique);
}

static void encode(enum raid_mode mode, unsigned levels)
{
	raid_encode(raid_code(mode), levels, COLUMNS, SIZE, (const void *const *)block, (void *const *)block + COLUMNS);
}

static void a_consistent_stripe_has_nothing_wrong(void **state)
{
	unsigned wrong[RAID_LEVEL_MAX];
	int unique;

	(void)state;
	for (unsigned levels = 1; levels <= RAID_LEVEL_MAX; ++levels) {
		encode(RAID_CAUCHY, levels);
		assert_int_equal(scan(RAID_CAUCHY, levels, wrong, &unique), 0);
		assert_true(unique);
	}
}

/* With two levels or more, one wrong bit tells its block, wherever it is. */
static void check_single(enum raid_mode mode, unsigned levels)
{
	unsigned wrong[RAID_LEVEL_MAX];
	int unique;

	encode(mode, levels);
	for (unsigned i = 0; i < COLUMNS + levels; ++i) {
		size_t at = (i * 3000 + 61) % SIZE;

		block[i][at] ^= 0x20;
		assert_int_equal(scan(mode, levels, wrong, &unique), 1);
		assert_int_equal(wrong[0], i);
		assert_int_equal(unique, 1);
		block[i][at] ^= 0x20;
	}
}

static void one_wrong_block_is_found(void **state)
{
	(void)state;
	for (unsigned levels = 2; levels <= RAID_LEVEL_MAX; ++levels)
		check_single(RAID_CAUCHY, levels);
	check_single(RAID_VANDERMONDE, 2);
	check_single(RAID_VANDERMONDE, 3);
}

/* Damage that lies in different slices. */
static void two_wrong_blocks_are_found_in_different_places(void **state)
{
	unsigned wrong[RAID_LEVEL_MAX];
	int unique;

	(void)state;
	encode(RAID_CAUCHY, 4);
	for (unsigned a = 0; a < COLUMNS + 4; ++a)
		for (unsigned b = a + 1; b < COLUMNS + 4; ++b) {
			block[a][SIZE - 1] ^= 0x01;
			block[b][5000] ^= 0x80;
			assert_int_equal(scan(RAID_CAUCHY, 4, wrong, &unique), 2);
			assert_int_equal(wrong[0], a);
			assert_int_equal(wrong[1], b);
			assert_int_equal(unique, 1);
			block[a][SIZE - 1] ^= 0x01;
			block[b][5000] ^= 0x80;
		}
}

static void one_level_tells_that_and_not_what_is_wrong(void **state)
{
	unsigned wrong[RAID_LEVEL_MAX];
	int unique;

	(void)state;
	encode(RAID_CAUCHY, 1);
	block[2][100] ^= 1;
	assert_int_equal(scan(RAID_CAUCHY, 1, wrong, &unique), -1);
	block[2][100] ^= 1;
}

/* Damage to blocks 1 and 4 that looks exactly like damage to 2 and 5: in a stripe of zeros, these four add up
 * to nothing on three levels. */
static void what_two_sets_explain_is_not_taken_for_certain(void **state)
{
	const unsigned lost[3] = { 1, 2, 4 }, use[3] = { 0, 1, 2 };
	static uint8_t zeros[64] __attribute__((aligned(64)));
	static uint8_t damage[6][64] __attribute__((aligned(64)));
	const void *parity[3] = { zeros, zeros, zeros };
	void *data[6] = { NULL, damage[1], damage[2], NULL, damage[4], damage[5] };
	unsigned wrong[RAID_LEVEL_MAX];
	int unique;

	(void)state;
	guard_fill(damage[5], 64, 99);
	assert_int_equal(raid_solve(raid_code(RAID_CAUCHY), 6, 64, 3, lost, use, data, parity), 0);
	encode(RAID_CAUCHY, 3);
	for (unsigned k = 0; k < 64; ++k) {
		block[1][k] ^= damage[1][k];
		block[4][k] ^= damage[4][k];
	}
	assert_int_equal(scan(RAID_CAUCHY, 3, wrong, &unique), 2);
	assert_int_equal(wrong[0], 1);
	assert_int_equal(wrong[1], 4);
	assert_int_equal(unique, 0);
	for (unsigned k = 0; k < 64; ++k) {
		block[1][k] ^= damage[1][k];
		block[4][k] ^= damage[4][k];
	}
}

static void a_column_without_data_is_never_wrong(void **state)
{
	uint8_t *hole = block[0];
	unsigned wrong[RAID_LEVEL_MAX];
	int unique;

	(void)state;
	block[0] = NULL;
	encode(RAID_CAUCHY, 3);
	assert_int_equal(scan(RAID_CAUCHY, 3, wrong, &unique), 0);
	block[5][77] ^= 1;
	assert_int_equal(scan(RAID_CAUCHY, 3, wrong, &unique), 1);
	assert_int_equal(wrong[0], 5);
	block[5][77] ^= 1;
	/* As if column 0 had data: one or two other blocks do not explain that. */
	for (unsigned l = 0; l < 3; ++l)
		block[COLUMNS + l][10] ^= 1;
	assert_int_equal(scan(RAID_CAUCHY, 3, wrong, &unique), -1);
	block[0] = hole;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_consistent_stripe_has_nothing_wrong),
		cmocka_unit_test(one_wrong_block_is_found),
		cmocka_unit_test(two_wrong_blocks_are_found_in_different_places),
		cmocka_unit_test(one_level_tells_that_and_not_what_is_wrong),
		cmocka_unit_test(what_two_sets_explain_is_not_taken_for_certain),
		cmocka_unit_test(a_column_without_data_is_never_wrong),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
