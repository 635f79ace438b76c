/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of a kernel, written once. The file of an instruction set defines the operations, includes this
 * once, and has its row by RAID_KERNEL_ROW.
 *
 *	ISA, TARGET		its name; the attribute its functions are compiled with
 *	vec, LOAD(p), STORE(p, v), XOR(a, b), OR(a, b), ZERO(), FILL(byte), IS_ZERO(v)
 *	XOR3(a, b, c)		may be left out
 *	split, SPLIT(v)		a vector made ready for products: once, for all rows
 *	factor, FACTOR(c)	a constant, a byte, made ready: once, for all vectors
 *	MUL_ADD(s, f, p)	s + the product of a split vector with a factor
 *	DOUBLE_ADD(v, d), BIAS	2 * v + d + 3 * BIAS; BIAS may be 0
 *	VECS(rows)		vectors in flight per row: as many as the registers have room for
 *
 * Row 1 is summed from the last column down to the first: q = 2 * q + data. What is left at the end is a
 * factor of 2^(first column), one product.
 * The cheapest doubling may be one that adds a constant to the result. A vector that holds q + BIAS is
 * doubled by it to 2 * q + BIAS: the sum starts at BIAS, and ends by taking it away. */
#include "raid/gf.h"
#include "raid/kernel.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAME(noun)  JOIN(noun, ISA)
#define INLINE	    static inline __attribute__((always_inline)) TARGET

#ifndef XOR3
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#endif
#define MUL(f, p) MUL_ADD(ZERO(), f, p)

/* Sums must be in registers, so all loops over rows and vectors have to be unrolled. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#define VECS_MAX 8
#define STEP(vecs) ((size_t)(vecs) * sizeof(vec))

enum sum_end { END_STORE, END_CHECK, END_ADD, END_SOLVE };

/* What a sum is of, and what becomes of it. Constants, once inlined. */
struct shape {
	enum raid_sum_kind kind;
	enum sum_end end;
	int rows;
	int vecs;
};

/* Where results go to, and what they are made of besides the sum. */
struct target {
	uint8_t *const *out;
	const struct matrix *inverse;
	const uint8_t *const *parity;
};

INLINE int NAME(row_of_q)(const struct shape shape)
{
	int row = shape.kind == SUM_PQ ? 1 : shape.kind == SUM_Q ? 0 : RAID_LEVEL_MAX;

	return row < shape.rows ? row : -1;
}

INLINE vec NAME(load_term)(const struct shape shape, const struct raid_term *term, size_t at)
{
	vec data = LOAD(term->in + at);

	return shape.end == END_ADD && term->old != NULL ? XOR(data, LOAD(term->old + at)) : data;
}

INLINE void NAME(add_term)(const struct shape shape, const struct raid_term *term, size_t at,
			   vec sum[][VECS_MAX])
{
	const int q = NAME(row_of_q)(shape);
	const int by_product = shape.kind == SUM_PQ ? 2 : shape.kind == SUM_Q ? 1 : 0; /* the first row that is */
	split part[VECS_MAX];

	if (q >= 0)
		for (unsigned gap = term->gap; gap > 1; --gap)
			UNROLL for (int k = 0; k < shape.vecs; ++k)
				sum[q][k] = DOUBLE_ADD(sum[q][k], ZERO());
	UNROLL for (int k = 0; k < shape.vecs; ++k) {
		vec data = NAME(load_term)(shape, term, at + STEP(k));

		if (shape.kind == SUM_PQ)
			sum[0][k] = XOR(sum[0][k], data);
		if (q >= 0)
			sum[q][k] = DOUBLE_ADD(sum[q][k], data);
		if (shape.rows > by_product)
			part[k] = SPLIT(data);
	}
	UNROLL for (int r = by_product; r < shape.rows; ++r) {
		const factor by = FACTOR(term->coef[r]);

		UNROLL for (int k = 0; k < shape.vecs; ++k)
			sum[r][k] = MUL_ADD(sum[r][k], by, part[k]);
	}
}

