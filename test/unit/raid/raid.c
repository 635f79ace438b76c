/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/raid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raid/select.h"
#include "test/unit/raid/guard.h"
#include "test/unit/raid/vectors.h"

#define SIZE 64 /* of a block of the vectors */

static uint8_t *block[RAID_COLUMN_MAX]; /* the data of parity.json, each up to a guard page */

static uint8_t *block_alloc(void)
{
	return guard_alloc(SIZE);
}

static int setup(void **state)
{
	struct json_object *vectors = vectors_load("parity.json");
	struct json_object *data = vectors_get(vectors, "data");

	(void)state;
	for (unsigned d = 0; d < RAID_COLUMN_MAX; ++d) {
		block[d] = block_alloc();
		vectors_bytes(vectors_at(data, d), block[d], SIZE);
	}
	json_object_put(vectors);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (unsigned d = 0; d < RAID_COLUMN_MAX; ++d)
		guard_free(block[d], SIZE);
	return 0;
}

/* Parity buffers of one test. */
struct parity {
	uint8_t *level[RAID_LEVEL_MAX];
};

static void parity_init(struct parity *parity)
{
	for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l)
		parity->level[l] = block_alloc();
}

static void parity_done(struct parity *parity)
{
	for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l)
		guard_free(parity->level[l], SIZE);
}

static void encode(enum raid_mode mode, unsigned levels, unsigned columns, uint8_t *const *data,
		   struct parity *parity)
{
	raid_encode(raid_code(mode), levels, columns, SIZE, (const void *const *)data,
		    (void *const *)parity->level);
}

static unsigned verify(enum raid_mode mode, unsigned levels, unsigned columns, uint8_t *const *data,
		       const struct parity *parity)
{
	return raid_verify(raid_code(mode), levels, columns, SIZE, (const void *const *)data,
			   (const void *const *)parity->level);
}

/* For each number of levels: those are as in the vectors, and no other buffer is touched. */
static void check_encode(enum raid_mode mode, struct json_object *expected, unsigned columns,
			 uint8_t *const *data)
{
	unsigned most = vectors_count(expected);
	struct parity parity;

	parity_init(&parity);
	for (unsigned levels = 0; levels <= most; ++levels) {
		for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l)
			memset(parity.level[l], 0xa5, SIZE);
		encode(mode, levels, columns, data, &parity);
		for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l) {
			uint8_t bytes[SIZE];

			memset(bytes, 0xa5, SIZE);
			if (l < levels)
				vectors_bytes(vectors_at(expected, l), bytes, SIZE);
			assert_memory_equal(parity.level[l], bytes, SIZE);
		}
		assert_int_equal(verify(mode, levels, columns, data, &parity), 0);
	}
	parity_done(&parity);
}

static void check_both_modes(struct json_object *expected, unsigned columns, uint8_t *const *data)
{
	check_encode(RAID_CAUCHY, vectors_get(expected, "parity"), columns, data);
	check_encode(RAID_VANDERMONDE, vectors_get(expected, "z"), columns, data);
}

static void parity_is_that_of_the_vectors(void **state)
{
	struct json_object *vectors = vectors_load("parity.json");
	struct json_object *cases = vectors_get(vectors, "cases");

	(void)state;
	for (unsigned i = 0; i < vectors_count(cases); ++i)
		check_both_modes(vectors_at(cases, i), vectors_number(vectors_at(cases, i), "nd"), block);
	json_object_put(vectors);
}

static void a_hole_and_zeros_at_the_end_of_a_block_count_as_zeros(void **state)
{
	struct json_object *vectors = vectors_load("parity.json");
	uint8_t *data[5];

	(void)state;
	memcpy(data, block, sizeof(data));
	data[2] = NULL;
	check_both_modes(vectors_get(vectors, "hole_at_position_2_of_5"), 5, data);

	memcpy(data, block, sizeof(data));
	data[1] = block_alloc();
	memcpy(data[1], block[1], 10);
	check_both_modes(vectors_get(vectors, "last_block_of_10_bytes_at_position_1_of_3"), 3, data);
	guard_free(data[1], SIZE);
	json_object_put(vectors);
}

