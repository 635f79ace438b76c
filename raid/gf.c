/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/gf.h"

#include <assert.h>
#include <pthread.h>

#define POLYNOMIAL 0x11d
#define ORDER      255 /* of the element 2 */

struct gf_factor gf_factor[256];
uint64_t gf_affine[256];

static uint8_t power_table[2 * ORDER]; /* twice around, so that a sum of two logarithms needs no modulo */
static uint8_t log_table[256];         /* [0] is not used */

/* Column j of the matrix is c * 2^j. */
static uint64_t affine_matrix(uint8_t c)
{
	uint64_t matrix = 0;

	for (unsigned j = 0; j < 8; ++j) {
		unsigned column = gf_mul(c, (uint8_t)(1u << j));

		for (unsigned i = 0; i < 8; ++i)
			matrix |= (uint64_t)(column >> i & 1) << (8 * (7 - i) + j);
	}
	return matrix;
}

static void fill_tables(void)
{
	unsigned power = 1;

	for (unsigned n = 0; n < ORDER; ++n) {
		power_table[n] = (uint8_t)power;
		power_table[n + ORDER] = (uint8_t)power;
		log_table[power] = (uint8_t)n;
		power <<= 1;
		if (power & 0x100)
			power ^= POLYNOMIAL;
	}
	for (unsigned c = 0; c < 256; ++c) {
		gf_affine[c] = affine_matrix((uint8_t)c);
		for (unsigned i = 0; i < 16; ++i) {
			gf_factor[c].nibble[0][i] = gf_mul((uint8_t)c, (uint8_t)i);
			gf_factor[c].nibble[1][i] = gf_mul((uint8_t)c, (uint8_t)(i << 4));
		}
	}
}

void gf_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fill_tables);
}

uint8_t gf_mul(uint8_t a, uint8_t b)
{
	return a == 0 || b == 0 ? 0 : power_table[log_table[a] + log_table[b]];
}

uint8_t gf_inv(uint8_t a)
{
	assert(a != 0);
	return power_table[ORDER - log_table[a]];
}

uint8_t gf_power(unsigned n)
{
	return power_table[n % ORDER];
}