/* Add a term all of whose coefficients are 1. */
INLINE void NAME(add_plain)(const struct shape shape, const struct raid_term *term, size_t at,
			    vec sum[][VECS_MAX])
{
	const int q = NAME(row_of_q)(shape);

	for (unsigned gap = term->gap; gap > 1; --gap)
		UNROLL for (int k = 0; k < shape.vecs; ++k)
			sum[q][k] = DOUBLE_ADD(sum[q][k], ZERO());
	UNROLL for (int k = 0; k < shape.vecs; ++k) {
		vec data = NAME(load_term)(shape, term, at + STEP(k));

		UNROLL for (int r = 0; r < shape.rows; ++r)
			sum[r][k] = r == q ? DOUBLE_ADD(sum[r][k], data) : XOR(sum[r][k], data);
	}
}

/* The lost blocks from what parity has more than the sum. */
INLINE void NAME(solve_step)(const struct shape shape, const struct target *target, size_t at,
			     vec sum[][VECS_MAX])
{
	const int by_product = shape.kind == SUM_PQ ? shape.rows - 1 : shape.rows;

	UNROLL for (int k = 0; k < shape.vecs; ++k) {
		split part[RAID_LEVEL_MAX];
		vec rest = XOR(sum[0][k], LOAD(target->parity[0] + at + STEP(k)));

		part[0] = SPLIT(rest);
		UNROLL for (int r = 1; r < shape.rows; ++r)
			part[r] = SPLIT(XOR(sum[r][k], LOAD(target->parity[r] + at + STEP(k))));
		UNROLL for (int i = 0; i < by_product; ++i) {
			vec lost = ZERO();

			UNROLL for (int r = 0; r < shape.rows; ++r)
				lost = MUL_ADD(lost, FACTOR(target->inverse->at[i][r]), part[r]);
			STORE(target->out[i] + at + STEP(k), lost);
			rest = XOR(rest, lost);
		}
		if (by_product < shape.rows)
			STORE(target->out[by_product] + at + STEP(k), rest);
	}
}

/* The bytes [from, to) of all rows. Returns the rows that differ, if they are checked. */
INLINE unsigned NAME(sum_range)(const struct shape shape, const struct raid_term *term, unsigned terms,
				size_t from, size_t to, const struct target *target)
{
	const int q = NAME(row_of_q)(shape);
	const uint8_t shift = q >= 0 && terms != 0 ? term[0].coef[q] : 1; /* 2^(first column) */
	const unsigned plain = q >= 0 && terms != 0 && shift == 1;	  /* column 0 */
	const vec bias = FILL(BIAS);
	vec differ[RAID_LEVEL_MAX];
	unsigned rows_differ = 0;

	UNROLL for (int r = 0; r < shape.rows; ++r)
		differ[r] = ZERO();
	for (size_t at = from; at < to; at += STEP(shape.vecs)) {
		vec sum[RAID_LEVEL_MAX][VECS_MAX];

		UNROLL for (int r = 0; r < shape.rows; ++r)
			UNROLL for (int k = 0; k < shape.vecs; ++k)
				sum[r][k] = r == q ? bias : ZERO();
		for (unsigned i = terms; i-- > plain;)
			NAME(add_term)(shape, &term[i], at, sum);
		if (plain)
			NAME(add_plain)(shape, &term[0], at, sum);
		if (q >= 0)
			UNROLL for (int k = 0; k < shape.vecs; ++k) {
				sum[q][k] = XOR(sum[q][k], bias);
				if (shift != 1)
					sum[q][k] = MUL(FACTOR(shift), SPLIT(sum[q][k]));
			}
		if (shape.end == END_SOLVE) {
			NAME(solve_step)(shape, target, at, sum);
			continue;
		}
		UNROLL for (int r = 0; r < shape.rows; ++r)
			UNROLL for (int k = 0; k < shape.vecs; ++k) {
				uint8_t *place = target->out[r] + at + STEP(k);

				if (shape.end == END_CHECK)
					differ[r] = OR(differ[r], XOR(sum[r][k], LOAD(place)));
				else if (shape.end == END_ADD)
					STORE(place, XOR(sum[r][k], LOAD(place)));
				else
					STORE(place, sum[r][k]);
			}
	}
	UNROLL for (int r = 0; r < shape.rows; ++r)
		rows_differ |= (unsigned)!IS_ZERO(differ[r]) << r;
	return rows_differ;
}