/* Columns without data in many patterns, against the same columns with zeros. */
static void columns_that_are_null_are_the_same_as_zeros(void **state)
{
	static uint8_t zeros[SIZE] __attribute__((aligned(64)));
	uint8_t *with_null[RAID_COLUMN_MAX];
	uint8_t *with_zeros[RAID_COLUMN_MAX];
	struct parity a;
	struct parity b;

	(void)state;
	parity_init(&a);
	parity_init(&b);
	for (unsigned every = 1; every <= 100; every = every * 2 + 1)
		for (unsigned from = 0; from < 20; from += 3) {
			for (unsigned d = 0; d < RAID_COLUMN_MAX; ++d) {
				int filled = d >= from && (d - from) % every == 0;

				with_null[d] = filled ? block[d] : NULL;
				with_zeros[d] = filled ? block[d] : zeros;
			}
			for (unsigned levels = 1; levels <= RAID_LEVEL_MAX; ++levels) {
				encode(RAID_CAUCHY, levels, 251, with_null, &a);
				encode(RAID_CAUCHY, levels, 251, with_zeros, &b);
				for (unsigned l = 0; l < levels; ++l)
					assert_memory_equal(a.level[l], b.level[l], SIZE);
				assert_int_equal(verify(RAID_CAUCHY, levels, 251, with_null, &b), 0);
			}
		}
	parity_done(&a);
	parity_done(&b);
}

static void parity_of_no_data_is_zeros(void **state)
{
	uint8_t *data[4] = { NULL };
	uint8_t zeros[SIZE] = { 0 };
	struct parity parity;

	(void)state;
	parity_init(&parity);
	for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l)
		memset(parity.level[l], 0xff, SIZE);
	assert_int_equal(verify(RAID_CAUCHY, 6, 4, data, &parity), 0x3f);
	encode(RAID_CAUCHY, 6, 4, data, &parity);
	for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l)
		assert_memory_equal(parity.level[l], zeros, SIZE);
	assert_int_equal(verify(RAID_CAUCHY, 6, 4, data, &parity), 0);
	assert_int_equal(verify(RAID_CAUCHY, 6, 0, data, &parity), 0);
	parity_done(&parity);
}

static void a_level_that_is_null_is_left_out(void **state)
{
	struct parity all;
	struct parity some;

	(void)state;
	parity_init(&all);
	parity_init(&some);
	encode(RAID_CAUCHY, 6, 8, block, &all);
	for (unsigned set = 0; set < 64; ++set) {
		struct parity part = some;

		for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l) {
			memset(some.level[l], 0, SIZE);
			if (!(set & (1u << l)))
				part.level[l] = NULL;
		}
		assert_int_equal(verify(RAID_CAUCHY, 6, 8, block, &part), set);
		encode(RAID_CAUCHY, 6, 8, block, &part);
		for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l)
			if (part.level[l] != NULL)
				assert_memory_equal(some.level[l], all.level[l], SIZE);
		assert_int_equal(verify(RAID_CAUCHY, 6, 8, block, &part), 0);
		assert_int_equal(verify(RAID_CAUCHY, 6, 8, block, &some), 0x3f & ~set);
	}
	parity_done(&all);
	parity_done(&some);
}

