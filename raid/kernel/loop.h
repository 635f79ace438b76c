/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of a kernel, written once. The file of an instruction set defines the operations, includes this
 * once, and has its row by RAID_KERNEL_ROW.
 *
 *	ISA, TARGET		its name; the attribute its functions are compiled with
 *	vec, LOAD(p), STORE(p, v), XOR(a, b), OR(a, b), ZERO(), FILL(byte), IS_ZERO(v)
 *	split, SPLIT(v)		a vector made ready for products: once, for all rows
 *	MUL(f, s)		the product of a split vector with a constant, f its struct gf_factor
 *	DOUBLE(v), BIAS		2 * v + 3 * BIAS; BIAS may be 0
 *
 * Row 1 is summed from the last column down to the first: q = 2 * q + data, for column 0 does not double.
 * The cheapest doubling may be one that adds a constant to the result. A vector that holds q + BIAS is
 * doubled by it to 2 * q + BIAS: the sum starts at BIAS, and ends by taking it away. */
#include "raid/gf.h"
#include "raid/kernel.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAME(noun)  JOIN(noun, ISA)
#define INLINE	    static inline __attribute__((always_inline)) TARGET

/* Sums must be in registers, so all loops over rows and vectors have to be unrolled. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#define VECS_MAX 4
#define STEP(vecs) ((size_t)(vecs) * sizeof(vec))

/* What a sum is of, and what to do with it. Constants, once inlined. */
struct shape {
	int rows;
	int pq;	   /* rows 0 and 1 by XOR and doubling */
	int check; /* compare, do not store */
	int vecs;  /* in flight per row: as many as the registers have room for */
};

INLINE void NAME(add_term)(const struct shape shape, const struct raid_term *term, size_t at,
			   vec sum[][VECS_MAX])
{
	const int by_product = shape.pq ? 2 : 0; /* the first row that is */
	split part[VECS_MAX];

	UNROLL for (int k = 0; k < shape.vecs; ++k) {
		vec data = LOAD(term->in + at + STEP(k));

		if (shape.pq)
			sum[0][k] = XOR(sum[0][k], data);
		if (shape.pq && shape.rows > 1)
			sum[1][k] = XOR(sum[1][k], data);
		if (shape.rows > by_product)
			part[k] = SPLIT(data);
	}
	if (shape.pq && shape.rows > 1)
		for (unsigned gap = term->gap; gap != 0; --gap)
			UNROLL for (int k = 0; k < shape.vecs; ++k)
				sum[1][k] = DOUBLE(sum[1][k]);
	UNROLL for (int r = by_product; r < shape.rows; ++r) {
		const struct gf_factor *factor = &gf_factor[term->coef[r]];

		UNROLL for (int k = 0; k < shape.vecs; ++k)
			sum[r][k] = XOR(sum[r][k], MUL(factor, part[k]));
	}
}

/* Add a term all of whose coefficients are 1. */
INLINE void NAME(add_plain)(const struct shape shape, const struct raid_term *term, size_t at,
			    vec sum[][VECS_MAX])
{
	UNROLL for (int k = 0; k < shape.vecs; ++k) {
		vec data = LOAD(term->in + at + STEP(k));

		UNROLL for (int r = 0; r < shape.rows; ++r)
			sum[r][k] = XOR(sum[r][k], data);
	}
}

/* The bytes [from, to) of all rows. Returns the rows that differ, if they are checked. */
INLINE unsigned NAME(sum_range)(const struct shape shape, const struct raid_term *term, unsigned terms,
				size_t from, size_t to, uint8_t *const *out)
{
	const unsigned plain = shape.pq && terms != 0 && term[0].gap == 0; /* column 0 */
	const vec bias = FILL(BIAS);
	vec differ[RAID_LEVEL_MAX];
	unsigned rows_differ = 0;

	UNROLL for (int r = 0; r < shape.rows; ++r)
		differ[r] = ZERO();
	for (size_t at = from; at < to; at += STEP(shape.vecs)) {
		vec sum[RAID_LEVEL_MAX][VECS_MAX];

		UNROLL for (int r = 0; r < shape.rows; ++r)
			UNROLL for (int k = 0; k < shape.vecs; ++k)
				sum[r][k] = shape.pq && r == 1 ? bias : ZERO();
		for (unsigned i = terms; i-- > plain;)
			NAME(add_term)(shape, &term[i], at, sum);
		if (plain)
			NAME(add_plain)(shape, &term[0], at, sum);
		UNROLL for (int r = 0; r < shape.rows; ++r)
			UNROLL for (int k = 0; k < shape.vecs; ++k) {
				uint8_t *place = out[r] + at + STEP(k);
				vec result = shape.pq && r == 1 ? XOR(sum[r][k], bias) : sum[r][k];

				if (shape.check)
					differ[r] = OR(differ[r], XOR(result, LOAD(place)));
				else
					STORE(place, result);
			}
	}
	UNROLL for (int r = 0; r < shape.rows; ++r)
		rows_differ |= (unsigned)!IS_ZERO(differ[r]) << r;
	return rows_differ;
}

