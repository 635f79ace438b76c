/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raid/code.h"
#include "raid/cpu.h"
#include "raid/gf.h"
#include "test/unit/raid/flip.h"
#include "test/unit/raid/guard.h"

#define SIZE_MAX_TRIED 4352 /* more than a tile of 4096 */

static uint8_t *in[RAID_TERM_MAX]; /* each ends at a page that may not be touched */
static uint8_t *out[RAID_LEVEL_MAX];
static uint8_t expected[RAID_LEVEL_MAX][SIZE_MAX_TRIED];

static uint8_t product[256][256]; /* by logarithms */

static int setup(void **state)
{
	(void)state;
	raid_code(RAID_CAUCHY);
	for (unsigned i = 0; i < 256; ++i)
		for (unsigned k = 0; k < 256; ++k)
			product[i][k] = gf_mul((uint8_t)i, (uint8_t)k);
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
				expected[r][k] ^= product[term[i].coef[r]][term[i].in[k] ^
									   (term[i].old ? term[i].old[k] : 0)];
}

/* Buffers of `size` that end where those of SIZE_MAX_TRIED end. */
static void place_rows(uint8_t **row, size_t size)
{
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
		row[r] = out[r] + SIZE_MAX_TRIED - size;
}

static void fill_rows(void)
{
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
		memset(out[r], 0xa5, SIZE_MAX_TRIED);
}

/* The rows are as expected, and nothing else is written: not before the buffer, not in rows that were not
 * asked for. */
static void check_rows(const struct raid_sum *sum, uint8_t *const *row)
{
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r) {
		if (r < sum->rows)
			assert_memory_equal(row[r], expected[r], sum->size);
		for (size_t k = 0; k < SIZE_MAX_TRIED - (r < sum->rows ? sum->size : 0); ++k)
			if (out[r][k] != 0xa5)
				fail_msg("row %u was written to at %zu", r, k);
	}
}

static void check_store(const struct raid_kernel *kernel, const struct raid_sum *sum)
{
	uint8_t *row[RAID_LEVEL_MAX];

	fill_rows();
	place_rows(row, sum->size);
	kernel->store(sum, row);
	check_rows(sum, row);
}

/* Of rows that are right, then wrong in each one, then in two. */
static void check_check(const struct raid_kernel *kernel, const struct raid_sum *sum)
{
	const uint8_t *const *stored;
	uint8_t *row[RAID_LEVEL_MAX];

	place_rows(row, sum->size);
	stored = (const uint8_t *const *)row;
	assert_int_equal(kernel->check(sum, stored), 0);
	for (unsigned r = 0; r < sum->rows; ++r) {
		size_t at = (r * 211 + sum->terms * 31) % sum->size;

		row[r][at] ^= 1;
		assert_int_equal(kernel->check(sum, stored), 1u << r);
		row[r][at] ^= 1;
	}
	row[0][0] ^= 0x10;
	row[sum->rows - 1][sum->size - 1] ^= 0x80;
	assert_int_equal(kernel->check(sum, stored), 1u | 1u << (sum->rows - 1));
}

/* Every second term has old data as well. */
static void check_add(const struct raid_kernel *kernel, const struct raid_sum *sum)
{
	struct raid_term term[RAID_TERM_MAX];
	struct raid_sum with_old = *sum;
	uint8_t *row[RAID_LEVEL_MAX];

	with_old.term = term;
	for (unsigned i = 0; i < sum->terms; ++i) {
		term[i] = sum->term[i];
		if (i % 2 == 1)
			term[i].old = term[i - 1].in;
	}
	fill_rows();
	place_rows(row, sum->size);
	expect(sum->rows, term, sum->terms, sum->size);
	for (unsigned r = 0; r < sum->rows; ++r) {
		guard_fill(row[r], sum->size, 1000 + r);
		for (size_t k = 0; k < sum->size; ++k)
			expected[r][k] ^= row[r][k];
	}
	kernel->add(&with_old, row);
	check_rows(sum, row);
}