static void verify_tells_which_levels_differ_by_a_single_bit(void **state)
{
	struct parity parity;

	(void)state;
	parity_init(&parity);
	for (unsigned levels = 1; levels <= RAID_LEVEL_MAX; ++levels) {
		encode(RAID_CAUCHY, levels, 9, block, &parity);
		for (unsigned set = 0; set < 1u << levels; ++set) {
			for (unsigned pass = 0; pass < 2; ++pass) {
				for (unsigned l = 0; l < levels; ++l)
					if (set & (1u << l))
						parity.level[l][(set * 7 + l) % SIZE] ^= 0x04;
				assert_int_equal(verify(RAID_CAUCHY, levels, 9, block, &parity),
						 pass == 0 ? set : 0);
			}
		}
		block[3][17] ^= 0x40;
		assert_int_equal(verify(RAID_CAUCHY, levels, 9, block, &parity), (1u << levels) - 1);
		block[3][17] ^= 0x40;
	}
	parity_done(&parity);
}

static void updates_are_those_of_the_vectors(void **state)
{
	struct json_object *vectors = vectors_load("recovery.json");
	struct json_object *cases = vectors_get(vectors, "update");
	struct parity parity;
	uint8_t *fresh = block_alloc();

	(void)state;
	parity_init(&parity);
	for (unsigned i = 0; i < vectors_count(cases); ++i)
		for (unsigned mode = RAID_CAUCHY; mode <= RAID_VANDERMONDE; ++mode) {
			struct json_object *update = vectors_at(cases, i);
			struct json_object *before = vectors_get(update, mode ? "z_before" : "before");
			struct json_object *after = vectors_get(update, mode ? "z_after" : "after");
			unsigned column = vectors_number(update, "position");
			uint8_t bytes[SIZE];

			vectors_bytes(vectors_get(update, "new_data"), fresh, SIZE);
			for (unsigned l = 0; l < vectors_count(before); ++l)
				vectors_bytes(vectors_at(before, l), parity.level[l], SIZE);
			raid_update(raid_code((enum raid_mode)mode), vectors_count(before), column, 1, SIZE,
				    (const void *const *)&block[column], (const void *const *)&fresh,
				    (void *const *)parity.level);
			for (unsigned l = 0; l < vectors_count(after); ++l) {
				vectors_bytes(vectors_at(after, l), bytes, SIZE);
				assert_memory_equal(parity.level[l], bytes, SIZE);
			}
		}
	guard_free(fresh, SIZE);
	parity_done(&parity);
	json_object_put(vectors);
}

/* A run of columns changes, holes among them; a level is left out, and more levels are not asked for. */
static void check_update(enum raid_mode mode, unsigned first, unsigned count, unsigned levels)
{
	const unsigned most = mode == RAID_CAUCHY ? 6 : 3;
	const unsigned skip = levels > 1 ? first % levels : levels;
	uint8_t *before[RAID_COLUMN_MAX], *after[RAID_COLUMN_MAX];
	uint8_t *fresh[8];
	struct parity parity, part;

	parity_init(&parity);
	memcpy(before, block, sizeof(before));
	memcpy(after, block, sizeof(after));
	for (unsigned i = 0; i < count; ++i) {
		fresh[i] = block_alloc();
		guard_fill(fresh[i], SIZE, first + i);
		before[first + i] = i % 4 == 1 || i == 6 ? NULL : block[first + i];
		after[first + i] = i % 4 == 2 || i == 6 ? NULL : fresh[i];
	}
	encode(mode, most, RAID_COLUMN_MAX, before, &parity);
	part = parity;
	if (skip < levels)
		part.level[skip] = NULL;
	raid_update(raid_code(mode), levels, first, count, SIZE, (const void *const *)&before[first],
		    (const void *const *)&after[first], (void *const *)part.level);
	assert_int_equal(verify(mode, most, RAID_COLUMN_MAX, after, &parity),
			 ((1u << most) - (1u << levels)) | (skip < levels ? 1u << skip : 0));
	for (unsigned i = 0; i < count; ++i)
		guard_free(fresh[i], SIZE);
	parity_done(&parity);
}

