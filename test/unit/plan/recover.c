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
#include "raid/gf.h"
#include "raid/raid.h"

#define SIZE	64	/* bytes of a block */
#define COLUMNS	4	/* at most */
#define LEVELS	3

/* Every kind of column there is; `empty`: whatever its past hash says, the parity had zeros. */
static const struct kind {
	struct recover_block block;
	bool empty;
} kinds[] = {
	{ { BLOCK_EMPTY, true, PAST_UNKNOWN, false, false }, false },
	{ { BLOCK_BLK, true, PAST_UNKNOWN, false, false }, false },
	{ { BLOCK_BLK, false, PAST_UNKNOWN, false, false }, false },
	{ { BLOCK_CHG, true, PAST_ZERO, false, false }, false },
	{ { BLOCK_CHG, false, PAST_ZERO, false, false }, false },
	{ { BLOCK_CHG, true, PAST_HASH, false, false }, false },
	{ { BLOCK_CHG, false, PAST_HASH, false, false }, false },
	{ { BLOCK_CHG, true, PAST_HASH, false, true }, false },
	{ { BLOCK_CHG, false, PAST_HASH, false, true }, false },
	{ { BLOCK_CHG, true, PAST_HASH, true, false }, false },
	{ { BLOCK_CHG, true, PAST_HASH, false, false }, true },
	{ { BLOCK_CHG, false, PAST_HASH, false, false }, true },
	{ { BLOCK_CHG, true, PAST_HASH, true, false }, true },
	{ { BLOCK_CHG, false, PAST_UNKNOWN, false, false }, false },
	{ { BLOCK_REP, true, PAST_UNKNOWN, false, false }, false },
	{ { BLOCK_REP, false, PAST_UNKNOWN, false, false }, false },
	{ { BLOCK_DELETED, true, PAST_HASH, false, false }, false },
	{ { BLOCK_DELETED, true, PAST_HASH, false, true }, false },
	{ { BLOCK_DELETED, true, PAST_HASH, false, false }, true },
	{ { BLOCK_DELETED, true, PAST_UNKNOWN, false, false }, false },
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* A stripe with what really is and was in it. */
struct world {
	unsigned columns, levels;
	struct recover_block block[COLUMNS];
	bool was_empty[COLUMNS];
	_Alignas(64) uint8_t now[COLUMNS][SIZE];
	_Alignas(64) uint8_t before[COLUMNS][SIZE];
	_Alignas(64) uint8_t parity[LEVELS][SIZE];
	_Alignas(64) uint8_t solved[2 * COLUMNS][SIZE];	/* what is, and what was */
	unsigned readable;
	unsigned old[LEVELS];		/* bit i: the level has column i as it was */
};

/* What nothing is known of was an empty place, or something. */
static bool unknown_is_empty;

static bool was_empty(const struct kind *kind)
{
	const struct recover_block *block = &kind->block;

	if (kind->empty || block->state == BLOCK_EMPTY || (block->state == BLOCK_CHG && block->past == PAST_ZERO))
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
	for (unsigned i = 0; i < world->columns; i++) {
		const struct recover_block *block = &kinds[kind[i]].block;

		world->block[i] = *block;
		world->was_empty[i] = was_empty(&kinds[kind[i]]);
		fill(world->now[i], i * 2 + 1);
		fill(world->before[i], i * 2 + 2);
		if (block->state == BLOCK_EMPTY || block->state == BLOCK_DELETED)
			memset(world->now[i], 0, SIZE);
		if (world->was_empty[i])
			memset(world->before[i], 0, SIZE);
		else if (block->state == BLOCK_BLK || block->past_is_read)
			memcpy(world->before[i], world->now[i], SIZE);
	}
}

static void make_parity(struct world *world, unsigned level)
{
	const void *data[COLUMNS];
	void *parity[LEVELS] = { NULL };

	for (unsigned i = 0; i < world->columns; i++)
		data[i] = world->old[level] & (1u << i) ? world->before[i] : world->now[i];
	parity[level] = world->parity[level];
	raid_encode(raid_code(RAID_CAUCHY), level + 1, world->columns, SIZE, data, parity);
}

static void *data_of(struct world *world, unsigned column, uint8_t source, bool was)
{
	switch (source) {
	case SOURCE_READ:
		assert_true(world->block[column].good);
		return world->now[column];
	case SOURCE_PAST:
		assert_true(world->block[column].past_at_hand);
		return world->before[column];
	case SOURCE_ZERO:
		return NULL;
	default:
		return world->solved[column + (was ? COLUMNS : 0)];
	}
}

static bool solve(struct world *world, const struct recover_attempt *attempt, void **data)
{
	const void *parity[LEVEL_MAX] = { NULL };
	struct raid_part part[2 * COLUMNS];
	unsigned parts = 0, lost[LEVEL_MAX], lost_count = 0;

	for (unsigned i = 0; i < attempt->count; i++) {
		assert_true(world->readable & (1u << attempt->use[i]));
		parity[attempt->use[i]] = world->parity[attempt->use[i]];
	}
	if (!attempt->is_split)
		return raid_solve(raid_code(RAID_CAUCHY), world->columns, SIZE, attempt->count, attempt->lost,
				  attempt->use, data, parity) == 0;
	for (unsigned i = 0; i < world->columns; i++)
		for (unsigned was = 0; was < 2; was++) {
			uint8_t source = was ? attempt->was[i] : attempt->source[i];
			unsigned levels = was ? attempt->old[i] : (uint8_t)~attempt->old[i];

			for (unsigned k = 0; k < attempt->count; k++)
				if (attempt->lost[k] == i && attempt->lost_was[k] == was) {
					assert_int_equal(source, SOURCE_SOLVED);
					lost[lost_count++] = parts;
				}
			if (source != SOURCE_ZERO && levels != 0)
				part[parts++] = (struct raid_part){ i, levels, data_of(world, i, source, was) };
		}
	assert_int_equal(lost_count, attempt->count);
	return raid_solve_parts(raid_code(RAID_CAUCHY), parts, part, SIZE, lost_count, lost, attempt->use, parity) == 0;
}

/* Do as the job does. */
static bool carry_out(struct world *world, const struct recover_attempt *attempt)
{
	const void *parity[LEVEL_MAX] = { NULL };
	void *data[COLUMNS];

	for (unsigned i = 0; i < world->columns; i++)
		data[i] = data_of(world, i, attempt->source[i], false);
	if (!solve(world, attempt, data))
		return false;
	for (unsigned i = 0; i < attempt->count; i++)
		if (attempt->confirm[i] && memcmp(data[attempt->lost[i]], world->now[attempt->lost[i]], SIZE) != 0)
			return false;
	if (attempt->spare == LEVEL_NONE)
		return true;
	parity[attempt->spare] = world->parity[attempt->spare];
	return raid_verify(raid_code(RAID_CAUCHY), attempt->spare + 1, world->columns, SIZE,
			   (const void *const *)data, parity) == 0;
}

/* Bit i: column i is proven by the first attempt that holds. Checks each attempt on the way. */
static unsigned prove_once(struct world *world)
{
	const struct recover_attempt *attempt;
	struct recover recover;

	recover_begin(&recover, world->block, world->columns, world->readable);
	while ((attempt = recover_next(&recover)) != NULL) {
		unsigned proven = 0;

		assert_in_range(attempt->count, 1, world->levels);
		for (unsigned i = 0; i < attempt->count; i++) {
			enum block_state state = world->block[attempt->lost[i]].state;

			/* Nobody can know what a CHG block should be, so nobody may say it is right. */
			if (attempt->confirm[i])
				assert_true(block_has_current_hash(state) && !(attempt->is_split && attempt->lost_was[i]));
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
		for (unsigned i = 0; i < left.columns; i++)
			left.block[i].good |= (proven & (1u << i)) != 0;
	}
	return all;
}

/* Is the contribution of the column at hand, if parity has it as it was (`old`) or as it is? */
static bool is_at_hand(const struct world *world, unsigned column, bool old)
{
	const struct recover_block *block = &world->block[column];

	if (old && world->was_empty[column])
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

#define UNKNOWNS (2 * COLUMNS)

/* Bring `row` to reduced echelon form. */
static void reduce(uint8_t row[LEVELS][UNKNOWNS], unsigned rows)
{
	unsigned rank = 0;

	for (unsigned u = 0; u < UNKNOWNS && rank < rows; u++) {
		unsigned pivot = rank;
		uint8_t keep[UNKNOWNS], scale;

		while (pivot < rows && row[pivot][u] == 0)
			pivot++;
		if (pivot == rows)
			continue;
		memcpy(keep, row[pivot], UNKNOWNS);
		memcpy(row[pivot], row[rank], UNKNOWNS);
		scale = gf_inv(keep[u]);
		for (unsigned k = 0; k < UNKNOWNS; k++)
			row[rank][k] = gf_mul(scale, keep[k]);
		for (unsigned r = 0; r < rows; r++) {
			uint8_t factor = row[r][u];

			for (unsigned k = 0; k < UNKNOWNS && r != rank; k++)
				row[r][k] ^= gf_mul(factor, row[rank][k]);
		}
		rank++;
	}
}

/* Brute force: the lost columns with a hash that are determined by the levels, if it is known what these hold. Each
 * level is an equation; what a column is and what it was are unknowns, wherever they are not at hand. */
static unsigned determined(const struct world *world, unsigned shift)
{
	uint8_t row[LEVELS][UNKNOWNS] = { { 0 } };
	unsigned rows = 0, found = 0;

	for (unsigned l = 0; l < world->levels; l++) {
		if ((world->readable & (1u << l)) == 0)
			continue;
		for (unsigned i = 0; i < world->columns; i++) {
			bool was = (world->old[l] & (1u << i)) != 0;
			bool other = was && world->block[i].state != BLOCK_BLK;

			if (!is_at_hand(world, i, was))
				row[rows][i + (other ? COLUMNS : 0)] = raid_coefficient(raid_code(RAID_CAUCHY), l + shift, i + shift);
		}
		rows++;
	}
	reduce(row, rows);
	for (unsigned r = 0; r < rows; r++) {
		unsigned terms = 0, last = 0;

		for (unsigned u = 0; u < UNKNOWNS; u++)
			if (row[r][u] != 0) {
				terms++;
				last = u;
			}
		if (terms == 1 && last < COLUMNS && block_has_current_hash(world->block[last].state))
			found |= 1u << last;
	}
	return found;
}

/* What is determined with these coefficients only, by their luck, is not asked. */
static unsigned provable(const struct world *world)
{
	return determined(world, 0) & determined(world, 3);
}

/* Does the planner find what can be found? */
static void check(struct world *world)
{
	unsigned expected, proven;

	world->readable &= (1u << world->levels) - 1;
	for (unsigned l = 0; l < world->levels; l++)
		if (world->readable & (1u << l))
			make_parity(world, l);
	expected = provable(world);
	if (expected == 0)
		return;
	proven = prove(world);
	if ((proven & expected) != expected)
		for (unsigned i = 0; i < world->columns; i++)
			print_error("column %u: state %d%s, past %d%s%s\n", i, (int)world->block[i].state,
				    world->block[i].good ? "" : " lost", (int)world->block[i].past,
				    world->block[i].past_at_hand ? " at hand" : "",
				    world->was_empty[i] ? " (was empty)" : "");
	if ((proven & expected) != expected)
		print_error("readable %x, old %x %x %x: expected %x, proven %x\n", world->readable, world->old[0],
			    world->old[1], world->old[2], expected, proven);
	assert_int_equal(proven & expected, expected);
}

/* Each set of kinds of columns. What goes for it in one order goes for it in all. */
static void for_each_world(unsigned columns, unsigned levels, void (*test)(struct world *world))
{
	static struct world world;

	gf_init();
	world.columns = columns;
	world.levels = levels;
	for (unsigned empty = 0; empty < 2; empty++) {
		size_t kind[COLUMNS] = { 0 };
		unsigned i;

		unknown_is_empty = empty;
		do {
			make_world(&world, kind);
			test(&world);
			for (i = columns; i > 0 && kind[i - 1] == KINDS - 1;)
				i--;
			if (i > 0)
				kind[i - 1]++;
			for (unsigned k = i; i > 0 && k < columns; k++)
				kind[k] = kind[i - 1];
		} while (i > 0);
	}
}

enum { LEVEL_NEW, LEVEL_OLD, LEVEL_LOST, LEVEL_STATES };

/* An interrupted sync: each level is of now, of before, or cannot be read. */
static void interrupted(struct world *world)
{
	unsigned all = 1;

	for (unsigned l = 0; l < world->levels; l++)
		all *= LEVEL_STATES;
	for (unsigned states = 0; states < all; states++) {
		unsigned left = states;

		world->readable = 0;
		for (unsigned l = 0; l < world->levels; l++, left /= LEVEL_STATES) {
			world->old[l] = left % LEVEL_STATES == LEVEL_OLD ? ~0u : 0;
			if (left % LEVEL_STATES != LEVEL_LOST)
				world->readable |= 1u << l;
		}
		check(world);
	}
}

/* More than one interrupted sync: all levels have some columns as they are and others as they were. */
static void interrupted_twice(struct world *world)
{
	for (unsigned old = 0; old < 1u << world->columns; old++) {
		world->readable = ~0u;
		for (unsigned l = 0; l < world->levels; l++)
			world->old[l] = old;
		check(world);
	}
}

/* ... and not all levels the same ones. */
static void interrupted_twice_in_flight(struct world *world)
{
	for (unsigned old = 0; old < 1u << (world->columns * world->levels); old++) {
		world->readable = ~0u;
		for (unsigned l = 0; l < world->levels; l++)
			world->old[l] = (old >> (l * world->columns)) & ((1u << world->columns) - 1);
		check(world);
	}
}

static void finds_all_that_can_be_proven_after_an_interrupted_sync(void **state)
{
	(void)state;
	for_each_world(4, 3, interrupted);
}

static void finds_all_that_can_be_proven_when_parity_is_of_different_times(void **state)
{
	(void)state;
	for_each_world(4, 3, interrupted_twice);
	for_each_world(3, 2, interrupted_twice_in_flight);
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
	/* ... also if zeros are tried for what was there. */
	for (unsigned i = 1; i < COLUMN_MAX; i++)
		block[i].past = PAST_HASH;
	assert_in_range(count_attempts(block, COLUMN_MAX, 63), 1, 2048);
	assert_in_range(count_attempts(block, 7, 63), 1, 2048);
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

/* A lost block among many new ones in places of deleted ones: a sync without these died before it was saved. */
static void many_pending_blocks_may_have_places_that_were_emptied(void **state)
{
	struct recover_block block[12] = { { .state = BLOCK_BLK } };
	const struct recover_attempt *attempt;
	struct recover recover;
	bool zeros = false;

	(void)state;
	for (unsigned i = 1; i < 12; i++)
		block[i] = (struct recover_block){ .state = BLOCK_CHG, .good = true, .past = PAST_HASH };
	recover_begin(&recover, block, 12, 1);
	while (!zeros && (attempt = recover_next(&recover)) != NULL) {
		zeros = attempt->count == 1 && !attempt->parity_is_new;
		for (unsigned i = 1; i < 12; i++)
			zeros = zeros && attempt->source[i] == SOURCE_ZERO;
	}
	assert_true(zeros);
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
		cmocka_unit_test(many_pending_blocks_may_have_places_that_were_emptied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
