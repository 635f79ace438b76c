/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/kernel.h"

#include <string.h>

#include "raid/gf.h"

/* A row per instruction set. */
static const struct raid_kernel *const kernel_table[] = {
#if defined(__x86_64__) || defined(RAID_SIMDE)
	&raid_kernel_gfni512,
	&raid_kernel_gfni,
	&raid_kernel_avx512,
	&raid_kernel_avx2,
	&raid_kernel_ssse3,
	&raid_kernel_sse2,
#endif
#if defined(__aarch64__)
	&raid_kernel_sve,
	&raid_kernel_neon,
#endif
	&raid_kernel_scalar,
};

const struct raid_kernel *raid_kernel_at(unsigned i)
{
	return i < sizeof(kernel_table) / sizeof(kernel_table[0]) ? kernel_table[i] : NULL;
}

/* The probe: every constant times every byte, and then each function with a few columns. */
#define PROBE_SIZE  320 /* all bytes; not a multiple of what a step of any kernel takes */
#define PROBE_TERMS 43	/* by 6 rows: all constants */
#define PROBE_FEW   5

struct probe {
	uint8_t in[PROBE_TERMS][PROBE_SIZE] __attribute__((aligned(64)));
	uint8_t expected[RAID_LEVEL_MAX][PROBE_SIZE] __attribute__((aligned(64)));
	uint8_t found[RAID_LEVEL_MAX][PROBE_SIZE] __attribute__((aligned(64)));
	struct raid_term term[PROBE_TERMS];
	uint8_t *expected_row[RAID_LEVEL_MAX];
	uint8_t *found_row[RAID_LEVEL_MAX];
};

static void probe_start(struct probe *probe)
{
	memset(probe, 0, sizeof(*probe));
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r) {
		probe->expected_row[r] = probe->expected[r];
		probe->found_row[r] = probe->found[r];
	}
	for (unsigned i = 0; i < PROBE_TERMS; ++i) {
		for (unsigned k = 0; k < PROBE_SIZE; ++k)
			probe->in[i][k] = (uint8_t)(k * 167 + i * 89);
		probe->term[i].in = probe->in[i];
	}
}

/* Columns with gaps from `first` on, which may be 0, as kernels may treat column 0 apart. */
static void probe_columns(struct probe *probe, unsigned first, enum raid_sum_kind kind)
{
	unsigned column = first;

	for (unsigned i = 0; i < PROBE_FEW; ++i) {
		struct raid_term *term = &probe->term[i];

		term->old = i % 3 == 1 ? probe->in[i - 1] : NULL;
		for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
			term->coef[r] = gf_power(column * (kind == SUM_Q ? r + 1 : r));
		term->gap = i == PROBE_FEW - 1 ? 0 : (uint8_t)(1 + i % 3);
		column += term->gap;
	}
}

static int probe_same(const struct probe *probe)
{
	return memcmp(probe->expected, probe->found, sizeof(probe->found)) == 0;
}

/* A check must find nothing in the right result, and the row and byte in which it is wrong. */
static int probe_check(struct probe *probe, const struct raid_kernel *kernel, const struct raid_sum *sum)
{
	const uint8_t *row[RAID_LEVEL_MAX];
	unsigned wrong;

	for (unsigned r = 0; r < sum->rows; ++r)
		row[r] = probe->expected_row[r];
	if (kernel->check(sum, row) != 0)
		return 0;
	for (unsigned r = 0; r < sum->rows; ++r) {
		unsigned at = PROBE_SIZE - 1 - 40 * r;

		probe->expected[r][at] ^= 0x80;
		wrong = kernel->check(sum, row);
		probe->expected[r][at] ^= 0x80;
		if (wrong != 1u << r)
			return 0;
	}
	return 1;
}

