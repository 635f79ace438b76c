/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe of raid/kernel.c, by which a kernel is tried before it is used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raid/cpu.h"
#include "raid/gf.h"
#include "raid/kernel.h"
#include "test/unit/raid/flip.h"

/* Call `check` for all kernels this CPU can run. */
static void for_each_kernel(void (*check)(const struct raid_kernel *))
{
	for (unsigned i = 0; raid_kernel_at(i) != NULL; ++i)
		if ((raid_kernel_at(i)->needs & ~cpu_features()) == 0)
			check(raid_kernel_at(i));
}

static void check_agrees(const struct raid_kernel *kernel)
{
	assert_true(raid_kernel_agrees(kernel));
}

static void every_kernel_agrees_with_the_scalar_one(void **state)
{
	(void)state;
	for_each_kernel(check_agrees);
	assert_true(raid_kernel_agrees(&raid_kernel_scalar));
}

/* Kernels that are wrong in one byte, in one function, for one number of rows. */
static unsigned wrong_rows;

static void wrong_store(const struct raid_sum *sum, uint8_t *const *to)
{
	raid_kernel_scalar.store(sum, to);
	if (sum->rows == wrong_rows)
		to[sum->rows - 1][sum->size - 1] ^= 1;
}

static unsigned wrong_check(const struct raid_sum *sum, const uint8_t *const *stored)
{
	return raid_kernel_scalar.check(sum, stored) & (sum->rows == wrong_rows ? 0 : ~0u);
}

static void wrong_add(const struct raid_sum *sum, uint8_t *const *to)
{
	raid_kernel_scalar.add(sum, to);
	if (sum->rows == wrong_rows)
		to[0][0] ^= 0x80;
}

static void wrong_solve(const struct raid_sum *sum, const struct matrix *inverse, const uint8_t *const *parity,
			uint8_t *const *to)
{
	raid_kernel_scalar.solve(sum, inverse, parity, to);
	if (sum->rows == wrong_rows)
		to[sum->rows - 1][64] ^= 2;
}

static void wrong_sum_up(unsigned count, const uint8_t *const *from, size_t size, uint8_t *to)
{
	raid_kernel_scalar.sum_up(count, from, size, to);
	if (count == wrong_rows)
		to[size / 2] ^= 4;
}

static void a_kernel_that_is_wrong_anywhere_does_not_agree(void **state)
{
	(void)state;
	for (wrong_rows = 1; wrong_rows <= RAID_LEVEL_MAX; ++wrong_rows)
		for (unsigned part = 0; part < 5; ++part) {
			struct raid_kernel kernel = raid_kernel_scalar;

			if (part == 0)
				kernel.store = wrong_store;
			else if (part == 1)
				kernel.check = wrong_check;
			else if (part == 2)
				kernel.add = wrong_add;
			else if (part == 3)
				kernel.solve = wrong_solve;
			else
				kernel.sum_up = wrong_sum_up;
			assert_false(raid_kernel_agrees(&kernel));
		}
}

static void check_broken_tables(const struct raid_kernel *kernel)
{
	static const struct { uint8_t constant, half, nibble; } place[] = {
		{ 2, 0, 1 }, { 29, 1, 8 }, { 255, 1, 2 }, { 128, 0, 4 },
	};
	unsigned noticed = 0;

	for (unsigned i = 0; i < sizeof(place) / sizeof(place[0]); ++i) {
		flip_entry(place[i].constant, place[i].half, place[i].nibble);
		noticed += !raid_kernel_agrees(kernel);
		flip_entry(place[i].constant, place[i].half, place[i].nibble);
	}
	assert_int_equal(noticed, sizeof(place) / sizeof(place[0]));
	assert_true(raid_kernel_agrees(kernel));
}

static void a_flipped_bit_in_the_tables_is_noticed(void **state)
{
	(void)state;
	for_each_kernel(check_broken_tables);
}

static void the_last_kernel_is_the_scalar_one_and_needs_nothing(void **state)
{
	const struct raid_kernel *last = NULL;

	(void)state;
	for (unsigned i = 0; raid_kernel_at(i) != NULL; ++i)
		last = raid_kernel_at(i);
	assert_ptr_equal(last, &raid_kernel_scalar);
	assert_int_equal(last->needs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kernel_agrees_with_the_scalar_one),
		cmocka_unit_test(a_kernel_that_is_wrong_anywhere_does_not_agree),
		cmocka_unit_test(a_flipped_bit_in_the_tables_is_noticed),
		cmocka_unit_test(the_last_kernel_is_the_scalar_one_and_needs_nothing),
	};

	gf_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