static void update_is_the_same_as_encoding_again(void **state)
{
	(void)state;
	for (unsigned mode = RAID_CAUCHY; mode <= RAID_VANDERMONDE; ++mode)
		for (unsigned first = 0; first < RAID_COLUMN_MAX; ++first) {
			unsigned levels = 1 + first % (mode == RAID_CAUCHY ? 6 : 3);

			for (unsigned count = 1; count <= 8 && first + count <= RAID_COLUMN_MAX; count += 1 + first % 4)
				check_update((enum raid_mode)mode, first, count, levels);
		}
}

static void an_update_of_nothing_changes_nothing(void **state)
{
	static const void *const none[4];
	struct parity parity;

	(void)state;
	parity_init(&parity);
	encode(RAID_CAUCHY, 6, 20, block, &parity);
	raid_update(raid_code(RAID_CAUCHY), 6, 3, 4, SIZE, none, none, (void *const *)parity.level);
	raid_update(raid_code(RAID_CAUCHY), 6, 3, 0, SIZE, none, none, (void *const *)parity.level);
	assert_int_equal(verify(RAID_CAUCHY, 6, 20, block, &parity), 0);
	parity_done(&parity);
}

static void xor_sums_any_number_of_blocks(void **state)
{
	uint8_t *target = block_alloc();
	uint8_t sum[SIZE] = { 0 };

	(void)state;
	for (unsigned count = 0; count <= RAID_COLUMN_MAX; ++count) {
		raid_xor(count, (const void *const *)block, SIZE, target);
		assert_memory_equal(target, sum, SIZE);
		for (unsigned k = 0; count < RAID_COLUMN_MAX && k < SIZE; ++k)
			sum[k] ^= block[count][k];
	}
	guard_free(target, SIZE);
}

static void xor_adds_to_its_target_if_that_is_the_first_source(void **state)
{
	uint8_t *target = block_alloc();
	const void *source[RAID_COLUMN_MAX + 1];
	uint8_t *sum = block_alloc();

	(void)state;
	for (unsigned count = 1; count <= RAID_COLUMN_MAX + 1; ++count) {
		memset(target, 0x3c, SIZE);
		source[0] = target;
		memcpy(source + 1, block, sizeof(block));
		raid_xor(count - 1, source + 1, SIZE, sum);
		for (unsigned k = 0; k < SIZE; ++k)
			sum[k] ^= 0x3c;
		raid_xor(count, source, SIZE, target);
		assert_memory_equal(target, sum, SIZE);
	}
	guard_free(sum, SIZE);
	guard_free(target, SIZE);
}

/* The sum of twice the same is nothing; what is updated from the same to the same stays. */
static void what_is_only_read_may_be_one_block(void **state)
{
	uint8_t *same[6], zeros[SIZE] = { 0 };
	struct parity parity, before;

	(void)state;
	parity_init(&parity);
	parity_init(&before);
	for (unsigned d = 0; d < 6; ++d)
		same[d] = block[0];
	encode(RAID_CAUCHY, 6, 6, same, &parity);
	assert_memory_equal(parity.level[0], zeros, SIZE);
	assert_int_equal(verify(RAID_CAUCHY, 6, 6, same, &parity), 0);
	encode(RAID_CAUCHY, 6, 6, same, &before);
	raid_update(raid_code(RAID_CAUCHY), 6, 1, 3, SIZE, (const void *const *)same, (const void *const *)same,
		    (void *const *)parity.level);
	for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l)
		assert_memory_equal(parity.level[l], before.level[l], SIZE);
	parity_done(&before);
	parity_done(&parity);
}

