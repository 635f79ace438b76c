/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raid/gf.h"
#include "raid/matrix.h"
#include "test/unit/raid/vectors.h"

static void check_matrix(enum raid_mode mode, const char *name, unsigned levels)
{
	struct json_object *vectors = vectors_load("matrix.json");
	struct json_object *rows = vectors_get(vectors_get(vectors, name), "rows");
	const struct raid_code *code = raid_code(mode);

	assert_int_equal(vectors_count(rows), levels);
	assert_int_equal(code->levels, levels);
	for (unsigned l = 0; l < levels; ++l) {
		uint8_t row[RAID_COLUMN_MAX];

		vectors_bytes(vectors_at(rows, l), row, sizeof(row));
		for (unsigned d = 0; d < RAID_COLUMN_MAX; ++d)
			assert_int_equal(raid_coefficient(code, l, d), row[d]);
	}
	json_object_put(vectors);
}

static void the_cauchy_matrix_is_that_of_the_vectors(void **state)
{
	(void)state;
	check_matrix(RAID_CAUCHY, "cauchy", 6);
}

static void the_vandermonde_matrix_is_that_of_the_vectors(void **state)
{
	(void)state;
	check_matrix(RAID_VANDERMONDE, "z", 3);
}

/* Every part of 2 x 2; and larger ones of columns at many distances, from every set of levels. */
static void any_lost_columns_can_be_solved_from_as_many_levels(void **state)
{
	(void)state;
	for (unsigned mode = RAID_CAUCHY; mode <= RAID_VANDERMONDE; ++mode) {
		const struct raid_code *code = raid_code((enum raid_mode)mode);

		for (unsigned set = 1; set < 1u << code->levels; ++set) {
			unsigned level[RAID_LEVEL_MAX];
			unsigned count = 0;

			for (unsigned l = 0; l < code->levels; ++l)
				if (set & (1u << l))
					level[count++] = l;
			for (unsigned a = 0; a < RAID_COLUMN_MAX; ++a)
				for (unsigned gap = 1; a + gap * (count - 1) < RAID_COLUMN_MAX; ++gap) {
					struct matrix part = { 0 };
					struct matrix inverse;

					for (unsigned j = 0; j < count; ++j)
						for (unsigned i = 0; i < count; ++i)
							part.at[j][i] = code->coef[a + gap * i][level[j]];
					assert_int_equal(matrix_invert(count, &part, &inverse), 0);
					if (count == 1)
						break;
				}
		}
	}
}

/* What the proof in code.h rests on, for all columns and levels: so it holds for each of the square parts, which are too
 * many to be tried. A row is scaled by the same factor, 1 + y, in all columns. */
static void the_cauchy_matrix_is_one_with_a_row_of_ones_on_top(void **state)
{
	const struct raid_code *code = raid_code(RAID_CAUCHY);
	static const uint8_t y[RAID_LEVEL_MAX] = { 0, 0, 2, 4, 8, 16 };
	uint8_t is_node[256] = { 0 };

	(void)state;
	for (unsigned l = 1; l < RAID_LEVEL_MAX; ++l)
		assert_int_equal(is_node[y[l]]++, 0);
	for (unsigned d = 0; d < RAID_COLUMN_MAX; ++d) {
		const uint8_t x = gf_inv(gf_power(d));

		assert_int_equal(is_node[x]++, 0);
		assert_int_equal(code->coef[d][0], 1);
		for (unsigned l = 1; l < RAID_LEVEL_MAX; ++l)
			assert_int_equal(gf_mul(code->coef[d][l], x ^ y[l]), 1 ^ y[l]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cauchy_matrix_is_that_of_the_vectors),
		cmocka_unit_test(the_vandermonde_matrix_is_that_of_the_vectors),
		cmocka_unit_test(the_cauchy_matrix_is_one_with_a_row_of_ones_on_top),
		cmocka_unit_test(any_lost_columns_can_be_solved_from_as_many_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