/* 128 bytes a step for one row pays off in loads of the terms; 6 rows of one vector fill the registers. */
INLINE unsigned NAME(sum)(const int rows, const int pq, const int check, const struct raid_term *term,
			  unsigned terms, size_t size, uint8_t *const *out)
{
	const struct shape wide = { rows, pq, check, rows == 1 ? 4 : rows <= 4 ? 2 : 1 };
	const struct shape narrow = { rows, pq, check, 1 };
	const size_t tail = size % STEP(wide.vecs);

	return NAME(sum_range)(wide, term, terms, 0, size - tail, out) |
	       NAME(sum_range)(narrow, term, terms, size - tail, size, out);
}

INLINE unsigned NAME(sum_rows)(unsigned rows, const int pq, const int check, const struct raid_term *term,
			       unsigned terms, size_t size, uint8_t *const *out)
{
	switch (rows) {
	case 1:
		return NAME(sum)(1, pq, check, term, terms, size, out);
	case 2:
		return NAME(sum)(2, pq, check, term, terms, size, out);
	case 3:
		return NAME(sum)(3, pq, check, term, terms, size, out);
	case 4:
		return NAME(sum)(4, pq, check, term, terms, size, out);
	case 5:
		return NAME(sum)(5, pq, check, term, terms, size, out);
	default:
		return NAME(sum)(6, pq, check, term, terms, size, out);
	}
}

TARGET static void NAME(dot)(unsigned rows, const struct raid_term *term, unsigned terms, size_t size,
			     uint8_t *const *out)
{
	NAME(sum_rows)(rows, 0, 0, term, terms, size, out);
}

TARGET static void NAME(pq)(unsigned rows, const struct raid_term *term, unsigned terms, size_t size,
			    uint8_t *const *out)
{
	NAME(sum_rows)(rows, 1, 0, term, terms, size, out);
}

/* The casts are safe: what is checked is not stored to. */
TARGET static unsigned NAME(dot_check)(unsigned rows, const struct raid_term *term, unsigned terms,
				       size_t size, const uint8_t *const *out)
{
	return NAME(sum_rows)(rows, 0, 1, term, terms, size, (uint8_t *const *)out);
}

TARGET static unsigned NAME(pq_check)(unsigned rows, const struct raid_term *term, unsigned terms,
				      size_t size, const uint8_t *const *out)
{
	return NAME(sum_rows)(rows, 1, 1, term, terms, size, (uint8_t *const *)out);
}

/* A row at a time, so that its tables stay in registers; its copy of them cannot alias what is stored. */
TARGET static void NAME(mad)(unsigned rows, const uint8_t *coef, size_t size, const uint8_t *in,
			     uint8_t *const *out)
{
	for (unsigned r = 0; r < rows; ++r) {
		const struct gf_factor factor = gf_factor[coef[r]];
		uint8_t *place = out[r];

		for (size_t at = 0; at < size; at += sizeof(vec)) {
			split part = SPLIT(LOAD(in + at));

			STORE(place + at, XOR(LOAD(place + at), MUL(&factor, part)));
		}
	}
}

#define RAID_KERNEL_ROW(text, features)                                                                     \
	{                                                                                                   \
		.name = text, .needs = features, .dot = NAME(dot), .pq = NAME(pq),                          \
		.dot_check = NAME(dot_check), .pq_check = NAME(pq_check), .mad = NAME(mad),                 \
	}
