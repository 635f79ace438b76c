/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which blocks of a stripe are wrong.
 *
 * A set of wrong blocks, data columns L and levels W, is a hypothesis: all the others are right. As many of
 * the trusted levels as L has columns determine L; call them U. Then the parity of each level that is left, S,
 * must be right. With G = A[U][L] and H = A[S][L] * G^-1, where L is solved and put in,
 *
 *	parity[S] = sum over d not in L of (A[S][d] + H * A[U][d]) * data[d]  +  H * parity[U]
 *
 * which is one check of a sum, with nothing solved and nothing stored. */
#include <assert.h>
#include <string.h>

#include "raid/choose.h"
#include "raid/code.h"
#include "raid/gf.h"
#include "raid/matrix.h"

/* A wrong hypothesis mostly fails at once where the stripe is wrong, so that is looked at first. */
#define SLICE 4096

struct stripe {
	const struct raid_code *code;
	unsigned levels;
	unsigned columns;
	size_t size;
	const uint8_t *const *data;
	const uint8_t *const *parity;
	size_t wrong_at; /* the first slice that is not consistent */
};

struct hypothesis {
	unsigned lost[RAID_LEVEL_MAX], losts;	  /* columns */
	unsigned use[RAID_LEVEL_MAX];		  /* levels, as many, that determine them */
	unsigned spare[RAID_LEVEL_MAX], spares;	  /* levels left to tell */
};

static void hypothesis_split(struct hypothesis *h, const struct stripe *stripe, const unsigned *set, unsigned size)
{
	unsigned levels_wrong = 0, used = 0;

	memset(h, 0, sizeof(*h));
	for (unsigned i = 0; i < size; ++i)
		if (set[i] < stripe->columns)
			h->lost[h->losts++] = set[i];
		else
			levels_wrong |= 1u << (set[i] - stripe->columns);
	for (unsigned l = 0; l < stripe->levels; ++l)
		if (levels_wrong & (1u << l))
			continue;
		else if (used < h->losts)
			h->use[used++] = l;
		else
			h->spare[h->spares++] = l;
}

/* H of above: h->spares by h->losts. */
static void hypothesis_matrix(const struct hypothesis *h, const struct raid_code *code, struct matrix *product)
{
	struct matrix part = { 0 }, inverse;
	int rc;

	for (unsigned i = 0; i < h->losts; ++i)
		for (unsigned j = 0; j < h->losts; ++j)
			part.at[i][j] = code->coef[h->lost[j]][h->use[i]];
	rc = matrix_invert(h->losts, &part, &inverse);
	assert(rc == 0);
	(void)rc;
	memset(product, 0, sizeof(*product));
	for (unsigned s = 0; s < h->spares; ++s)
		for (unsigned i = 0; i < h->losts; ++i)
			for (unsigned j = 0; j < h->losts; ++j)
				product->at[s][i] ^= gf_mul(code->coef[h->lost[j]][h->spare[s]], inverse.at[j][i]);
}

static void terms_fill(const struct stripe *stripe, const struct hypothesis *h, struct raid_term *term,
		       unsigned *terms)
{
	struct matrix product;

	hypothesis_matrix(h, stripe->code, &product);
	*terms = 0;
	for (unsigned d = 0; d < stripe->columns; ++d) {
		const uint8_t *coef = stripe->code->coef[d];
		struct raid_term *one = &term[*terms];
		int lost = 0;

		for (unsigned i = 0; i < h->losts; ++i)
			lost |= h->lost[i] == d;
		if (lost || stripe->data[d] == NULL)
			continue;
		memset(one, 0, sizeof(*one));
		one->in = stripe->data[d];
		for (unsigned s = 0; s < h->spares; ++s) {
			one->coef[s] = coef[h->spare[s]];
			for (unsigned i = 0; i < h->losts; ++i)
				one->coef[s] ^= gf_mul(product.at[s][i], coef[h->use[i]]);
		}
		++*terms;
	}
	for (unsigned i = 0; i < h->losts; ++i) {
		struct raid_term *one = &term[(*terms)++];

		memset(one, 0, sizeof(*one));
		one->in = stripe->parity[h->use[i]];
		for (unsigned s = 0; s < h->spares; ++s)
			one->coef[s] = product.at[s][i];
	}
}

