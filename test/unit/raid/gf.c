/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/gf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test/unit/raid/vectors.h"

/* The product by its definition: shift and add. */
static uint8_t product(unsigned a, unsigned b)
{
	unsigned sum = 0;

	for (; b != 0; b >>= 1) {
		if (b & 1)
			sum ^= a;
		a <<= 1;
		if (a & 0x100)
			a ^= 0x11d;
	}
	return (uint8_t)sum;
}

static void products_are_those_of_the_definition(void **state)
{
	(void)state;
	for (unsigned a = 0; a < 256; ++a)
		for (unsigned b = 0; b < 256; ++b)
			assert_int_equal(gf_mul((uint8_t)a, (uint8_t)b), product(a, b));
}

static void the_two_halves_of_a_product_add_up_to_it(void **state)
{
	(void)state;
	for (unsigned a = 0; a < 256; ++a)
		for (unsigned b = 0; b < 256; ++b)
			assert_int_equal(gf_factor[a].nibble[0][b & 15] ^ gf_factor[a].nibble[1][b >> 4],
					 product(a, b));
}

static void an_element_times_its_inverse_is_one(void **state)
{
	(void)state;
	for (unsigned a = 1; a < 256; ++a)
		assert_int_equal(product(a, gf_inv((uint8_t)a)), 1);
}

static void powers_and_inverses_are_those_of_the_vectors(void **state)
{
	struct json_object *vectors = vectors_load("matrix.json");
	struct json_object *field = vectors_get(vectors, "field_11d");
	struct json_object *products = vectors_get(field, "products");
	uint8_t power[256];
	uint8_t inverse[255];
	unsigned powers = (unsigned)strlen(json_object_get_string(vectors_get(field, "powers_of_2"))) / 2;

	(void)state;
	assert_in_range(powers, 255, 256);
	vectors_bytes(vectors_get(field, "powers_of_2"), power, powers);
	vectors_bytes(vectors_get(field, "inverse_1_to_255"), inverse, sizeof(inverse));
	for (unsigned i = 0; i < powers; ++i)
		assert_int_equal(gf_power(i), power[i]);
	for (unsigned i = 1; i < 256; ++i)
		assert_int_equal(gf_inv((uint8_t)i), inverse[i - 1]);
	for (unsigned i = 0; i < vectors_count(products); ++i) {
		uint8_t byte[3];

		for (unsigned k = 0; k < 3; ++k)
			vectors_bytes(vectors_at(vectors_at(products, i), k), &byte[k], 1);
		assert_int_equal(gf_mul(byte[0], byte[1]), byte[2]);
	}
	json_object_put(vectors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_are_those_of_the_definition),
		cmocka_unit_test(the_two_halves_of_a_product_add_up_to_it),
		cmocka_unit_test(an_element_times_its_inverse_is_one),
		cmocka_unit_test(powers_and_inverses_are_those_of_the_vectors),
	};

	gf_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