static void check_recovery(enum raid_mode mode, struct json_object *cases)
{
	struct parity parity;

	parity_init(&parity);
	for (unsigned i = 0; i < vectors_count(cases); ++i) {
		struct json_object *one = vectors_at(cases, i);
		struct json_object *recovered = vectors_get(one, "recovered");
		unsigned columns = vectors_number(one, "nd");
		unsigned lost[RAID_LEVEL_MAX];
		unsigned use[RAID_LEVEL_MAX];
		unsigned count = vectors_numbers(vectors_get(one, "missing"), lost, RAID_LEVEL_MAX);
		uint8_t *data[RAID_COLUMN_MAX];

		assert_int_equal(vectors_numbers(vectors_get(one, "use_parities"), use, RAID_LEVEL_MAX),
				 count);
		encode(mode, mode == RAID_CAUCHY ? 6 : 3, columns, block, &parity);
		memcpy(data, block, sizeof(data));
		for (unsigned k = 0; k < count; ++k)
			data[lost[k]] = block_alloc();
		assert_int_equal(raid_solve(raid_code(mode), columns, SIZE, count, lost, use,
					    (void *const *)data, (const void *const *)parity.level),
				 0);
		for (unsigned k = 0; k < count; ++k) {
			uint8_t bytes[SIZE];

			vectors_bytes(vectors_at(recovered, k), bytes, SIZE);
			assert_memory_equal(data[lost[k]], bytes, SIZE);
			guard_free(data[lost[k]], SIZE);
		}
	}
	parity_done(&parity);
}

static void recoveries_are_those_of_the_vectors(void **state)
{
	struct json_object *vectors = vectors_load("recovery.json");

	(void)state;
	check_recovery(RAID_CAUCHY, vectors_get(vectors, "cauchy"));
	check_recovery(RAID_VANDERMONDE, vectors_get(vectors, "z"));
	json_object_put(vectors);
}

static unsigned set_members(unsigned set, unsigned *member)
{
	unsigned count = 0;

	for (unsigned i = 0; set >> i != 0; ++i)
		if (set & (1u << i))
			member[count++] = i;
	return count;
}

#define FEW 12

/* What is not lost, and parity, can only be read in here: a write ends the test. */
struct frozen {
	uint8_t *arena, *solved;
	uint8_t *data[FEW];
	struct parity parity;
};

#define ARENA ((FEW + RAID_LEVEL_MAX) * GUARD_PAGE)

static void check_loss(struct frozen *frozen, enum raid_mode mode, unsigned columns, unsigned lost_set, unsigned use_set)
{
	unsigned lost[FEW], use[RAID_LEVEL_MAX];
	unsigned count = set_members(lost_set, lost);
	uint8_t *with[FEW];

	if (set_members(use_set, use) != count)
		return;
	memcpy(with, frozen->data, sizeof(with));
	memset(frozen->solved, 0xff, FEW * SIZE);
	for (unsigned k = 0; k < count; ++k)
		with[lost[k]] = frozen->solved + k * SIZE;
	assert_int_equal(raid_solve(raid_code(mode), columns, SIZE, count, lost, use, (void *const *)with,
				    (const void *const *)frozen->parity.level),
			 0);
	for (unsigned k = 0; k < count; ++k)
		assert_memory_equal(with[lost[k]], block[lost[k]], SIZE);
	for (size_t k = count * SIZE; k < FEW * SIZE; ++k)
		assert_int_equal(frozen->solved[k], 0xff);
}

static void check_losses(struct frozen *frozen, enum raid_mode mode, unsigned columns)
{
	unsigned levels = mode == RAID_CAUCHY ? 6 : 3;

	guard_freeze(frozen->arena, ARENA, 0);
	encode(mode, levels, columns, frozen->data, &frozen->parity);
	guard_freeze(frozen->arena, ARENA, 1);
	for (unsigned lost_set = 0; lost_set < 1u << columns; ++lost_set)
		for (unsigned use_set = 0; use_set < 1u << levels; ++use_set)
			check_loss(frozen, mode, columns, lost_set, use_set);
}

