/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CRC is a polynomial over GF(2), of degree below 32, modulo the one of CRC-32C. Reflected: bit 31 stands
 * for x^0, bit 0 for x^31. A byte more multiplies by x^8; this is linear, so a table of 256 products gives
 * the effect of each byte, and tables for bytes 1 to 7 places earlier let eight go at once.
 *
 * The SSE4.2 instruction takes eight bytes too, but must wait three cycles for its own result. Three parts
 * of the buffer therefore run side by side and are joined: crc(A B) = crc(A) * x^(8 |B|) + crc(B), the factor
 * again by a table, for parts of one fixed size. */
#include "base/crc32c.h"

#include <pthread.h>

#include "base/le.h"
#include "raid/cpu.h"

#define POLYNOMIAL	UINT32_C(0x82f63b78)
#define X0		UINT32_C(0x80000000)
#define X8		UINT32_C(0x00800000)
#define PART		((size_t)2048)

typedef uint32_t crc_fn(uint32_t crc, const uint8_t *data, size_t size);	/* without the inversions */

static struct {
	uint32_t byte[8][256];	/* [k][b]: byte b with k bytes after it */
	uint32_t part[4][256];	/* [k][b]: byte k of a CRC, with PART bytes after it */
} table;
static crc_fn *chosen;

static uint32_t multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (uint32_t bit = X0; bit != 0; bit >>= 1) {
		if ((a & bit) != 0)
			product ^= b;
		b = (b & 1) != 0 ? b >> 1 ^ POLYNOMIAL : b >> 1;
	}
	return product;
}

static uint32_t crc_portable(uint32_t crc, const uint8_t *data, size_t size)
{
	for (; size >= 8; size -= 8, data += 8) {
		uint32_t a = le32_load(data) ^ crc, b = le32_load(data + 4);

		crc = table.byte[7][a & 255] ^ table.byte[6][a >> 8 & 255] ^ table.byte[5][a >> 16 & 255] ^
		      table.byte[4][a >> 24] ^ table.byte[3][b & 255] ^ table.byte[2][b >> 8 & 255] ^
		      table.byte[1][b >> 16 & 255] ^ table.byte[0][b >> 24];
	}
	for (; size > 0; --size, ++data)
		crc = crc >> 8 ^ table.byte[0][(crc ^ *data) & 255];
	return crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

static uint64_t append_part(uint64_t crc, uint64_t crc_of_part)
{
	return table.part[0][crc & 255] ^ table.part[1][crc >> 8 & 255] ^ table.part[2][crc >> 16 & 255] ^
	       table.part[3][crc >> 24] ^ crc_of_part;
}

__attribute__((target("sse4.2")))
static uint32_t crc_sse42(uint32_t crc, const uint8_t *data, size_t size)
{
	uint64_t a = crc;

	for (; size >= 3 * PART; size -= 3 * PART, data += 3 * PART) {
		uint64_t b = 0, c = 0;

		for (size_t i = 0; i < PART; i += 8) {
			a = _mm_crc32_u64(a, le64_load(data + i));
			b = _mm_crc32_u64(b, le64_load(data + PART + i));
			c = _mm_crc32_u64(c, le64_load(data + 2 * PART + i));
		}
		a = append_part(append_part(a, b), c);
	}
	for (; size >= 8; size -= 8, data += 8)
		a = _mm_crc32_u64(a, le64_load(data));
	for (; size > 0; --size, ++data)
		a = _mm_crc32_u8((uint32_t)a, *data);
	return (uint32_t)a;
}
#endif

static void prepare(void)
{
	uint32_t x_part = X0;

	for (size_t i = 0; i < PART; ++i)
		x_part = multiply(x_part, X8);
	for (uint32_t b = 0; b < 256; ++b) {
		uint32_t product = b;

		for (unsigned k = 0; k < 8; ++k) {
			product = multiply(product, X8);
			table.byte[k][b] = product;
		}
		for (unsigned k = 0; k < 4; ++k)
			table.part[k][b] = multiply(b << 8 * k, x_part);
	}
	chosen = crc_portable;
#if defined(__x86_64__)
	/* Taken only if it agrees, and the tables serve as a probe of all its parts. */
	if ((cpu_features() & CPU_SSE42) != 0 &&
	    crc_sse42(1, (const uint8_t *)&table, sizeof(table) - 3) ==
		    crc_portable(1, (const uint8_t *)&table, sizeof(table) - 3))
		chosen = crc_sse42;
#endif
}

static crc_fn *chosen_kernel(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare);
	return chosen;
}

uint32_t crc32c(uint32_t crc, const void *data, size_t size)
{
	return ~chosen_kernel()(~crc, data, size);
}

const char *crc32c_kernel_name(void)
{
	return chosen_kernel() == crc_portable ? "portable" : "sse42";
}
