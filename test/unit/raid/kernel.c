/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raid/code.h"
#include "raid/cpu.h"
#include "raid/gf.h"
#include "test/unit/raid/guard.h"

#define SIZE_MAX_TRIED 1024

static uint8_t *in[RAID_TERM_MAX]; /* each ends at a page that may not be touched */
static uint8_t *out[RAID_LEVEL_MAX];
static uint8_t expected[RAID_LEVEL_MAX][SIZE_MAX_TRIED];

static int setup(void **state)
{
	(void)state;
	raid_code(RAID_CAUCHY);
	for (unsigned i = 0; i < RAID_TERM_MAX; ++i) {
		in[i] = guard_alloc(SIZE_MAX_TRIED);
		guard_fill(in[i], SIZE_MAX_TRIED, i);
	}
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
		out[r] = guard_alloc(SIZE_MAX_TRIED);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RAID_TERM_MAX; ++i)
		guard_free(in[i], SIZE_MAX_TRIED);
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
		guard_free(out[r], SIZE_MAX_TRIED);
	return 0;
}

/* Sums as they are defined, a byte at a time. */
static void expect(unsigned rows, const struct raid_term *term, unsigned terms, size_t size)
{
	memset(expected, 0, sizeof(expected));
	for (unsigned r = 0; r < rows; ++r)
		for (unsigned i = 0; i < terms; ++i)
			for (size_t k = 0; k < size; ++k)
				expected[r][k] ^= gf_mul(term[i].coef[r], term[i].in[k]);
}

/* Buffers of `size` that end where those of SIZE_MAX_TRIED end. */
static void place_rows(uint8_t **row, size_t size)
{
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
		row[r] = out[r] + SIZE_MAX_TRIED - size;
}

static void check_sum(raid_sum_fn *sum, raid_check_fn *check, unsigned rows, const struct raid_term *term,
		      unsigned terms, size_t size)
{
	uint8_t *row[RAID_LEVEL_MAX];

	place_rows(row, size);
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
		memset(out[r], 0xa5, SIZE_MAX_TRIED);
	sum(rows, term, terms, size, row);
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r) {
		if (r < rows)
			assert_memory_equal(row[r], expected[r], size);
		/* Nothing else is written: not before the buffer, not in rows that were not asked for. */
		for (size_t k = 0; k < SIZE_MAX_TRIED - (r < rows ? size : 0); ++k)
			assert_int_equal(out[r][k], 0xa5);
	}

	assert_int_equal(check(rows, term, terms, size, (const uint8_t *const *)row), 0);
	for (unsigned r = 0; r < rows; ++r) {
		size_t at = (r * 211 + terms * 31) % size;

		row[r][at] ^= 1;
		assert_int_equal(check(rows, term, terms, size, (const uint8_t *const *)row), 1u << r);
		row[r][at] ^= 1;
	}
	row[0][0] ^= 0x10;
	row[rows - 1][size - 1] ^= 0x80;
	assert_int_equal(check(rows, term, terms, size, (const uint8_t *const *)row), 1u | 1u << (rows - 1));
}

static void check_mad(const struct raid_kernel *kernel, unsigned rows, const struct raid_term *term,
		      size_t size)
{
	uint8_t *row[RAID_LEVEL_MAX];

	place_rows(row, size);
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r) {
		guard_fill(row[r], size, 1000 + r);
		memcpy(expected[r], row[r], size);
		for (size_t k = 0; r < rows && k < size; ++k)
			expected[r][k] ^= gf_mul(term->coef[r], term->in[k]);
	}
	kernel->mad(rows, term->coef, size, term->in, row);
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
		assert_memory_equal(row[r], expected[r], size);
}

/* Terms of the columns first, first + 1 + i % spread.. of a code. */
static unsigned fill_terms(struct raid_term *term, const struct raid_code *code, unsigned first,
			   unsigned spread, unsigned most, size_t size)
{
	unsigned column = first;
	unsigned before = 0;
	unsigned i;

	for (i = 0; i < most && column < RAID_COLUMN_MAX; ++i) {
		term[i].in = in[i] + SIZE_MAX_TRIED - size;
		memcpy(term[i].coef, code->coef[column], sizeof(term[i].coef));
		term[i].gap = (uint8_t)(column - before);
		before = column;
		column += 1 + i % spread;
	}
	return i;
}

static void check_kernel(const struct raid_kernel *kernel, unsigned most, size_t size)
{
	struct raid_term term[RAID_TERM_MAX];

	for (unsigned mode = RAID_CAUCHY; mode <= RAID_VANDERMONDE; ++mode)
		for (unsigned first = 0; first < 4; first += 3)
			for (unsigned spread = 1; spread < 4; spread += 2) {
				const struct raid_code *code = raid_code((enum raid_mode)mode);
				unsigned terms = fill_terms(term, code, first, spread, most, size);

				for (unsigned rows = 1; rows <= code->levels; ++rows) {
					expect(rows, term, terms, size);
					check_sum(kernel->dot, kernel->dot_check, rows, term, terms, size);
					check_sum(kernel->pq, kernel->pq_check, rows, term, terms, size);
					if (terms != 0)
						check_mad(kernel, rows, &term[terms - 1], size);
				}
			}
}

