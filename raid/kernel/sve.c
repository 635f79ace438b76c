/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SVE: vectors of 128 to 2048 bits; one loop for all, as the length is known when it runs.
 *
 * Vectors of unknown size cannot be in an array, so loop.h is no help: here rows are variables, one vector
 * each, and those beyond the number of rows are no code. The tables of a product are the 16 bytes of NEON, in
 * each 128 bits of a vector; TBL looks up in the whole vector, of which only the first 16 bytes are meant. */
#if defined(__aarch64__)

#pragma GCC push_options
#pragma GCC target("+sve")
#include <arm_sve.h>
#pragma GCC pop_options

#include "raid/cpu.h"
#include "raid/gf.h"
#include "raid/kernel.h"

#define TARGET __attribute__((target("+sve")))
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef svuint8_t vec;

#define XOR(a, b) sveor_u8_x(all, a, b)

enum sum_end { END_STORE, END_CHECK, END_ADD, END_SOLVE };

/* c * v, of the two halves of the bytes */
INLINE vec product(svbool_t all, uint8_t c, vec low, vec high)
{
	const uint8_t(*table)[16] = gf_factor[c].nibble;

	return XOR(svtbl_u8(svld1rq_u8(all, table[0]), low), svtbl_u8(svld1rq_u8(all, table[1]), high));
}

INLINE vec multiply(svbool_t all, uint8_t c, vec v)
{
	return product(all, c, svand_n_u8_x(all, v, 15), svlsr_n_u8_x(all, v, 4));
}

INLINE vec twice(svbool_t all, vec v)
{
	vec top = svreinterpret_u8_s8(svasr_n_s8_x(all, svreinterpret_s8_u8(v), 7));

	return XOR(svlsl_n_u8_x(all, v, 1), svand_n_u8_x(all, top, 0x1d));
}

/* Do it for the rows there are. */
#define EACH_ROW(DO)          \
	do {                  \
		DO(0);        \
		if (rows > 1) \
			DO(1);\
		if (rows > 2) \
			DO(2);\
		if (rows > 3) \
			DO(3);\
		if (rows > 4) \
			DO(4);\
		if (rows > 5) \
			DO(5);\
	} while (0)