static void every_loss_of_up_to_12_columns_is_solved_from_every_set_of_levels(void **state)
{
	struct frozen frozen = { .arena = guard_alloc(ARENA), .solved = guard_alloc(FEW * SIZE) };

	(void)state;
	for (unsigned i = 0; i < FEW + RAID_LEVEL_MAX; ++i)
		*(i < FEW ? &frozen.data[i] : &frozen.parity.level[i - FEW]) = frozen.arena + i * GUARD_PAGE;
	for (unsigned d = 0; d < FEW; ++d)
		memcpy(frozen.data[d], block[d], SIZE);
	for (unsigned columns = 1; columns <= FEW; ++columns) {
		check_losses(&frozen, RAID_CAUCHY, columns);
		check_losses(&frozen, RAID_VANDERMONDE, columns);
	}
	guard_free(frozen.solved, FEW * SIZE);
	guard_free(frozen.arena, ARENA);
}

static void losses_among_251_columns_with_holes_are_solved(void **state)
{
	const unsigned lost[] = { 0, 1, 100, 101, 249, 250 };
	const unsigned use[] = { 0, 1, 2, 3, 4, 5 };
	uint8_t *data[RAID_COLUMN_MAX];
	uint8_t *with[RAID_COLUMN_MAX];
	struct parity parity;

	(void)state;
	parity_init(&parity);
	for (unsigned d = 0; d < RAID_COLUMN_MAX; ++d)
		data[d] = d % 5 == 3 ? NULL : block[d];
	encode(RAID_CAUCHY, 6, 251, data, &parity);
	for (unsigned from = 0; from < 6; ++from)
		for (unsigned count = 1; from + count <= 6; ++count) {
			memcpy(with, data, sizeof(with));
			for (unsigned k = 0; k < count; ++k)
				with[lost[from + k]] = block_alloc();
			assert_int_equal(raid_solve(raid_code(RAID_CAUCHY), 251, SIZE, count, lost + from,
						    use + 6 - count, (void *const *)with,
						    (const void *const *)parity.level),
					 0);
			for (unsigned k = 0; k < count; ++k) {
				assert_memory_equal(with[lost[from + k]], block[lost[from + k]], SIZE);
				guard_free(with[lost[from + k]], SIZE);
			}
		}
	parity_done(&parity);
}

static void random_losses_of_up_to_251_columns_are_solved(void **state)
{
	uint8_t *solved[RAID_LEVEL_MAX], *with[RAID_COLUMN_MAX];
	struct parity parity;
	uint32_t seed = 1;

	(void)state;
	parity_init(&parity);
	for (unsigned i = 0; i < RAID_LEVEL_MAX; ++i)
		solved[i] = block_alloc();
	for (unsigned round = 0; round < 300; ++round) {
		unsigned columns, count, lost[RAID_LEVEL_MAX] = { 0 }, use[RAID_LEVEL_MAX] = { 0 };

		seed = seed * 1664525 + 1013904223;
		columns = 6 + (seed >> 8) % 246;
		count = 1 + (seed >> 16) % 6;
		for (unsigned i = 0; i < count; ++i) {
			lost[i] = i * columns / count + (seed >> 24) % (columns / count);
			use[i] = i + ((seed >> 20) % (7 - count));
		}
		encode(RAID_CAUCHY, 6, columns, block, &parity);
		memcpy(with, block, sizeof(with));
		for (unsigned i = 0; i < count; ++i)
			with[lost[i]] = solved[i];
		assert_int_equal(raid_solve(raid_code(RAID_CAUCHY), columns, SIZE, count, lost, use,
					    (void *const *)with, (const void *const *)parity.level),
				 0);
		for (unsigned i = 0; i < count; ++i)
			assert_memory_equal(solved[i], block[lost[i]], SIZE);
	}
	for (unsigned i = 0; i < RAID_LEVEL_MAX; ++i)
		guard_free(solved[i], SIZE);
	parity_done(&parity);
}