/* Steps as wide as there are registers for; what is left is done in steps of 64 bytes. */
INLINE unsigned NAME(sum)(const enum raid_sum_kind kind, const enum sum_end end, const int rows,
			  const struct raid_sum *sum, const struct target *target)
{
	const struct shape wide = { kind, end, rows, VECS(rows) };
	const struct shape narrow = { kind, end, rows, sizeof(vec) < 64 ? (int)(64 / sizeof(vec)) : 1 };
	const size_t tail = 64 % STEP(wide.vecs) == 0 ? 0 : sum->size % STEP(wide.vecs);

	return NAME(sum_range)(wide, sum->term, sum->terms, 0, sum->size - tail, target) |
	       (tail == 0 ? 0 : NAME(sum_range)(narrow, sum->term, sum->terms, sum->size - tail, sum->size, target));
}

INLINE unsigned NAME(sum_rows)(const enum raid_sum_kind kind, const enum sum_end end,
			       const struct raid_sum *sum, const struct target *target)
{
	switch (kind == SUM_Q ? 1 : sum->rows) {
	case 1:
		return NAME(sum)(kind, end, 1, sum, target);
	case 2:
		return NAME(sum)(kind, end, 2, sum, target);
	case 3:
		return NAME(sum)(kind, end, 3, sum, target);
	case 4:
		return NAME(sum)(kind, end, 4, sum, target);
	case 5:
		return NAME(sum)(kind, end, 5, sum, target);
	default:
		return NAME(sum)(kind, end, 6, sum, target);
	}
}

INLINE unsigned NAME(sum_kind)(const enum sum_end end, const struct raid_sum *sum, const struct target *target)
{
	if (sum->kind == SUM_PQ)
		return NAME(sum_rows)(SUM_PQ, end, sum, target);
	if (sum->kind == SUM_Q)
		return NAME(sum_rows)(SUM_Q, end, sum, target);
	return NAME(sum_rows)(SUM_ANY, end, sum, target);
}

TARGET static void NAME(store)(const struct raid_sum *sum, uint8_t *const *out)
{
	const struct target target = { .out = out };

	NAME(sum_kind)(END_STORE, sum, &target);
}

/* The cast is safe: what is checked is not stored to. */
TARGET static unsigned NAME(check)(const struct raid_sum *sum, const uint8_t *const *stored)
{
	const struct target target = { .out = (uint8_t *const *)stored };

	return NAME(sum_kind)(END_CHECK, sum, &target);
}

/* One term: nothing to sum, and the factors can stay in registers. 1.5 to 2 times faster than the general loop,
 * and the case that matters: one disk has changed. `plain` is 1 if the first coefficient is 1, else 0. */
INLINE void NAME(add_single)(const int rows, const int plain, const struct raid_sum *sum, uint8_t *const *out)
{
	const struct shape shape = { .end = END_ADD };
	const struct raid_term *term = &sum->term[0];
	factor by[RAID_LEVEL_MAX];
	uint8_t *place[RAID_LEVEL_MAX];

	UNROLL for (int r = 0; r < rows; ++r) {
		by[r] = FACTOR(term->coef[r]);
		place[r] = out[r];
	}
	for (size_t at = 0; at < sum->size; at += 64)
		UNROLL for (int k = 0; k < (int)(64 / sizeof(vec)); ++k) {
			const size_t to = at + STEP(k);
			vec data = NAME(load_term)(shape, term, to);
			split part = SPLIT(data);

			UNROLL for (int r = 0; r < rows; ++r) {
				vec was = LOAD(place[r] + to);

				STORE(place[r] + to, r < plain ? XOR(was, data) : MUL_ADD(was, by[r], part));
			}
		}
}