/* By any matrix that keeps the promise about row 0. */
static void check_solve(const struct raid_kernel *kernel, const struct raid_sum *sum)
{
	uint8_t solved[RAID_LEVEL_MAX][SIZE_MAX_TRIED];
	const uint8_t *parity[RAID_LEVEL_MAX];
	uint8_t *row[RAID_LEVEL_MAX];
	struct matrix matrix;

	memset(&matrix, 0, sizeof(matrix));
	memset(solved, 0, sizeof(solved));
	fill_rows();
	place_rows(row, sum->size);
	expect(sum->rows, sum->term, sum->terms, sum->size);
	for (unsigned j = 0; j < sum->rows; ++j) {
		unsigned rest = j == 0;

		parity[j] = in[RAID_TERM_MAX - 1 - j] + SIZE_MAX_TRIED - sum->size;
		for (unsigned i = 0; i < sum->rows; ++i) {
			uint8_t at = (uint8_t)(i * 83 + j * 29 + sum->terms + 1);

			matrix.at[i][j] = sum->kind == SUM_PQ && i == sum->rows - 1 ? (uint8_t)rest : at;
			rest ^= at;
			for (size_t k = 0; k < sum->size; ++k)
				solved[i][k] ^= product[matrix.at[i][j]][expected[j][k] ^ parity[j][k]];
		}
	}
	kernel->solve(sum, &matrix, parity, row);
	memcpy(expected, solved, sizeof(expected));
	check_rows(sum, row);
}

static void check_sum(const struct raid_kernel *kernel, const struct raid_sum *sum)
{
	expect(sum->rows, sum->term, sum->terms, sum->size);
	check_store(kernel, sum);
	check_check(kernel, sum);
	check_add(kernel, sum);
	check_solve(kernel, sum);
}

/* Terms of the columns first, first + 1 + i % spread.. of a code. */
static unsigned fill_terms(struct raid_term *term, const struct raid_code *code, unsigned first,
			   unsigned spread, unsigned most, size_t size)
{
	unsigned column = first;
	unsigned i;

	for (i = 0; i < most && column < RAID_COLUMN_MAX; ++i) {
		memset(&term[i], 0, sizeof(term[i]));
		term[i].in = in[i] + SIZE_MAX_TRIED - size;
		memcpy(term[i].coef, code->coef[column], sizeof(term[i].coef));
		term[i].gap = (uint8_t)(1 + i % spread);
		column += term[i].gap;
	}
	if (i != 0)
		term[i - 1].gap = 0;
	return i;
}

static void check_kinds(const struct raid_kernel *kernel, struct raid_term *term, unsigned levels,
			unsigned terms, size_t size)
{
	struct raid_sum sum = { .terms = terms, .term = term, .size = size };

	for (sum.rows = 1; sum.rows <= levels; ++sum.rows)
		for (sum.kind = SUM_ANY; sum.kind <= SUM_PQ; ++sum.kind)
			check_sum(kernel, &sum);
	for (unsigned i = 0; i < terms; ++i)
		term[i].coef[0] = term[i].coef[1];
	sum.rows = 1;
	sum.kind = SUM_Q;
	check_sum(kernel, &sum);
}

static void check_kernel(const struct raid_kernel *kernel, unsigned most, size_t size)
{
	struct raid_term term[RAID_TERM_MAX];

	for (unsigned mode = RAID_CAUCHY; mode <= RAID_VANDERMONDE; ++mode)
		for (unsigned first = 0; first < 4; first += 3)
			for (unsigned spread = 1; spread < 4; spread += 2) {
				const struct raid_code *code = raid_code((enum raid_mode)mode);
				unsigned terms = fill_terms(term, code, first, spread, most, size);

				check_kinds(kernel, term, code->levels, terms, size);
			}
}

static const struct raid_kernel *only; /* this one is checked; NULL: all */

static int is_checked(const struct raid_kernel *kernel)
{
	return (kernel->needs & ~cpu_features()) == 0 && (only == NULL || kernel == only);
}

/* Call `check` for all kernels this CPU can run. */
static void for_each_kernel(void (*check)(const struct raid_kernel *))
{
	for (unsigned i = 0; raid_kernel_at(i) != NULL; ++i)
		if (is_checked(raid_kernel_at(i)))
			check(raid_kernel_at(i));
}