static void more_losses_than_levels_are_refused_and_nothing_is_written(void **state)
{
	const unsigned lost[] = { 0, 1, 2, 3, 4, 5, 6 };
	uint8_t *data[8];
	struct parity parity;

	(void)state;
	parity_init(&parity);
	for (unsigned d = 0; d < 8; ++d) {
		data[d] = block_alloc();
		memset(data[d], 0xa5, SIZE);
	}
	assert_int_equal(raid_solve(raid_code(RAID_CAUCHY), 8, SIZE, 7, lost, lost, (void *const *)data,
				    (const void *const *)parity.level),
			 -1);
	assert_int_equal(raid_solve(raid_code(RAID_VANDERMONDE), 8, SIZE, 4, lost, lost, (void *const *)data,
				    (const void *const *)parity.level),
			 -1);
	for (unsigned d = 0; d < 8; ++d) {
		for (unsigned k = 0; k < SIZE; ++k)
			assert_int_equal(data[d][k], 0xa5);
		guard_free(data[d], SIZE);
	}
	parity_done(&parity);
}

/* Five columns, of which 1 had other data before and 4 none; each level has either or both of them as they were. */
static void levels_of_different_times_are_solved_wherever_they_have_a_single_solution(void **state)
{
	enum { BEFORE = 5, LEVELS = 3 };
	const unsigned set[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 1, 4 }, { 1, 2, 5 } };	/* lost parts */
	const unsigned use[LEVELS] = { 1, 2, 5 };
	struct parity parity;
	unsigned solved = 0;

	(void)state;
	parity_init(&parity);
	for (unsigned old = 0; old < 64; ++old) {
		struct raid_part part[6];
		unsigned was[2] = { 0 };	/* levels that have column 1 or 4 as it was */

		for (unsigned i = 0; i < LEVELS; ++i) {
			uint8_t *data[5] = { block[0], block[1], block[2], block[3], block[4] };
			uint8_t *level[RAID_LEVEL_MAX] = { NULL };

			level[use[i]] = parity.level[use[i]];
			if (old >> (2 * i) & 1) {
				was[0] |= 1u << use[i];
				data[1] = block[BEFORE];
			}
			if (old >> (2 * i) & 2) {
				was[1] |= 1u << use[i];
				data[4] = NULL;
			}
			raid_encode(raid_code(RAID_CAUCHY), RAID_LEVEL_MAX, 5, SIZE, (const void *const *)data,
				    (void *const *)level);
		}
		for (unsigned i = 0; i < 6; ++i)
			part[i] = (struct raid_part){ i < 2 ? i : i - 1, ~0u, block[i < 2 ? i : i - 1] };
		part[1].levels = ~was[0];
		part[2].levels = was[0];
		part[2].data = block[BEFORE];
		part[5].levels = ~was[1];
		for (unsigned s = 0; s < sizeof(set) / sizeof(set[0]); ++s) {
			struct raid_part with[6];
			uint8_t *result[LEVELS];

			memcpy(with, part, sizeof(with));
			for (unsigned i = 0; i < LEVELS; ++i)
				with[set[s][i]].data = result[i] = block_alloc();
			if (raid_solve_parts(raid_code(RAID_CAUCHY), 6, with, SIZE, LEVELS, set[s], use,
					     (const void *const *)parity.level) == 0) {
				++solved;
				for (unsigned i = 0; i < LEVELS; ++i)
					assert_memory_equal(result[i], part[set[s][i]].data, SIZE);
			}
			for (unsigned i = 0; i < LEVELS; ++i)
				guard_free(result[i], SIZE);
		}
	}
	/* Of 8 times 8 each: an unknown of column 1 must be in some level, and two of its kind must not be alone. */
	assert_int_equal(solved, 6 * 8 + 7 * 8 + 7 * 8 + 6 * 6);
	parity_done(&parity);
}