/* One vector of all rows, its bytes being those of `all` from `at` on. Returns the rows that differ. */
INLINE unsigned sum_vector(const enum raid_sum_kind kind, const enum sum_end end, const int rows,
			   const struct raid_sum *sum, size_t at, svbool_t all, const struct matrix *inverse,
			   const uint8_t *const *parity, uint8_t *const *out)
{
	const int q = kind == SUM_PQ && rows > 1 ? 1 : kind == SUM_Q ? 0 : -1;
	const uint8_t factor = q >= 0 && sum->terms != 0 ? sum->term[0].coef[q] : 1;
	vec s0 = svdup_n_u8(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0;
	vec rest;
	unsigned differ = 0;

	for (unsigned i = sum->terms; i-- > 0;) {
		const struct raid_term *term = &sum->term[i];
		vec data = svld1_u8(all, term->in + at), low, high;

		if (end == END_ADD && term->old != NULL)
			data = XOR(data, svld1_u8(all, term->old + at));
		low = svand_n_u8_x(all, data, 15);
		high = svlsr_n_u8_x(all, data, 4);
#define ADD_TERM(r)                                                                                         \
	do {                                                                                                \
		if ((r) == q) {                                                                             \
			for (unsigned gap = term->gap; gap > 0; --gap)                                      \
				s##r = twice(all, s##r);                                                    \
			s##r = XOR(s##r, data);                                                             \
		} else if ((r) == 0 && kind == SUM_PQ) {                                                    \
			s##r = XOR(s##r, data);                                                             \
		} else {                                                                                    \
			s##r = XOR(s##r, product(all, term->coef[r], low, high));                           \
		}                                                                                           \
	} while (0)
		EACH_ROW(ADD_TERM);
	}
	if (factor != 1 && q == 0)
		s0 = multiply(all, factor, s0);
	if (factor != 1 && q == 1)
		s1 = multiply(all, factor, s1);

#define END_TERM(r)                                                                                         \
	do {                                                                                                \
		if (end == END_CHECK)                                                                       \
			differ |= (unsigned)svptest_any(all, svcmpne_u8(all, s##r, svld1_u8(all, out[r] + at))) << (r); \
		else if (end == END_ADD)                                                                    \
			svst1_u8(all, out[r] + at, XOR(s##r, svld1_u8(all, out[r] + at)));                  \
		else if (end == END_STORE)                                                                  \
			svst1_u8(all, out[r] + at, s##r);                                                   \
		else                                                                                        \
			s##r = XOR(s##r, svld1_u8(all, parity[r] + at));                                    \
	} while (0)
	EACH_ROW(END_TERM);
	if (end != END_SOLVE)
		return differ;

	rest = s0;
	for (int i = 0; i < rows; ++i) {
		vec lost = svdup_n_u8(0);

		if (kind == SUM_PQ && i == rows - 1) {
			svst1_u8(all, out[i] + at, rest);
			break;
		}
#define SOLVE_TERM(r) lost = XOR(lost, multiply(all, inverse->at[i][r], s##r))
		EACH_ROW(SOLVE_TERM);
		svst1_u8(all, out[i] + at, lost);
		rest = XOR(rest, lost);
	}
	return 0;
}

INLINE unsigned sum_rows(const enum raid_sum_kind kind, const enum sum_end end, const int rows,
			 const struct raid_sum *sum, const struct matrix *inverse, const uint8_t *const *parity,
			 uint8_t *const *out)
{
	unsigned differ = 0;

	for (size_t at = 0; at < sum->size; at += svcntb())
		differ |= sum_vector(kind, end, rows, sum, at, svwhilelt_b8_u64(at, sum->size), inverse, parity, out);
	return differ;
}

INLINE unsigned sum_kind(const enum raid_sum_kind kind, const enum sum_end end, const struct raid_sum *sum,
			 const struct matrix *inverse, const uint8_t *const *parity, uint8_t *const *out)
{
	switch (kind == SUM_Q ? 1 : sum->rows) {
	case 1:
		return sum_rows(kind, end, 1, sum, inverse, parity, out);
	case 2:
		return sum_rows(kind, end, 2, sum, inverse, parity, out);
	case 3:
		return sum_rows(kind, end, 3, sum, inverse, parity, out);
	case 4:
		return sum_rows(kind, end, 4, sum, inverse, parity, out);
	case 5:
		return sum_rows(kind, end, 5, sum, inverse, parity, out);
	default:
		return sum_rows(kind, end, 6, sum, inverse, parity, out);
	}
}

INLINE unsigned sum_end(const enum sum_end end, const struct raid_sum *sum, const struct matrix *inverse,
			const uint8_t *const *parity, uint8_t *const *out)
{
	if (sum->kind == SUM_PQ)
		return sum_kind(SUM_PQ, end, sum, inverse, parity, out);
	if (sum->kind == SUM_Q)
		return sum_kind(SUM_Q, end, sum, inverse, parity, out);
	return sum_kind(SUM_ANY, end, sum, inverse, parity, out);
}

TARGET static void store(const struct raid_sum *sum, uint8_t *const *out)
{
	sum_end(END_STORE, sum, NULL, NULL, out);
}

TARGET static unsigned check(const struct raid_sum *sum, const uint8_t *const *stored)
{
	return sum_end(END_CHECK, sum, NULL, NULL, (uint8_t *const *)stored);
}

TARGET static void add(const struct raid_sum *sum, uint8_t *const *out)
{
	sum_end(END_ADD, sum, NULL, NULL, out);
}

TARGET static void solve(const struct raid_sum *sum, const struct matrix *inverse, const uint8_t *const *parity,
			 uint8_t *const *out)
{
	sum_end(END_SOLVE, sum, inverse, parity, out);
}

TARGET static void sum_up(unsigned count, const uint8_t *const *in, size_t size, uint8_t *out)
{
	for (size_t at = 0; at < size; at += svcntb()) {
		const svbool_t all = svwhilelt_b8_u64(at, size);
		vec sum = svld1_u8(all, in[0] + at);

		for (unsigned i = 1; i < count; ++i)
			sum = XOR(sum, svld1_u8(all, in[i] + at));
		svst1_u8(all, out + at, sum);
	}
}

const struct raid_kernel raid_kernel_sve = {
	.name = "sve", .needs = CPU_SVE, .store = store, .check = check, .add = add, .solve = solve, .sum_up = sum_up,
};

#else
typedef int raid_kernel_sve_is_for_arm; /* a file must not be empty */
#endif
