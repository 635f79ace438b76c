/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of a kernel, written once. The file of an instruction set defines the operations, includes this
 * once, and has its row by RAID_KERNEL_ROW.
 *
 *	ISA, TARGET		its name; the attribute its functions are compiled with
 *	vec, LOAD(p), STORE(p, v), XOR(a, b), OR(a, b), ZERO(), FILL(byte), IS_ZERO(v)
 *	XOR3(a, b, c)		may be left out
 *	split, SPLIT(v)		a vector made ready for products: once, for all rows
 *	SPLIT_IN(rows, v)	the same, in a loop with so many sums; may be left out
 *	factor, FACTOR(c)	a constant, a byte, made ready: once, for all vectors
 *	MUL_ADD(s, f, p)	s + the product of a split vector with a factor
 *	DOUBLE_ADD(v, d), BIAS	2 * v + d + 3 * BIAS; BIAS may be 0
 *	TIMES_POWER(v, n)	2^n * v, n <= 4, where that is less than a product; may be left out
 *	KEEP(v)			have it in a register here; may be left out
 *	VECS(rows)		vectors in flight per row: as many as the registers have room for
 *	PASS_TERMS(rows)	terms in a pass, at most; may be left out
 *	XOR_AHEAD		bytes that an XOR asks for ahead; may be left out
 *
 * Row 1 is summed from the last column down to the first: q = 2 * q + data. What is left at the end is a
 * factor of 2^(first column), one product.
 * The cheapest doubling may be one that adds a constant to the result. A vector that holds q + BIAS is
 * doubled by it to 2 * q + BIAS: the sum starts at BIAS, and ends by taking it away. */
#include "raid/gf.h"
#include "raid/kernel.h"

/* Left to itself GCC moves loads and products together that were written one after the other, and then is short of
 * registers: up to 1.3 times slower where blocks are solved. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-ter")
#endif

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAME(noun)  JOIN(noun, ISA)
#define INLINE	    static inline __attribute__((always_inline)) TARGET

#ifndef XOR3
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#endif
#ifndef SPLIT_IN
#define SPLIT_IN(rows, v) SPLIT(v)
#endif
#ifndef KEEP
#define KEEP(v) (void)(v)
#endif
#define MUL(f, p) MUL_ADD(ZERO(), f, p)

/* Sums must be in registers, so all loops over rows and vectors have to be unrolled. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

/* More terms are summed in several passes, over tiles that stay in the first caches: one pass reads from more
 * places than a CPU fetches ahead from. Up to 1.3 times faster with 24 columns. */
#ifndef PASS_TERMS
#define PASS_TERMS(rows) 8
#endif
#define TILE 4096

#define VECS_MAX 8
#define STEP(vecs) ((size_t)(vecs) * sizeof(vec))

/* END_PART: what some of the terms come to, for another pass to go on with. */
enum sum_end { END_STORE, END_CHECK, END_ADD, END_SOLVE, END_PART };

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
	const uint8_t (*before)[TILE]; /* of the tile: what the passes before have summed; NULL if there was none */
	uint8_t (*part)[TILE];	       /* of the tile: out of END_PART */
	unsigned gap;		       /* from the last column of this pass to the first of those before */
};