/* Sizes up to 512 with all kinds of columns; larger ones, which repeat the same steps, with one. */
static void check_sizes(const struct raid_kernel *kernel)
{
	struct raid_term term[RAID_TERM_MAX];
	const struct raid_code *code = raid_code(RAID_CAUCHY);

	for (size_t size = 64; size <= 512; size += 64)
		check_kernel(kernel, 4, size);
	for (size_t size = 512; size <= 4096; size += 64)
		check_kinds(kernel, term, RAID_LEVEL_MAX, fill_terms(term, code, (unsigned)size % 128 / 64, 2, 3, size), size);
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

/* Store what is expected, find it right, and add it to itself, which is nothing. */
static void check_count(const struct raid_kernel *kernel, struct raid_sum *sum, unsigned levels)
{
	static const uint8_t zeros[64];
	uint8_t *row[RAID_LEVEL_MAX];

	place_rows(row, sum->size);
	for (sum->rows = 1; sum->rows <= levels; ++sum->rows)
		for (sum->kind = SUM_ANY; sum->kind <= SUM_PQ; ++sum->kind) {
			kernel->store(sum, row);
			assert_int_equal(kernel->check(sum, (const uint8_t *const *)row), 0);
			for (unsigned r = 0; r < sum->rows; ++r)
				assert_memory_equal(row[r], expected[r], sum->size);
			kernel->add(sum, row);
			for (unsigned r = 0; r < sum->rows; ++r)
				assert_memory_equal(row[r], zeros, sum->size);
		}
}

/* Each number of columns there can be, in blocks that lie differently in their pages. */
static void check_each_count(const struct raid_kernel *kernel)
{
	for (unsigned mode = RAID_CAUCHY; mode <= RAID_VANDERMONDE; ++mode) {
		const struct raid_code *code = raid_code((enum raid_mode)mode);
		struct raid_term term[RAID_TERM_MAX];
		struct raid_sum sum = { .term = term, .size = 64 };

		memset(expected, 0, sizeof(expected));
		fill_terms(term, code, 0, 1, RAID_COLUMN_MAX, sum.size);
		for (unsigned i = 0; i < RAID_COLUMN_MAX; ++i) {
			term[i].in -= i * 832 % 4096;
			for (unsigned r = 0; r < code->levels; ++r)
				for (size_t k = 0; k < sum.size; ++k)
					expected[r][k] ^= product[term[i].coef[r]][term[i].in[k]];
			sum.terms = i + 1;
			term[i].gap = 0; /* the last */
			check_count(kernel, &sum, code->levels);
			term[i].gap = 1;
		}
	}
}

static void sums_are_right_for_each_number_of_columns(void **state)
{
	(void)state;
	for_each_kernel(check_each_count);
}

/* Runs of columns that begin at each of the first, as what is below may be done in different ways. */
static void check_runs(const struct raid_kernel *kernel)
{
	struct raid_term term[RAID_TERM_MAX];

	for (unsigned first = 0; first < 12; ++first)
		check_kinds(kernel, term, 2, fill_terms(term, raid_code(RAID_CAUCHY), first, 1, 3, 576), 576);
}

static void runs_of_columns_are_right_wherever_they_begin(void **state)
{
	(void)state;
	for_each_kernel(check_runs);
}

/* So many columns that they are summed in several passes, over more than one tile; in the second case, with a pass
 * for each run of columns. */
static void check_passes(const struct raid_kernel *kernel)
{
	struct raid_term term[RAID_TERM_MAX];
	const struct raid_code *code = raid_code(RAID_CAUCHY);

	for (unsigned spread = 1; spread <= 2; ++spread)
		check_kinds(kernel, term, RAID_LEVEL_MAX, fill_terms(term, code, spread - 1, spread, 18, SIZE_MAX_TRIED),
			    SIZE_MAX_TRIED);
}

static void many_columns_are_summed_over_many_tiles(void **state)
{
	(void)state;
	for_each_kernel(check_passes);
}

/* Every product of every kernel: 256 constants by 256 bytes, in each place of a row. */
static void check_products(const struct raid_kernel *kernel)
{
	uint8_t *data = in[0];
	struct raid_term term = { .in = data };
	struct raid_sum sum = { .kind = SUM_ANY, .terms = 1, .term = &term, .size = 256 };

	for (unsigned k = 0; k < 256; ++k)
		data[k] = (uint8_t)(k * 151);
	for (unsigned c = 0; c < 256; ++c) {
		for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
			term.coef[r] = (uint8_t)(c + 43 * r);
		expect(RAID_LEVEL_MAX, &term, 1, 256);
		for (sum.rows = 1; sum.rows <= RAID_LEVEL_MAX; ++sum.rows) {
			kernel->store(&sum, out);
			for (unsigned r = 0; r < sum.rows; ++r)
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

/* The sum of any number of sources, into a buffer of its own and into the first of them. */
static void check_sum_up(const struct raid_kernel *kernel)
{
	const uint8_t *source[20];

	for (size_t size = 64; size <= 4096; size += size < 1024 ? 64 : 192)
		for (unsigned count = 1; count <= 20; ++count) {
			uint8_t *target = out[0] + SIZE_MAX_TRIED - size;

			memset(expected[0], 0, size);
			for (unsigned i = 0; i < count; ++i) {
				source[i] = in[i] + SIZE_MAX_TRIED - size;
				for (size_t k = 0; k < size; ++k)
					expected[0][k] ^= source[i][k];
			}
			fill_rows();
			kernel->sum_up(count, source, size, target);
			assert_memory_equal(target, expected[0], size);
			for (size_t k = 0; k < SIZE_MAX_TRIED - size; ++k)
				assert_int_equal(out[0][k], 0xa5);

			memcpy(target, source[0], size);
			source[0] = target;
			kernel->sum_up(count, source, size, target);
			assert_memory_equal(target, expected[0], size);
		}
}

static void any_number_of_sources_is_summed_up(void **state)
{
	(void)state;
	for_each_kernel(check_sum_up);
}

/* Blocks of whole pages, which have such a page before and after, and of a bit more. */
static void check_large_size(const struct raid_kernel *kernel, size_t size)
{
	enum { COUNT = 11 };
	uint8_t *block[COUNT + 1];
	uint8_t *parity[RAID_LEVEL_MAX], *right[RAID_LEVEL_MAX];
	struct raid_term term[RAID_TERM_MAX];
	struct raid_sum sum = { .kind = SUM_PQ, .term = term, .size = size };

	sum.terms = fill_terms(term, raid_code(RAID_CAUCHY), 0, 1, COUNT, 0);
	for (unsigned i = 0; i <= COUNT; ++i) {
		block[i] = guard_alloc(size);
		guard_fill(block[i], size, i);
		term[i].in = block[i];
	}
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r) {
		parity[r] = guard_alloc(size);
		right[r] = guard_alloc(size);
	}
	sum.rows = RAID_LEVEL_MAX;
	raid_kernel_scalar.store(&sum, right);
	for (sum.rows = 1; sum.rows <= RAID_LEVEL_MAX; ++sum.rows) {
		kernel->store(&sum, parity);
		for (unsigned r = 0; r < sum.rows; ++r)
			assert_memory_equal(parity[r], right[r], size);
		assert_int_equal(kernel->check(&sum, (const uint8_t *const *)parity), 0);
		parity[sum.rows - 1][size - 1] ^= 1;
		assert_int_equal(kernel->check(&sum, (const uint8_t *const *)parity), 1u << (sum.rows - 1));
	}
	kernel->sum_up(COUNT, (const uint8_t *const *)block, size, block[COUNT]);
	assert_memory_equal(block[COUNT], right[0], size);
	for (unsigned i = 0; i <= COUNT; ++i)
		guard_free(block[i], size);
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r) {
		guard_free(parity[r], size);
		guard_free(right[r], size);
	}
}

static void check_large(const struct raid_kernel *kernel)
{
	check_large_size(kernel, GUARD_PAGE);
	check_large_size(kernel, 256 << 10);
	check_large_size(kernel, (256 << 10) + 192);
}

static void large_blocks_are_right_between_guard_pages(void **state)
{
	(void)state;
	for_each_kernel(check_large);
}

static int run_all(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_right_for_every_size_up_to_a_guard_page),
		cmocka_unit_test(sums_are_right_for_any_number_of_columns),
		cmocka_unit_test(sums_are_right_for_each_number_of_columns),
		cmocka_unit_test(runs_of_columns_are_right_wherever_they_begin),
		cmocka_unit_test(many_columns_are_summed_over_many_tiles),
		cmocka_unit_test(every_product_is_right),
		cmocka_unit_test(any_number_of_sources_is_summed_up),
		cmocka_unit_test(large_blocks_are_right_between_guard_pages),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

/* Do the tests above of one kernel fail, in a process of its own and in silence, if an entry of its tables is wrong? */
static int fails_when_broken(const struct raid_kernel *kernel, void (*test)(void **))
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test) };
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
			_exit(0);
		only = kernel;
		gf_init();
		flip_entry(2, 0, 1);
		_exit(cmocka_run_group_tests(tests, setup, teardown) != 0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

/* A test of the tests. */
static int broken_kernels_fail(void)
{
	static void (*const test[])(void **) = {
		sums_are_right_for_every_size_up_to_a_guard_page, sums_are_right_for_any_number_of_columns,
		sums_are_right_for_each_number_of_columns, many_columns_are_summed_over_many_tiles, every_product_is_right,
	};
	int rc = 0;

	for (unsigned i = 0; raid_kernel_at(i) != NULL; ++i)
		for (unsigned k = 0; k < sizeof(test) / sizeof(test[0]); ++k)
			if (is_checked(raid_kernel_at(i)) && !fails_when_broken(raid_kernel_at(i), test[k])) {
				printf("test %u passes with a broken table of %s\n", k, raid_kernel_at(i)->name);
				rc = 1;
			}
	return rc;
}

int main(void)
{
	return run_all() != 0 || broken_kernels_fail() != 0;
}