static unsigned slice_check(const struct stripe *stripe, const struct hypothesis *h, struct raid_term *term,
			    unsigned terms, size_t at, size_t size)
{
	const struct raid_sum sum = {
		.kind = SUM_ANY, .rows = h->spares, .terms = terms, .term = term, .size = size,
	};
	const uint8_t *stored[RAID_LEVEL_MAX];
	unsigned differ;

	for (unsigned s = 0; s < h->spares; ++s)
		stored[s] = stripe->parity[h->spare[s]] + at;
	for (unsigned i = 0; i < terms; ++i)
		term[i].in += at;
	differ = raid_kernel(RAID_VERIFY)->check(&sum, stored);
	for (unsigned i = 0; i < terms; ++i)
		term[i].in -= at;
	return differ;
}

/* Do the blocks of the set, all others being right, explain the stripe? */
static int set_explains(const struct stripe *stripe, const unsigned *set, unsigned size)
{
	struct raid_term term[RAID_TERM_MAX];
	struct hypothesis h;
	size_t first;
	unsigned terms;

	for (unsigned i = 0; i < size; ++i)
		if (set[i] < stripe->columns && stripe->data[set[i]] == NULL)
			return 0;
	hypothesis_split(&h, stripe, set, size);
	terms_fill(stripe, &h, term, &terms);
	first = stripe->size - stripe->wrong_at < SLICE ? stripe->size - stripe->wrong_at : SLICE;
	return slice_check(stripe, &h, term, terms, stripe->wrong_at, first) == 0 &&
	       slice_check(stripe, &h, term, terms, stripe->wrong_at, stripe->size - stripe->wrong_at) == 0;
}

/* The next set of the same size, in lexicographic order; 0 if it was the last. */
static int set_next(unsigned *set, unsigned size, unsigned all)
{
	unsigned i = size;

	while (i > 0 && set[i - 1] == all - size + i - 1)
		--i;
	if (i == 0)
		return 0;
	++set[i - 1];
	for (; i < size; ++i)
		set[i] = set[i - 1] + 1;
	return 1;
}

/* The sets of a size that explain the stripe: 0, 1, or 2 for several. The first is kept in `wrong`. */
static unsigned sets_try(const struct stripe *stripe, unsigned size, unsigned *wrong)
{
	unsigned set[RAID_LEVEL_MAX] = { 0, 1, 2, 3, 4, 5 };
	unsigned all = stripe->columns + stripe->levels;
	unsigned found = 0;

	if (size > all)
		return 0;
	do
		if (set_explains(stripe, set, size)) {
			if (found++ == 1)
				break;
			memcpy(wrong, set, size * sizeof(set[0]));
		}
	while (set_next(set, size, all));
	return found;
}

/* Up to there, data and parity agree. */
static size_t find_wrong(const struct raid_code *code, const struct stripe *stripe)
{
	const void *data[RAID_COLUMN_MAX], *parity[RAID_LEVEL_MAX];

	for (size_t at = 0; at < stripe->size; at += SLICE) {
		size_t size = stripe->size - at < SLICE ? stripe->size - at : SLICE;

		for (unsigned d = 0; d < stripe->columns; ++d)
			data[d] = stripe->data[d] != NULL ? stripe->data[d] + at : NULL;
		for (unsigned l = 0; l < stripe->levels; ++l)
			parity[l] = stripe->parity[l] + at;
		if (raid_verify(code, stripe->levels, stripe->columns, size, data, parity) != 0)
			return at;
	}
	return stripe->size;
}

int raid_scan(const struct raid_code *code, unsigned levels, unsigned columns, size_t size,
	      const void *const *data, const void *const *parity, unsigned wrong[RAID_LEVEL_MAX], int *unique)
{
	struct stripe stripe = {
		.code = code, .levels = levels, .columns = columns, .size = size,
		.data = (const uint8_t *const *)data, .parity = (const uint8_t *const *)parity,
	};

	assert(levels <= code->levels && columns <= RAID_COLUMN_MAX);
	*unique = 1;
	stripe.wrong_at = find_wrong(code, &stripe);
	if (stripe.wrong_at == size)
		return 0;
	for (unsigned count = 1; count < levels; ++count) {
		unsigned found = sets_try(&stripe, count, wrong);

		*unique = found == 1;
		if (found != 0)
			return (int)count;
	}
	return -1;
}
