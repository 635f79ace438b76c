/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/matrix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raid/gf.h"
#include "test/unit/raid/vectors.h"

static void read_matrix(struct json_object *rows, struct matrix *m)
{
	unsigned n = vectors_count(rows);

	memset(m, 0, sizeof(*m));
	for (unsigned r = 0; r < n; ++r)
		vectors_bytes(vectors_at(rows, r), m->at[r], n);
}

static void inverses_are_those_of_the_vectors(void **state)
{
	struct json_object *vectors = vectors_load("recovery.json");
	const char *const mode[] = { "cauchy", "z" };

	(void)state;
	for (unsigned k = 0; k < 2; ++k) {
		struct json_object *cases = vectors_get(vectors, mode[k]);

		for (unsigned i = 0; i < vectors_count(cases); ++i) {
			struct json_object *rows = vectors_get(vectors_at(cases, i), "submatrix");
			struct matrix part;
			struct matrix expected;
			struct matrix inverse;

			read_matrix(rows, &part);
			read_matrix(vectors_get(vectors_at(cases, i), "inverse"), &expected);
			assert_int_equal(matrix_invert(vectors_count(rows), &part, &inverse), 0);
			assert_memory_equal(&inverse, &expected, sizeof(inverse));
		}
	}
	json_object_put(vectors);
}

static void a_matrix_with_a_zero_in_the_corner_is_inverted(void **state)
{
	const struct matrix m = { { { 0, 1, 7 }, { 1, 0, 2 }, { 3, 1, 0 } } };
	struct matrix inverse;

	(void)state;
	assert_int_equal(matrix_invert(3, &m, &inverse), 0);
	for (unsigned i = 0; i < 3; ++i) {
		uint8_t unit[3] = { 0 };
		uint8_t once[3];
		uint8_t back[3];

		unit[i] = 1;
		matrix_apply(3, &m, unit, once);
		for (unsigned r = 0; r < 3; ++r)
			assert_int_equal(once[r], m.at[r][i]);
		matrix_apply(3, &inverse, once, back);
		assert_memory_equal(back, unit, sizeof(unit));
	}
}

static void a_matrix_without_inverse_is_refused(void **state)
{
	const struct matrix twice = { { { 1, 2, 3 }, { 2, 4, 6 }, { 1, 1, 9 } } };
	const struct matrix zero = { { { 0 } } };
	struct matrix inverse;

	(void)state;
	assert_int_equal(matrix_invert(3, &twice, &inverse), -1);
	assert_int_equal(matrix_invert(1, &zero, &inverse), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inverses_are_those_of_the_vectors),
		cmocka_unit_test(a_matrix_with_a_zero_in_the_corner_is_inverted),
		cmocka_unit_test(a_matrix_without_inverse_is_refused),
	};

	gf_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
