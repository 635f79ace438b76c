/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every call gathers what it sums into terms, leaves out columns that are zeros, and calls the kernel. */
#include "raid/raid.h"

#include <assert.h>
#include <string.h>

#include "raid/code.h"
#include "raid/kernel.h"
#include "raid/matrix.h"

/* The levels a call is about: those that are not NULL. */
struct rows {
	unsigned count;
	unsigned level[RAID_LEVEL_MAX];
	uint8_t *at[RAID_LEVEL_MAX];
};

static void rows_gather(struct rows *rows, const struct raid_code *code, unsigned levels,
			const void *const *parity)
{
	assert(levels <= code->levels);
	rows->count = 0;
	for (unsigned l = 0; l < levels; ++l) {
		if (parity[l] == NULL)
			continue;
		rows->level[rows->count] = l;
		rows->at[rows->count] = (uint8_t *)(uintptr_t)parity[l];
		++rows->count;
	}
}

struct terms {
	unsigned count;
	unsigned column; /* of the last term */
	struct raid_term term[RAID_TERM_MAX];
};

static void terms_gather(struct terms *terms, const struct raid_code *code, const struct rows *rows,
			 unsigned columns, const void *const *data)
{
	assert(columns <= RAID_COLUMN_MAX);
	terms->count = 0;
	terms->column = 0;
	for (unsigned d = 0; d < columns; ++d) {
		struct raid_term *term = &terms->term[terms->count];

		if (data[d] == NULL)
			continue;
		term->in = data[d];
		for (unsigned r = 0; r < rows->count; ++r)
			term->coef[r] = code->coef[d][rows->level[r]];
		term->gap = (uint8_t)(d - terms->column);
		terms->column = d;
		++terms->count;
	}
}

/* Rows 0 and 1 are levels 0 and 1, and there are not so many empty columns that stepping over them by
 * doubling costs more than products. */
static int sum_is_pq(const struct rows *rows, const struct terms *terms)
{
	if (rows->level[0] != 0 || (rows->count > 1 && rows->level[1] != 1))
		return 0;
	return rows->count == 1 || terms->column < 2 * terms->count + 2;
}

void raid_encode(const struct raid_code *code, unsigned levels, unsigned columns, size_t size,
		 const void *const *data, void *const *parity)
{
	const struct raid_kernel *kernel = raid_kernel();
	struct rows rows;
	struct terms terms;

	rows_gather(&rows, code, levels, (const void *const *)parity);
	if (rows.count == 0)
		return;
	terms_gather(&terms, code, &rows, columns, data);
	if (sum_is_pq(&rows, &terms))
		kernel->pq(rows.count, terms.term, terms.count, size, rows.at);
	else
		kernel->dot(rows.count, terms.term, terms.count, size, rows.at);
}

void raid_update(const struct raid_code *code, unsigned levels, unsigned column, size_t size,
		 const void *delta, void *const *parity)
{
	uint8_t coef[RAID_LEVEL_MAX];
	struct rows rows;

	assert(column < RAID_COLUMN_MAX);
	rows_gather(&rows, code, levels, (const void *const *)parity);
	for (unsigned r = 0; r < rows.count; ++r)
		coef[r] = code->coef[column][rows.level[r]];
	raid_kernel()->mad(rows.count, coef, size, delta, rows.at);
}

/* With G the part of the matrix at the lost columns and the levels in use, and E the sums over the columns
 * that are left,
 *
 *	parity = E + G * lost		lost = G^-1 * (parity + E)
 *
 * so that a lost column is a sum over parity and columns left, with the coefficients of each multiplied by
 * G^-1 beforehand: no buffer is needed but those of the result. */
static int solve_matrix(const struct raid_code *code, unsigned count, const unsigned *lost,
			const unsigned *use, struct matrix *inverse)
{
	struct matrix part = { 0 };

	for (unsigned j = 0; j < count; ++j)
		for (unsigned i = 0; i < count; ++i)
			part.at[j][i] = raid_coefficient(code, use[j], lost[i]);
	return matrix_invert(count, &part, inverse);
}

int raid_solve(const struct raid_code *code, unsigned columns, size_t size, unsigned count,
	       const unsigned *lost, const unsigned *use, void *const *data, const void *const *parity)
{
	const void *left[RAID_COLUMN_MAX] = { NULL };
	struct matrix inverse;
	struct rows rows = { .count = count };
	struct terms terms;

	if (count > code->levels || solve_matrix(code, count, lost, use, &inverse) < 0)
		return -1;
	if (count == 0)
		return 0;

	assert(columns <= RAID_COLUMN_MAX);
	for (unsigned d = 0; d < columns; ++d)
		left[d] = data[d];
	for (unsigned i = 0; i < count; ++i) {
		left[lost[i]] = NULL;
		rows.level[i] = use[i];
		rows.at[i] = data[lost[i]];
	}
	terms_gather(&terms, code, &rows, columns, left);
	for (unsigned j = 0; j < count; ++j) {
		struct raid_term *term = &terms.term[terms.count++];

		memset(term, 0, sizeof(*term));
		term->in = parity[use[j]];
		term->coef[j] = 1;
	}

	/* Level 0 alone: all coefficients are 1. */
	if (count == 1 && use[0] == 0) {
		raid_kernel()->pq(1, terms.term, terms.count, size, rows.at);
		return 0;
	}
	for (unsigned i = 0; i < terms.count; ++i) {
		uint8_t coef[RAID_LEVEL_MAX];

		memcpy(coef, terms.term[i].coef, sizeof(coef));
		matrix_apply(count, &inverse, coef, terms.term[i].coef);
	}
	raid_kernel()->dot(count, terms.term, terms.count, size, rows.at);
	return 0;
}

unsigned raid_verify(const struct raid_code *code, unsigned levels, unsigned columns, size_t size,
		     const void *const *data, const void *const *parity)
{
	const struct raid_kernel *kernel = raid_kernel();
	const uint8_t *const *stored;
	struct rows rows;
	struct terms terms;
	unsigned found;
	unsigned differ = 0;

	rows_gather(&rows, code, levels, parity);
	if (rows.count == 0)
		return 0;
	terms_gather(&terms, code, &rows, columns, data);
	stored = (const uint8_t *const *)rows.at;
	if (sum_is_pq(&rows, &terms))
		found = kernel->pq_check(rows.count, terms.term, terms.count, size, stored);
	else
		found = kernel->dot_check(rows.count, terms.term, terms.count, size, stored);
	for (unsigned r = 0; r < rows.count; ++r)
		differ |= ((found >> r) & 1) << rows.level[r];
	return differ;
}

const char *raid_kernel_name(void)
{
	return raid_kernel()->name;
}
