/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field GF(2^8) in which parity is computed.
 *
 * A byte is a polynomial over {0, 1}: bit k is the coefficient of x^k. To add, or to subtract, is XOR.
 * A product is taken modulo x^8 + x^4 + x^3 + x^2 + 1 (0x11d). The element 2 = x is a generator: its powers
 * 2^0 .. 2^254 are all the nonzero elements, and 2^255 = 1. With e the power and l its logarithm,
 *
 *	a * b = e[l[a] + l[b]]		1 / a = e[255 - l[a]]
 *
 * A product with a constant is linear in the other operand b, so it splits by the two halves of b:
 *
 *	c * b = c * (b & 15) + c * (b & 240)
 *
 * Two tables of 16 bytes per constant, in registers, make 16 or more products with two shuffles.
 *
 * gf_init() must have been called, once by any thread; then all is constant. */
#ifndef RAID_GF_H
#define RAID_GF_H

#include <stdint.h>

/* The products of a constant with the bytes 0x00..0x0f, and with 0x00, 0x10 .. 0xf0. */
struct gf_factor {
	uint8_t nibble[2][16];
} __attribute__((aligned(32)));

extern struct gf_factor gf_factor[256];

/* A constant as a matrix of bits, as GFNI has it: bit i of c * b is the parity of b & byte 7 - i. */
extern uint64_t gf_affine[256];

void gf_init(void); /* any number of times, from any thread */

uint8_t gf_mul(uint8_t a, uint8_t b);
uint8_t gf_inv(uint8_t a);     /* a is not 0 */
uint8_t gf_power(unsigned n);  /* 2^n */

#endif
