/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planner against brute force: every small stripe, every state of its parity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "plan/recover.h"
#include "raid/raid.h"

#define SIZE	64	/* bytes of a block */
#define COLUMNS	3
#define LEVELS	2

/* Every kind of column there is. */
static const struct recover_block kinds[] = {
	{ BLOCK_EMPTY, true, PAST_UNKNOWN, false, false },
	{ BLOCK_BLK, true, PAST_UNKNOWN, false, false },
	{ BLOCK_BLK, false, PAST_UNKNOWN, false, false },
	{ BLOCK_CHG, true, PAST_ZERO, false, false },
	{ BLOCK_CHG, false, PAST_ZERO, false, false },
	{ BLOCK_CHG, true, PAST_HASH, false, false },
	{ BLOCK_CHG, false, PAST_HASH, false, false },
	{ BLOCK_CHG, true, PAST_HASH, false, true },
	{ BLOCK_CHG, false, PAST_HASH, false, true },
	{ BLOCK_CHG, true, PAST_HASH, true, false },
	{ BLOCK_CHG, false, PAST_UNKNOWN, false, false },
	{ BLOCK_REP, true, PAST_UNKNOWN, false, false },
	{ BLOCK_REP, false, PAST_UNKNOWN, false, false },
	{ BLOCK_DELETED, true, PAST_HASH, false, false },
	{ BLOCK_DELETED, true, PAST_HASH, false, true },
	{ BLOCK_DELETED, true, PAST_UNKNOWN, false, false },
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* A stripe with what really is and was in it. */
struct world {
	struct recover_block block[COLUMNS];
	_Alignas(64) uint8_t now[COLUMNS][SIZE];
	_Alignas(64) uint8_t before[COLUMNS][SIZE];
	_Alignas(64) uint8_t parity[LEVELS][SIZE];
	_Alignas(64) uint8_t solved[COLUMNS][SIZE];
	unsigned readable;
};

/* What nothing is known of was an empty place, or something. */
static bool unknown_is_empty;

static bool was_empty(const struct recover_block *block)
{
	if (block->state == BLOCK_EMPTY || (block->state == BLOCK_CHG && block->past == PAST_ZERO))
		return true;
	return unknown_is_empty && block_is_unsynced(block->state) && block->past == PAST_UNKNOWN;
}

static void fill(uint8_t *data, unsigned seed)
{
	uint32_t x = seed * 2654435761u + 12345;

	for (unsigned i = 0; i < SIZE; i++) {
		x = x * 1664525 + 1013904223;
		data[i] = (uint8_t)(x >> 24);
	}
}

static void make_world(struct world *world, const size_t kind[COLUMNS])
{
	for (unsigned i = 0; i < COLUMNS; i++) {
		const struct recover_block *block = &kinds[kind[i]];

		world->block[i] = *block;
		fill(world->now[i], i * 2 + 1);
		fill(world->before[i], i * 2 + 2);
		if (block->state == BLOCK_EMPTY || block->state == BLOCK_DELETED)
			memset(world->now[i], 0, SIZE);
		if (was_empty(block))
			memset(world->before[i], 0, SIZE);
		if (block->state == BLOCK_BLK || block->past_is_read)
			memcpy(world->before[i], world->now[i], SIZE);
	}
}

/* The parity of a level over columns as they were (bit set in `old`) or are. */
static void make_parity(struct world *world, unsigned level, unsigned old)
{
	const void *data[COLUMNS];
	void *parity[LEVELS] = { NULL };

	for (unsigned i = 0; i < COLUMNS; i++)
		data[i] = old & (1u << i) ? world->before[i] : world->now[i];
	parity[level] = world->parity[level];
	raid_encode(raid_code(RAID_CAUCHY), level + 1, COLUMNS, SIZE, data, parity);
}

/* Do as the job does. */
static bool carry_out(struct world *world, const struct recover_attempt *attempt)
{
	void *data[COLUMNS];
	const void *parity[LEVEL_MAX] = { NULL };

	for (unsigned i = 0; i < COLUMNS; i++) {
		switch (attempt->source[i]) {
		case SOURCE_READ:
			assert_true(world->block[i].good);
			data[i] = world->now[i];
			break;
		case SOURCE_PAST:
			assert_true(world->block[i].past_at_hand);
			data[i] = world->before[i];
			break;
		case SOURCE_ZERO:
			data[i] = NULL;
			break;
		default:
			data[i] = world->solved[i];
			break;
		}
	}
	for (unsigned i = 0; i < attempt->count; i++) {
		assert_true(world->readable & (1u << attempt->use[i]));
		parity[attempt->use[i]] = world->parity[attempt->use[i]];
	}
	assert_int_equal(raid_solve(raid_code(RAID_CAUCHY), COLUMNS, SIZE, attempt->count, attempt->lost,
				    attempt->use, data, parity), 0);
	for (unsigned i = 0; i < attempt->count; i++)
		if (attempt->confirm[i] && memcmp(data[attempt->lost[i]], world->now[attempt->lost[i]], SIZE) != 0)
			return false;
	if (attempt->spare == LEVEL_NONE)
		return true;
	memset(parity, 0, sizeof parity);
	parity[attempt->spare] = world->parity[attempt->spare];
	return raid_verify(raid_code(RAID_CAUCHY), attempt->spare + 1, COLUMNS, SIZE,
			   (const void *const *)data, parity) == 0;
}

/* Bit i: column i is proven by the first attempt that holds. Checks each attempt on the way. */
static unsigned prove_once(struct world *world)
{
	const struct recover_attempt *attempt;
	struct recover recover;

	recover_begin(&recover, world->block, COLUMNS, world->readable);
	while ((attempt = recover_next(&recover)) != NULL) {
		unsigned proven = 0;

		assert_in_range(attempt->count, 1, LEVELS);
		for (unsigned i = 0; i < attempt->count; i++) {
			enum block_state state = world->block[attempt->lost[i]].state;

			/* Nobody can know what a CHG block should be, so nobody may say it is right. */
			if (attempt->confirm[i])
				assert_true(block_has_current_hash(state));
			if (attempt->confirm[i])
				proven |= 1u << attempt->lost[i];
		}
		/* Without proof only what is not claimed to be right. */
		if (proven == 0)
			assert_true(attempt->parity_is_new);
		if (carry_out(world, attempt))
			return proven;
	}
	return 0;
}

/* As the job does: what is proven is one unknown less for the rest. */
static unsigned prove(const struct world *world)
{
	static struct world left;
	unsigned all = 0, proven;

	left = *world;
	while ((proven = prove_once(&left)) != 0) {
		all |= proven;
		for (unsigned i = 0; i < COLUMNS; i++)
			left.block[i].good |= (proven & (1u << i)) != 0;
	}
	return all;
}

/* Is the contribution of the column at hand, if parity has it as it was (`old`) or as it is? */
static bool is_at_hand(const struct recover_block *block, bool old)
{
	if (old && was_empty(block))
		return true;
	switch (block->state) {
	case BLOCK_EMPTY:
		return true;
	case BLOCK_BLK:
		return block->good;
	case BLOCK_REP:
		return !old && block->good;
	case BLOCK_DELETED:
		return !old || block->past_at_hand;
	case BLOCK_CHG:
		if (!old)
			return block->good;
		return block->past_at_hand || (block->good && block->past_is_read);
	}
	return false;
}

/* The columns that could be proven by whoever knew that these levels hold exactly that. */
static unsigned provable(const struct world *world, unsigned levels, unsigned old)
{
	unsigned lost = 0, proven = 0;

	for (unsigned i = 0; i < COLUMNS; i++) {
		const struct recover_block *block = &world->block[i];
		bool was = (old & (1u << i)) != 0;

		if (is_at_hand(block, was))
			continue;
		lost++;
		if (block->state == BLOCK_BLK || (block->state == BLOCK_REP && !was))
			proven |= 1u << i;
	}
	return lost > 0 && lost <= levels ? proven : 0;
}

static void for_each_world(void (*test)(struct world *world))
{
	size_t kind[COLUMNS];
	static struct world world;

	for (unsigned empty = 0; empty < 2; empty++)
		for (kind[0] = 0; kind[0] < KINDS; kind[0]++)
			for (kind[1] = 0; kind[1] < KINDS; kind[1]++)
				for (kind[2] = 0; kind[2] < KINDS; kind[2]++) {
					unknown_is_empty = empty;
					make_world(&world, kind);
					test(&world);
				}
}

enum { LEVEL_NEW, LEVEL_OLD, LEVEL_LOST, LEVEL_STATES };

/* An interrupted sync: each level is of now, of before, or cannot be read. */
static void interrupted(struct world *world)
{
	const unsigned all = (1u << COLUMNS) - 1;

	for (unsigned states = 0; states < LEVEL_STATES * LEVEL_STATES; states++) {
		const unsigned state[LEVELS] = { states % LEVEL_STATES, states / LEVEL_STATES };
		unsigned count[LEVEL_STATES] = { 0 };
		unsigned expected, proven;

		world->readable = 0;
		for (unsigned l = 0; l < LEVELS; l++) {
			count[state[l]]++;
			if (state[l] == LEVEL_LOST)
				continue;
			world->readable |= 1u << l;
			make_parity(world, l, state[l] == LEVEL_OLD ? all : 0);
		}
		expected = provable(world, count[LEVEL_NEW], 0);
		if (expected == 0)
			expected = provable(world, count[LEVEL_OLD], all);
		proven = prove(world);
		if ((proven & expected) != expected)
			print_error("kinds %d %d %d levels %u %u\n", (int)world->block[0].state,
				    (int)world->block[1].state, (int)world->block[2].state, state[0], state[1]);
		assert_int_equal(proven & expected, expected);
	}
}

/* More than one interrupted sync: parity has some columns as they are and others as they were. */
static void interrupted_twice(struct world *world)
{
	for (unsigned old = 0; old < 1u << COLUMNS; old++) {
		unsigned expected = provable(world, LEVELS, old);

		world->readable = (1u << LEVELS) - 1;
		for (unsigned l = 0; l < LEVELS; l++)
			make_parity(world, l, old);
		assert_int_equal(prove(world) & expected, expected);
	}
}

static void finds_all_that_can_be_proven_after_an_interrupted_sync(void **state)
{
	(void)state;
	for_each_world(interrupted);
}

static void finds_all_that_can_be_proven_when_parity_is_of_different_times(void **state)
{
	(void)state;
	for_each_world(interrupted_twice);
}

static unsigned count_attempts(const struct recover_block *block, unsigned columns, unsigned levels)
{
	struct recover recover;
	unsigned count = 0;

	recover_begin(&recover, block, columns, levels);
	while (recover_next(&recover) != NULL)
		count++;
	return count;
}

static void tries_the_files_as_they_are_first_and_levels_in_order(void **state)
{
	const struct recover_block block[2] = { { .state = BLOCK_BLK }, { .state = BLOCK_CHG, .good = true } };
	const struct recover_attempt *attempt;
	struct recover recover;

	(void)state;
	recover_begin(&recover, block, 2, 7);
	for (unsigned l = 0; l < 3; l++) {
		attempt = recover_next(&recover);
		assert_non_null(attempt);
		assert_true(attempt->parity_is_new);
		assert_int_equal(attempt->count, 1);
		assert_int_equal(attempt->lost[0], 0);
		assert_int_equal(attempt->use[0], l);
		assert_true(attempt->confirm[0]);
		assert_int_equal(attempt->spare, LEVEL_NONE);
	}
	attempt = recover_next(&recover);
	assert_non_null(attempt);
	assert_false(attempt->parity_is_new);
	assert_int_equal(attempt->count, 2);
}

static void asks_another_level_to_agree_where_no_hash_can(void **state)
{
	const struct recover_block block[2] = { { .state = BLOCK_CHG }, { .state = BLOCK_BLK, .good = true } };
	const struct recover_attempt *attempt;
	struct recover recover;

	(void)state;
	recover_begin(&recover, block, 2, 3);
	attempt = recover_next(&recover);
	assert_non_null(attempt);
	assert_int_equal(attempt->use[0], 0);
	assert_int_equal(attempt->spare, 1);
	assert_false(attempt->confirm[0]);
	assert_null(recover_next(&recover));
	assert_null(recover_next(&recover));
}

static void more_lost_blocks_than_levels_leave_nothing_to_try(void **state)
{
	const struct recover_block block[3] = { { .state = BLOCK_BLK }, { .state = BLOCK_BLK }, { .state = BLOCK_BLK } };

	(void)state;
	assert_int_equal(count_attempts(block, 3, 3), 0);
	assert_int_equal(count_attempts(block, 3, 0), 0);
	assert_int_equal(count_attempts(block, 3, 7), 1);
	assert_int_equal(count_attempts(block, 2, 7), 3);
}

static void a_hopeless_stripe_ends_soon(void **state)
{
	struct recover_block block[COLUMN_MAX];

	(void)state;
	for (unsigned i = 0; i < COLUMN_MAX; i++)
		block[i] = (struct recover_block){ .state = i == 0 ? BLOCK_BLK : BLOCK_CHG, .good = i != 0,
						   .past = i < 200 ? PAST_ZERO : PAST_HASH };
	assert_in_range(count_attempts(block, COLUMN_MAX, 63), 1, 1024);
	assert_in_range(count_attempts(block, 7, 63), 1, 1024);
}

/* A lost block among many new ones, one of which took a place of which nothing is known. */
static void many_pending_blocks_are_taken_for_new_before_for_unknown(void **state)
{
	struct recover_block block[12] = { { .state = BLOCK_BLK } };
	const struct recover_attempt *attempt;
	struct recover recover;

	(void)state;
	for (unsigned i = 1; i < 12; i++)
		block[i] = (struct recover_block){ .state = BLOCK_CHG, .good = true, .past = PAST_ZERO };
	block[11] = (struct recover_block){ .state = BLOCK_REP, .good = true, .past = PAST_UNKNOWN };

	recover_begin(&recover, block, 12, 3);
	do
		attempt = recover_next(&recover);
	while (attempt != NULL && attempt->parity_is_new);
	assert_non_null(attempt);
	assert_int_equal(attempt->count, 1);
	assert_int_equal(attempt->source[11], SOURCE_ZERO);
	do
		attempt = recover_next(&recover);
	while (attempt != NULL && attempt->count < 2);
	assert_non_null(attempt);
	assert_int_equal(attempt->source[1], SOURCE_ZERO);
	assert_int_equal(attempt->source[11], SOURCE_SOLVED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_all_that_can_be_proven_after_an_interrupted_sync),
		cmocka_unit_test(finds_all_that_can_be_proven_when_parity_is_of_different_times),
		cmocka_unit_test(tries_the_files_as_they_are_first_and_levels_in_order),
		cmocka_unit_test(asks_another_level_to_agree_where_no_hash_can),
		cmocka_unit_test(more_lost_blocks_than_levels_leave_nothing_to_try),
		cmocka_unit_test(a_hopeless_stripe_ends_soon),
		cmocka_unit_test(many_pending_blocks_are_taken_for_new_before_for_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