INLINE void NAME(add_single_rows)(const int plain, const struct raid_sum *sum, uint8_t *const *out)
{
	switch (sum->rows) {
	case 1:
		NAME(add_single)(1, plain, sum, out);
		break;
	case 2:
		NAME(add_single)(2, plain, sum, out);
		break;
	case 3:
		NAME(add_single)(3, plain, sum, out);
		break;
	case 4:
		NAME(add_single)(4, plain, sum, out);
		break;
	case 5:
		NAME(add_single)(5, plain, sum, out);
		break;
	default:
		NAME(add_single)(6, plain, sum, out);
		break;
	}
}

TARGET static void NAME(add)(const struct raid_sum *sum, uint8_t *const *out)
{
	const struct target target = { .out = out };

	if (sum->terms == 1 && sum->kind == SUM_PQ)
		NAME(add_single_rows)(1, sum, out);
	else if (sum->terms == 1)
		NAME(add_single_rows)(0, sum, out);
	else
		NAME(sum_kind)(END_ADD, sum, &target);
}

TARGET static void NAME(solve)(const struct raid_sum *sum, const struct matrix *inverse,
			       const uint8_t *const *parity, uint8_t *const *out)
{
	const struct target target = { .out = out, .inverse = inverse, .parity = parity };

	NAME(sum_kind)(END_SOLVE, sum, &target);
}

/* One pass over [from, to) with the number of sources known: all pointers are in registers. */
INLINE void NAME(xor_pass)(const int count, const uint8_t *const *in, size_t from, size_t to, uint8_t *out)
{
	const uint8_t *source[5];

	UNROLL for (int i = 0; i < count; ++i)
		source[i] = in[i];
	for (size_t at = from; at < to; at += 64)
		UNROLL for (size_t k = at; k < at + 64; k += sizeof(vec)) {
			vec sum = LOAD(source[0] + k);

			if (count % 2 == 0)
				sum = XOR(sum, LOAD(source[1] + k));
			UNROLL for (int i = count % 2 == 0 ? 2 : 1; i < count; i += 2)
				sum = XOR3(sum, LOAD(source[i] + k), LOAD(source[i + 1] + k));
			STORE(out + k, sum);
		}
}

INLINE void NAME(xor_up_to_5)(unsigned count, const uint8_t *const *in, size_t from, size_t to, uint8_t *out)
{
	switch (count) {
	case 1:
		NAME(xor_pass)(1, in, from, to, out);
		break;
	case 2:
		NAME(xor_pass)(2, in, from, to, out);
		break;
	case 3:
		NAME(xor_pass)(3, in, from, to, out);
		break;
	case 4:
		NAME(xor_pass)(4, in, from, to, out);
		break;
	default:
		NAME(xor_pass)(5, in, from, to, out);
		break;
	}
}

/* Passes of 2 to 5 sources over a tile that stays in the first cache. */
TARGET static void NAME(sum_up)(unsigned count, const uint8_t *const *in, size_t size, uint8_t *out)
{
	const size_t tile = 4096;
	const unsigned first = count <= 5 ? count : 2 + (count - 2) % 4; /* so that fours are left */

	for (size_t from = 0; from < size; from += tile) {
		size_t to = size - from < tile ? size : from + tile;

		NAME(xor_up_to_5)(first, in, from, to, out);
		for (unsigned i = first; i < count; i += 4) {
			const uint8_t *const source[5] = { out, in[i], in[i + 1], in[i + 2], in[i + 3] };

			NAME(xor_pass)(5, source, from, to, out);
		}
	}
}

#define RAID_KERNEL_ROW(text, features)                                                                     \
	{                                                                                                   \
		.name = text, .needs = features, .store = NAME(store), .check = NAME(check),                \
		.add = NAME(add), .solve = NAME(solve), .sum_up = NAME(sum_up),                             \
	}
