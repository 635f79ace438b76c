/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/kernel.h"

#include <pthread.h>
#include <string.h>

#include "raid/cpu.h"
#include "raid/gf.h"

/* A row per instruction set, the fastest first. */
static const struct raid_kernel *const kernel_table[] = {
#if defined(__x86_64__)
	&raid_kernel_avx2,
	&raid_kernel_ssse3,
#endif
	&raid_kernel_scalar,
};

static const struct raid_kernel *kernel_chosen;

/* The probe: every byte in each term, and close to 100 columns. */
#define PROBE_SIZE  320 /* not a multiple of what a step of any kernel takes */
#define PROBE_TERMS 48

struct probe {
	uint8_t in[PROBE_TERMS][PROBE_SIZE] __attribute__((aligned(64)));
	uint8_t expected[RAID_LEVEL_MAX][PROBE_SIZE] __attribute__((aligned(64)));
	uint8_t found[RAID_LEVEL_MAX][PROBE_SIZE] __attribute__((aligned(64)));
	struct raid_term term[PROBE_TERMS];
	uint8_t *expected_row[RAID_LEVEL_MAX];
	uint8_t *found_row[RAID_LEVEL_MAX];
};

/* Columns with gaps; the first is 0 or `first`, as kernels may treat column 0 apart. */
static void probe_fill(struct probe *probe, unsigned first)
{
	unsigned column = first;

	memset(probe->expected, 0, sizeof(probe->expected));
	memset(probe->found, 0, sizeof(probe->found));
	for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r) {
		probe->expected_row[r] = probe->expected[r];
		probe->found_row[r] = probe->found[r];
	}
	for (unsigned i = 0; i < PROBE_TERMS; ++i) {
		struct raid_term *term = &probe->term[i];

		for (unsigned k = 0; k < PROBE_SIZE; ++k)
			probe->in[i][k] = (uint8_t)(k * 167 + i * 89);
		term->in = probe->in[i];
		term->gap = (uint8_t)(i == 0 ? first : 1 + i % 3);
		column += i == 0 ? 0 : term->gap;
		for (unsigned r = 0; r < RAID_LEVEL_MAX; ++r)
			term->coef[r] = gf_power(column * r);
	}
}

static int probe_same(const struct probe *probe)
{
	return memcmp(probe->expected, probe->found, sizeof(probe->found)) == 0;
}

/* A check must find nothing in the right result, and the row and byte in which it is wrong. */
static int probe_check(struct probe *probe, unsigned rows, raid_check_fn *check)
{
	const uint8_t *row[RAID_LEVEL_MAX];
	unsigned wrong;

	for (unsigned r = 0; r < rows; ++r)
		row[r] = probe->expected_row[r];
	if (check(rows, probe->term, PROBE_TERMS, PROBE_SIZE, row) != 0)
		return 0;
	for (unsigned r = 0; r < rows; ++r) {
		unsigned at = PROBE_SIZE - 1 - 40 * r;

		probe->expected[r][at] ^= 0x80;
		wrong = check(rows, probe->term, PROBE_TERMS, PROBE_SIZE, row);
		probe->expected[r][at] ^= 0x80;
		if (wrong != 1u << r)
			return 0;
	}
	return 1;
}

static int probe_rows(struct probe *probe, const struct raid_kernel *kernel, unsigned rows)
{
	const struct raid_term *last = &probe->term[PROBE_TERMS - 1];

	raid_kernel_scalar.dot(rows, probe->term, PROBE_TERMS, PROBE_SIZE, probe->expected_row);
	kernel->dot(rows, probe->term, PROBE_TERMS, PROBE_SIZE, probe->found_row);
	if (!probe_same(probe) || !probe_check(probe, rows, kernel->dot_check))
		return 0;

	memset(probe->found, 0xff, rows * sizeof(probe->found[0]));
	kernel->pq(rows, probe->term, PROBE_TERMS, PROBE_SIZE, probe->found_row);
	if (!probe_same(probe) || !probe_check(probe, rows, kernel->pq_check))
		return 0;

	raid_kernel_scalar.mad(rows, last->coef, PROBE_SIZE, last->in, probe->expected_row);
	kernel->mad(rows, last->coef, PROBE_SIZE, last->in, probe->found_row);
	return probe_same(probe);
}

int raid_kernel_agrees(const struct raid_kernel *kernel)
{
	struct probe probe;

	gf_init();
	for (unsigned first = 0; first <= 2; first += 2) {
		probe_fill(&probe, first);
		for (unsigned rows = 1; rows <= RAID_LEVEL_MAX; ++rows)
			if (!probe_rows(&probe, kernel, rows))
				return 0;
	}
	return 1;
}

static void kernel_choose(void)
{
	unsigned i = 0;

	gf_init();
	while (kernel_table[i] != &raid_kernel_scalar &&
	       ((kernel_table[i]->needs & ~cpu_features()) != 0 || !raid_kernel_agrees(kernel_table[i])))
		++i;
	kernel_chosen = kernel_table[i];
}

const struct raid_kernel *raid_kernel(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, kernel_choose);
	return kernel_chosen;
}

const struct raid_kernel *raid_kernel_at(unsigned i)
{
	return i < sizeof(kernel_table) / sizeof(kernel_table[0]) ? kernel_table[i] : NULL;
}