/* Call `check` for all kernels this CPU can run. */
static void for_each_kernel(void (*check)(const struct raid_kernel *))
{
	for (unsigned i = 0; raid_kernel_at(i) != NULL; ++i)
		if ((raid_kernel_at(i)->needs & ~cpu_features()) == 0)
			check(raid_kernel_at(i));
}

static void check_sizes(const struct raid_kernel *kernel)
{
	for (size_t size = 64; size <= SIZE_MAX_TRIED; size += 64)
		check_kernel(kernel, 4, size);
}

static void sums_are_right_for_every_size_up_to_a_guard_page(void **state)
{
	(void)state;
	for_each_kernel(check_sizes);
}

static void check_counts(const struct raid_kernel *kernel)
{
	for (unsigned terms = 0; terms <= RAID_COLUMN_MAX; terms = terms < 10 ? terms + 1 : terms * 2 + 1)
		check_kernel(kernel, terms, 192);
	check_kernel(kernel, 250, 64);
	check_kernel(kernel, 251, 64);
}

static void sums_are_right_for_any_number_of_columns(void **state)
{
	(void)state;
	for_each_kernel(check_counts);
}

/* Every product of every kernel: 256 constants by 256 bytes, in each place of a row. */
static void check_products(const struct raid_kernel *kernel)
{
	uint8_t *data = in[0];
	struct raid_term term = { .in = data };

	for (unsigned k = 0; k < 256; ++k)
		data[k] = (uint8_t)(k * 151);
	for (unsigned c = 0; c < 256; ++c) {
		for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
			term.coef[r] = (uint8_t)(c + 43 * r);
		expect(RAID_LEVEL_MAX, &term, 1, 256);
		for (unsigned rows = 1; rows <= RAID_LEVEL_MAX; ++rows) {
			kernel->dot(rows, &term, 1, 256, out);
			for (unsigned r = 0; r < rows; ++r)
				assert_memory_equal(out[r], expected[r], 256);
		}
	}
	guard_fill(data, SIZE_MAX_TRIED, 0);
}

static void every_product_is_right(void **state)
{
	(void)state;
	for_each_kernel(check_products);
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

static void wrong_sum(unsigned rows, const struct raid_term *term, unsigned terms, size_t size,
		      uint8_t *const *to)
{
	raid_kernel_scalar.dot(rows, term, terms, size, to);
	if (rows == wrong_rows)
		to[rows - 1][size - 1] ^= 1;
}

static unsigned wrong_check(unsigned rows, const struct raid_term *term, unsigned terms, size_t size,
			    const uint8_t *const *to)
{
	return raid_kernel_scalar.dot_check(rows, term, terms, size, to) & (rows == wrong_rows ? 0 : ~0u);
}

static void wrong_mad(unsigned rows, const uint8_t *coef, size_t size, const uint8_t *from,
		      uint8_t *const *to)
{
	raid_kernel_scalar.mad(rows, coef, size, from, to);
	if (rows == wrong_rows)
		to[0][0] ^= 0x80;
}

static void a_kernel_that_is_wrong_anywhere_does_not_agree(void **state)
{
	(void)state;
	for (wrong_rows = 1; wrong_rows <= RAID_LEVEL_MAX; ++wrong_rows)
		for (unsigned part = 0; part < 5; ++part) {
			struct raid_kernel kernel = raid_kernel_scalar;

			if (part == 0)
				kernel.dot = wrong_sum;
			else if (part == 1)
				kernel.pq = wrong_sum;
			else if (part == 2)
				kernel.dot_check = wrong_check;
			else if (part == 3)
				kernel.pq_check = wrong_check;
			else
				kernel.mad = wrong_mad;
			assert_false(raid_kernel_agrees(&kernel));
		}
}

static void the_kernel_in_use_is_the_first_that_the_cpu_can_run(void **state)
{
	unsigned i = 0;

	(void)state;
	while ((raid_kernel_at(i)->needs & ~cpu_features()) != 0)
		++i;
	assert_ptr_equal(raid_kernel(), raid_kernel_at(i));
	assert_string_equal(raid_kernel_name(), raid_kernel_at(i)->name);
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
		cmocka_unit_test(sums_are_right_for_every_size_up_to_a_guard_page),
		cmocka_unit_test(sums_are_right_for_any_number_of_columns),
		cmocka_unit_test(every_product_is_right),
		cmocka_unit_test(every_kernel_agrees_with_the_scalar_one),
		cmocka_unit_test(a_kernel_that_is_wrong_anywhere_does_not_agree),
		cmocka_unit_test(the_kernel_in_use_is_the_first_that_the_cpu_can_run),
		cmocka_unit_test(the_last_kernel_is_the_scalar_one_and_needs_nothing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