/* Some terms, and some bytes of all of them. */
struct range {
	const struct raid_term *term;
	unsigned terms;
	size_t from, to;
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

/* A sum that starts from its first term has nothing to add that to, which with few terms is much of the work: AVX2 makes
 * P+Q of 4 columns 1.15 times as fast, more levels 1.05 to 1.1; of 8 columns 1.01 to 1.05. */
INLINE void NAME(add_term)(const struct shape shape, const int starts, const struct raid_term *term, size_t at,
			   vec sum[][VECS_MAX])
{
	const int q = NAME(row_of_q)(shape);
	const int by_product = shape.kind == SUM_PQ ? 2 : shape.kind == SUM_Q ? 1 : 0; /* the first row that is */
	split part[VECS_MAX];

	UNROLL for (int k = 0; k < shape.vecs; ++k) {
		vec data = NAME(load_term)(shape, term, at + STEP(k));

		if (shape.kind == SUM_PQ)
			sum[0][k] = starts ? data : XOR(sum[0][k], data);
		if (q >= 0)
			sum[q][k] = starts ? XOR(data, FILL(BIAS)) : DOUBLE_ADD(sum[q][k], data);
		if (shape.rows > by_product)
			part[k] = SPLIT_IN(shape.rows, data);
	}
	UNROLL for (int r = by_product; r < shape.rows; ++r) {
		const factor by = FACTOR(term->coef[r]);

		UNROLL for (int k = 0; k < shape.vecs; ++k)
			sum[r][k] = MUL_ADD(starts ? ZERO() : sum[r][k], by, part[k]);
	}
}

/* Add a term all of whose coefficients are 1. */
INLINE void NAME(add_plain)(const struct shape shape, const struct raid_term *term, size_t at,
			    vec sum[][VECS_MAX])
{
	const int q = NAME(row_of_q)(shape);

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

/* What the passes before came to, Q doubled once per column since then. */
INLINE void NAME(go_on)(const struct shape shape, const struct target *target, size_t at, vec sum[][VECS_MAX])
{
	const int q = NAME(row_of_q)(shape);

	UNROLL for (int r = 0; r < shape.rows; ++r)
		UNROLL for (int k = 0; k < shape.vecs; ++k)
			sum[r][k] = LOAD(target->before[r] + at % TILE + STEP(k));
	if (q >= 0)
		UNROLL for (int k = 0; k < shape.vecs; ++k)
			for (unsigned gap = target->gap; gap > 1; --gap)
				sum[q][k] = DOUBLE_ADD(sum[q][k], ZERO());
}

/* What a sum starts from: nothing, or what the passes before came to. */
INLINE void NAME(start)(const struct shape shape, const struct target *target, size_t at, vec sum[][VECS_MAX])
{
	const int q = NAME(row_of_q)(shape);

	UNROLL for (int r = 0; r < shape.rows; ++r)
		UNROLL for (int k = 0; k < shape.vecs; ++k)
			sum[r][k] = ZERO();
	if (q >= 0)
		UNROLL for (int k = 0; k < shape.vecs; ++k)
			sum[q][k] = FILL(BIAS);
	if (target->before != NULL)
		NAME(go_on)(shape, target, at, sum);
}

/* Take BIAS away, and multiply by what is left: 2^(first column). */
INLINE void NAME(finish)(const struct shape shape, uint8_t shift, vec sum[][VECS_MAX])
{
	const int q = NAME(row_of_q)(shape);

	if (q < 0)
		return;
	UNROLL for (int k = 0; k < shape.vecs; ++k) {
		sum[q][k] = XOR(sum[q][k], FILL(BIAS));
#ifdef TIMES_POWER
		if (shift == 2 || shift == 4 || shift == 8 || shift == 16)
			sum[q][k] = TIMES_POWER(sum[q][k], __builtin_ctz(shift));
		else
#endif
		if (shift != 1)
			sum[q][k] = MUL(FACTOR(shift), SPLIT(sum[q][k]));
	}
}

/* Returns the rows that differ, if they are checked. */
INLINE unsigned NAME(sum_steps)(const struct shape shape, const struct range range, const struct target *to)
{
	const int q = shape.end == END_PART ? -1 : NAME(row_of_q)(shape);
	const uint8_t shift = q >= 0 && range.terms != 0 ? range.term[0].coef[q] : 1;
	const unsigned plain = q >= 0 && range.terms != 0 && shift == 1; /* column 0 */
	const struct raid_term *first = range.term + plain;
	const struct target copy = *to, *target = &copy; /* no store can change it, so it is not read again */
	vec differ[RAID_LEVEL_MAX];
	unsigned rows_differ = 0;

	UNROLL for (int r = 0; r < shape.rows; ++r)
		differ[r] = ZERO();
	for (size_t at = range.from; at < range.to; at += STEP(shape.vecs)) {
		const struct raid_term *term = range.term + range.terms;
		vec sum[RAID_LEVEL_MAX][VECS_MAX];

		if (term != first && target->before == NULL)
			NAME(add_term)(shape, 1, --term, at, sum);
		else
			NAME(start)(shape, target, at, sum);
		UNROLL for (int r = 0; r < shape.rows; ++r)
			UNROLL for (int k = 0; k < shape.vecs; ++k)
				KEEP(sum[r][k]);
		while (term != first)
			NAME(add_term)(shape, 0, --term, at, sum);
		if (plain)
			NAME(add_plain)(shape, range.term, at, sum);
		if (shape.end != END_PART)
			NAME(finish)(shape, shift, sum);
		if (shape.end == END_SOLVE) {
			NAME(solve_step)(shape, target, at, sum);
			continue;
		}
		UNROLL for (int r = 0; r < shape.rows; ++r)
			UNROLL for (int k = 0; k < shape.vecs; ++k) {
				uint8_t *place = shape.end == END_PART ? target->part[r] + at % TILE + STEP(k) :
									 target->out[r] + at + STEP(k);

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
INLINE unsigned NAME(sum_range)(const enum raid_sum_kind kind, const enum sum_end end, const int rows,
				const struct range range, const struct target *target)
{
	const struct shape wide = { kind, end, rows, VECS(rows) };
	const struct shape narrow = { kind, end, rows, sizeof(vec) < 64 ? (int)(64 / sizeof(vec)) : 1 };
	const size_t tail = 64 % STEP(wide.vecs) == 0 ? 0 : (range.to - range.from) % STEP(wide.vecs);
	const struct range most = { range.term, range.terms, range.from, range.to - tail };
	const struct range rest = { range.term, range.terms, range.to - tail, range.to };

	return NAME(sum_steps)(wide, most, target) | (tail == 0 ? 0 : NAME(sum_steps)(narrow, rest, target));
}

/* A function for each kind, end and number of rows: in one for all of them registers would be short. */
#define SUM(kind, end, rows) JOIN(NAME(kind), JOIN(end, rows))
#define DEFINE(kind, end, rows)                                                                             \
	TARGET static unsigned SUM(kind, end, rows)(const struct range range, const struct target *target)  \
	{                                                                                                   \
		return NAME(sum_range)(kind, end, rows, range, target);                                     \
	}
#define DEFINE_ROWS(kind, end)                                                                              \
	DEFINE(kind, end, 1)                                                                                \
	DEFINE(kind, end, 2)                                                                                \
	DEFINE(kind, end, 3)                                                                                \
	DEFINE(kind, end, 4)                                                                                \
	DEFINE(kind, end, 5)                                                                                \
	DEFINE(kind, end, 6)
#define DEFINE_KINDS(end)                                                                                   \
	DEFINE_ROWS(SUM_ANY, end)                                                                           \
	DEFINE_ROWS(SUM_PQ, end)                                                                            \
	DEFINE(SUM_Q, end, 1)
#define LIST_ROWS(kind, end)                                                                                \
	{                                                                                                   \
		SUM(kind, end, 1), SUM(kind, end, 2), SUM(kind, end, 3), SUM(kind, end, 4),                 \
		SUM(kind, end, 5), SUM(kind, end, 6),                                                       \
	}
#define LIST_KINDS(end)                                                                                     \
	[end] = {                                                                                           \
		[SUM_ANY] = LIST_ROWS(SUM_ANY, end), [SUM_PQ] = LIST_ROWS(SUM_PQ, end),                     \
		[SUM_Q] = { SUM(SUM_Q, end, 1) },                                                           \
	}

DEFINE_KINDS(END_STORE)
DEFINE_KINDS(END_CHECK)
DEFINE_KINDS(END_ADD)
DEFINE_KINDS(END_SOLVE)
DEFINE_KINDS(END_PART)

typedef unsigned NAME(sum_fn)(const struct range range, const struct target *target);

static NAME(sum_fn) *const NAME(sum_table)[END_PART + 1][SUM_Q + 1][RAID_LEVEL_MAX] = {
	LIST_KINDS(END_STORE), LIST_KINDS(END_CHECK), LIST_KINDS(END_ADD), LIST_KINDS(END_SOLVE), LIST_KINDS(END_PART),
};

/* How many of the last terms are summed in one pass: of consecutive columns where there is Q, as it is doubled
 * once per column. */
INLINE unsigned NAME(pass)(const struct raid_sum *sum, unsigned terms)
{
	const unsigned most = PASS_TERMS(sum->rows);
	unsigned run = 1;

	while (run < terms && (sum->kind == SUM_ANY || sum->term[terms - run - 1].gap == 1))
		++run;
	return run / ((run + most - 1) / most);
}

/* A tile at a time, and from the last terms to the first. What is added to is its own sum of the passes before. */
TARGET static unsigned NAME(sum_passes)(const enum sum_end end, const struct raid_sum *sum,
					const struct target *whole)
{
	const enum sum_end part_end = end == END_ADD ? END_ADD : END_PART;
	NAME(sum_fn) *const part_fn = NAME(sum_table)[part_end][sum->kind][sum->rows - 1];
	NAME(sum_fn) *const end_fn = NAME(sum_table)[end][sum->kind][sum->rows - 1];
	uint8_t part[RAID_LEVEL_MAX][TILE] __attribute__((aligned(64)));
	unsigned differ = 0;

	for (size_t from = 0; from < sum->size; from += TILE) {
		struct range range = { .from = from, .to = sum->size - from < TILE ? sum->size : from + TILE };
		struct target target = *whole;
		unsigned left = sum->terms;

		target.part = part;
		while ((range.terms = NAME(pass)(sum, left)) != left) {
			left -= range.terms;
			range.term = sum->term + left;
			part_fn(range, &target);
			target.before = end == END_ADD ? NULL : (const uint8_t(*)[TILE])part;
			target.gap = sum->term[left - 1].gap;
		}
		range.term = sum->term;
		differ |= end_fn(range, &target);
	}
	return differ;
}

INLINE unsigned NAME(sum)(const enum sum_end end, const struct raid_sum *sum, const struct target *target)
{
	const struct range all = { sum->term, sum->terms, 0, sum->size };

	if (sum->terms != 0 && NAME(pass)(sum, sum->terms) != sum->terms)
		return NAME(sum_passes)(end, sum, target);
	return NAME(sum_table)[end][sum->kind][sum->rows - 1](all, target);
}

TARGET static void NAME(store)(const struct raid_sum *sum, uint8_t *const *out)
{
	const struct target target = { .out = out };

	NAME(sum)(END_STORE, sum, &target);
}

/* The cast is safe: what is checked is not stored to. */
TARGET static unsigned NAME(check)(const struct raid_sum *sum, const uint8_t *const *stored)
{
	const struct target target = { .out = (uint8_t *const *)stored };

	return NAME(sum)(END_CHECK, sum, &target);
}

/* One term: nothing to sum, and all there is to know of it stays in registers. 1.5 to 2 times faster than the general
 * loop, and the case that matters: one disk has changed. `plain` is 1 if the first coefficient is 1, else 0. */
INLINE void NAME(add_single)(const int rows, const int plain, const struct raid_sum *sum, uint8_t *const *out)
{
	const uint8_t *in = sum->term[0].in, *old = sum->term[0].old;
	const size_t size = sum->size;
	factor by[RAID_LEVEL_MAX];
	uint8_t *place[RAID_LEVEL_MAX];

	UNROLL for (int r = 0; r < rows; ++r) {
		by[r] = FACTOR(sum->term[0].coef[r]);
		place[r] = out[r];
	}
	for (size_t at = 0; at < size; at += 64)
		UNROLL for (int k = 0; k < (int)(64 / sizeof(vec)); ++k) {
			const size_t to = at + STEP(k);
			vec data = LOAD(in + to);
			split part;

			if (old != NULL)
				data = XOR(data, LOAD(old + to));
			part = SPLIT(data);

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
		NAME(sum)(END_ADD, sum, &target);
}

TARGET static void NAME(solve)(const struct raid_sum *sum, const struct matrix *inverse,
			       const uint8_t *const *parity, uint8_t *const *out)
{
	const struct target target = { .out = out, .inverse = inverse, .parity = parity };

	NAME(sum)(END_SOLVE, sum, &target);
}

#ifndef XOR_AHEAD
#define XOR_AHEAD 0
#endif

/* One pass over [from, to) with the number of sources known: all pointers are in registers. Bytes `ahead` of it are asked
 * for, unless it is 0. A negative offset, that ends at 0, is as fast as this one with steps of 64 bytes: SSE2, AVX2 and
 * AVX-512 on a Zen 4, 2 to 8 blocks of 4 KiB and 256 KiB, 0.98 to 1.02; 2 of 4 KiB 1.06 (AVX2) and 0.86 (AVX-512). */
INLINE void NAME(xor_pass)(const int count, const int ahead, const uint8_t *const *in, size_t from, size_t to,
			   uint8_t *out)
{
	const uint8_t *source[5];

	UNROLL for (int i = 0; i < count; ++i)
		source[i] = in[i];
	for (size_t at = from; at < to; at += 64) {
		if (ahead != 0)
			UNROLL for (int i = 0; i < count; ++i)
				__builtin_prefetch(source[i] + at + ahead);
		UNROLL for (size_t k = at; k < at + 64; k += sizeof(vec)) {
			vec sum = LOAD(source[0] + k);

			if (count % 2 == 0)
				sum = XOR(sum, LOAD(source[1] + k));
			UNROLL for (int i = count % 2 == 0 ? 2 : 1; i < count; i += 2)
				sum = XOR3(sum, LOAD(source[i] + k), LOAD(source[i + 1] + k));
			STORE(out + k, sum);
		}
	}
}

INLINE void NAME(xor_up_to_5)(unsigned count, const int ahead, const uint8_t *const *in, size_t from, size_t to,
			      uint8_t *out)
{
	switch (count) {
	case 1:
		NAME(xor_pass)(1, ahead, in, from, to, out);
		break;
	case 2:
		NAME(xor_pass)(2, ahead, in, from, to, out);
		break;
	case 3:
		NAME(xor_pass)(3, ahead, in, from, to, out);
		break;
	case 4:
		NAME(xor_pass)(4, ahead, in, from, to, out);
		break;
	default:
		NAME(xor_pass)(5, ahead, in, from, to, out);
		break;
	}
}

/* Passes of 2 to 5 sources over a tile that stays in the first cache. */
INLINE void NAME(xor_tiles)(const int ahead, unsigned count, const uint8_t *const *in, size_t size, uint8_t *out)
{
	const unsigned first = count <= 5 ? count : 2 + (count - 2) % 4; /* so that fours are left */

	for (size_t from = 0; from < size; from += TILE) {
		size_t to = size - from < TILE ? size : from + TILE;

		NAME(xor_up_to_5)(first, ahead, in, from, to, out);
		for (unsigned i = first; i < count; i += 4) {
			const uint8_t *const source[5] = { in[i], in[i + 1], in[i + 2], in[i + 3], out };

			NAME(xor_pass)(5, ahead, source, from, to, out);
		}
	}
}

/* What is asked for ahead is only of use where blocks do not stay in the first cache, and where they are so few that the
 * CPU leaves something to be asked for. */
TARGET static void NAME(sum_up)(unsigned count, const uint8_t *const *in, size_t size, uint8_t *out)
{
	if (XOR_AHEAD != 0 && size > TILE && count <= 8)
		NAME(xor_tiles)(XOR_AHEAD, count, in, size, out);
	else
		NAME(xor_tiles)(0, count, in, size, out);
}

#define RAID_KERNEL_ROW(text, features)                                                                     \
	{                                                                                                   \
		.name = text, .needs = features, .store = NAME(store), .check = NAME(check),                \
		.add = NAME(add), .solve = NAME(solve), .sum_up = NAME(sum_up),                             \
	}