/* Any matrix will do, if in SUM_PQ its columns add up to that of the sum of all results. */
static void probe_solve(struct probe *probe, const struct raid_kernel *kernel, const struct raid_sum *sum,
			uint8_t *const *out)
{
	const uint8_t *parity[RAID_LEVEL_MAX];
	struct matrix matrix;

	memset(&matrix, 0, sizeof(matrix));
	for (unsigned j = 0; j < sum->rows; ++j) {
		uint8_t rest = sum->kind == SUM_PQ && j == 0;

		parity[j] = probe->in[j];
		for (unsigned i = 0; i + 1 < sum->rows; ++i) {
			matrix.at[i][j] = gf_power(17 * i + 29 * j + 3);
			rest ^= matrix.at[i][j];
		}
		matrix.at[sum->rows - 1][j] = sum->kind == SUM_PQ ? rest : gf_power(31 * j + 5);
	}
	kernel->solve(sum, &matrix, parity, out);
}

static int probe_sum(struct probe *probe, const struct raid_kernel *kernel, const struct raid_sum *sum)
{
	raid_kernel_scalar.store(sum, probe->expected_row);
	kernel->store(sum, probe->found_row);
	if (!probe_same(probe) || !probe_check(probe, kernel, sum))
		return 0;
	raid_kernel_scalar.add(sum, probe->expected_row);
	kernel->add(sum, probe->found_row);
	if (!probe_same(probe))
		return 0;
	probe_solve(probe, &raid_kernel_scalar, sum, probe->expected_row);
	probe_solve(probe, kernel, sum, probe->found_row);
	return probe_same(probe);
}

/* Every product, against that by logarithms: a wrong entry of a table is not shared by both. */
static int probe_products(struct probe *probe, const struct raid_kernel *kernel)
{
	const struct raid_sum sum = {
		.kind = SUM_ANY, .rows = RAID_LEVEL_MAX, .terms = PROBE_TERMS, .term = probe->term, .size = PROBE_SIZE,
	};

	for (unsigned i = 0; i < PROBE_TERMS; ++i)
		for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r) {
			uint8_t coef = (uint8_t)(RAID_LEVEL_MAX * i + r);

			probe->term[i].coef[r] = coef;
			for (unsigned k = 0; k < PROBE_SIZE; ++k)
				probe->expected[r][k] ^= gf_mul(coef, probe->in[i][k]);
		}
	kernel->store(&sum, probe->found_row);
	return probe_same(probe);
}

static int probe_xor(struct probe *probe, const struct raid_kernel *kernel)
{
	const uint8_t *in[12];

	for (unsigned count = 1; count < 12; ++count) {
		for (unsigned i = 0; i < count; ++i)
			in[i] = probe->in[i];
		raid_kernel_scalar.sum_up(count, in, PROBE_SIZE, probe->expected[0]);
		kernel->sum_up(count, in, PROBE_SIZE, probe->found[0]);
		if (!probe_same(probe))
			return 0;
		in[0] = probe->expected[0];
		raid_kernel_scalar.sum_up(count, in, PROBE_SIZE, probe->expected[0]);
		in[0] = probe->found[0];
		kernel->sum_up(count, in, PROBE_SIZE, probe->found[0]);
		if (!probe_same(probe))
			return 0;
	}
	return 1;
}

int raid_kernel_agrees(const struct raid_kernel *kernel)
{
	struct probe probe;

	gf_init();
	probe_start(&probe);
	if (!probe_products(&probe, kernel) || !probe_xor(&probe, kernel))
		return 0;
	for (unsigned kind = SUM_ANY; kind <= SUM_Q; ++kind)
		for (unsigned first = 0; first <= 2; first += 2) {
			probe_start(&probe);
			probe_columns(&probe, first, (enum raid_sum_kind)kind);
			for (unsigned rows = 1; rows <= (kind == SUM_Q ? 1 : RAID_LEVEL_MAX); ++rows) {
				const struct raid_sum sum = {
					.kind = (enum raid_sum_kind)kind, .rows = rows, .terms = PROBE_FEW,
					.term = probe.term, .size = PROBE_SIZE,
				};

				if (!probe_sum(&probe, kernel, &sum))
					return 0;
			}
		}
	return 1;
}