static void check_search(struct json_object *cases, int flip)
{
	struct parity parity;
	int unique;

	parity_init(&parity);
	for (unsigned i = 0; i < vectors_count(cases); ++i) {
		struct json_object *one = vectors_at(cases, i);
		unsigned columns = vectors_number(one, "nd");
		unsigned levels = vectors_number(one, "np");
		unsigned damaged[RAID_LEVEL_MAX];
		unsigned expected[RAID_LEVEL_MAX];
		unsigned found[RAID_LEVEL_MAX];
		unsigned damages = vectors_numbers(vectors_get(one, "damaged"), damaged, RAID_LEVEL_MAX);
		unsigned size = vectors_numbers(vectors_get(one, "found"), expected, RAID_LEVEL_MAX);
		uint8_t copy[RAID_LEVEL_MAX][SIZE];

		encode(RAID_CAUCHY, levels, columns, block, &parity);
		for (unsigned k = 0; k < damages; ++k) {
			unsigned at = damaged[k];
			uint8_t *bytes = at < columns ? block[at] : parity.level[at - columns];

			memcpy(copy[k], bytes, SIZE);
			for (unsigned n = 0; n < SIZE; ++n)
				bytes[n] = (uint8_t)(flip ? bytes[n] ^ 0x55 : 0x55);
		}
		/* The vectors name no size where no set explains it. */
		assert_int_equal(raid_scan(raid_code(RAID_CAUCHY), levels, columns, SIZE, (const void *const *)block,
					   (const void *const *)parity.level, found, &unique),
				 size < levels ? (int)size : -1);
		for (unsigned k = 0; size < levels && k < size; ++k)
			assert_int_equal(found[k], expected[k]);
		for (unsigned k = 0; k < damages; ++k)
			if (damaged[k] < columns)
				memcpy(block[damaged[k]], copy[k], SIZE);
	}
	parity_done(&parity);
}

static void wrong_blocks_of_the_vectors_are_found(void **state)
{
	struct json_object *vectors = vectors_load("recovery.json");

	(void)state;
	check_search(vectors_get(vectors, "scan"), 0);
	check_search(vectors_get(vectors, "scan_constant_flip"), 1);
	json_object_put(vectors);
}

static int run_all(const char *kernel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parity_is_that_of_the_vectors),
		cmocka_unit_test(a_hole_and_zeros_at_the_end_of_a_block_count_as_zeros),
		cmocka_unit_test(columns_that_are_null_are_the_same_as_zeros),
		cmocka_unit_test(parity_of_no_data_is_zeros),
		cmocka_unit_test(a_level_that_is_null_is_left_out),
		cmocka_unit_test(verify_tells_which_levels_differ_by_a_single_bit),
		cmocka_unit_test(updates_are_those_of_the_vectors),
		cmocka_unit_test(update_is_the_same_as_encoding_again),
		cmocka_unit_test(an_update_of_nothing_changes_nothing),
		cmocka_unit_test(xor_sums_any_number_of_blocks),
		cmocka_unit_test(xor_adds_to_its_target_if_that_is_the_first_source),
		cmocka_unit_test(what_is_only_read_may_be_one_block),
		cmocka_unit_test(recoveries_are_those_of_the_vectors),
		cmocka_unit_test(every_loss_of_up_to_12_columns_is_solved_from_every_set_of_levels),
		cmocka_unit_test(losses_among_251_columns_with_holes_are_solved),
		cmocka_unit_test(random_losses_of_up_to_251_columns_are_solved),
		cmocka_unit_test(more_losses_than_levels_are_refused_and_nothing_is_written),
		cmocka_unit_test(levels_of_different_times_are_solved_wherever_they_have_a_single_solution),
		cmocka_unit_test(wrong_blocks_of_the_vectors_are_found),
	};

	return _cmocka_run_group_tests(kernel, tests, sizeof(tests) / sizeof(tests[0]), setup, teardown);
}

/* With every kernel that can run here, after each other. */
int main(void)
{
	struct raid_candidate candidate;
	int failed = 0;

	for (unsigned i = 0; raid_candidate(i, &candidate); ++i) {
		if (candidate.verdict == RAID_MISSING)
			continue;
		if (raid_force(candidate.kernel) != 0)
			return 1;
		failed += run_all(candidate.kernel);
	}
	return failed != 0;
}
