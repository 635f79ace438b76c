/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/code.h"

#include <assert.h>
#include <pthread.h>

#include "raid/gf.h"

static struct raid_code cauchy = { .levels = 6 };
static struct raid_code vandermonde = { .levels = 3 };

static uint8_t power_minus(unsigned n)
{
	return gf_inv(gf_power(n));
}

static uint8_t cauchy_coefficient(unsigned level, unsigned column)
{
	uint8_t y = level == 1 ? 0 : gf_power(level - 1);

	if (level == 0)
		return 1;
	return gf_mul(1 ^ y, gf_inv(power_minus(column) ^ y));
}

static void fill_codes(void)
{
	gf_init();
	for (unsigned column = 0; column < RAID_COLUMN_MAX; ++column) {
		for (unsigned level = 0; level < cauchy.levels; ++level)
			cauchy.coef[column][level] = cauchy_coefficient(level, column);
		vandermonde.coef[column][0] = 1;
		vandermonde.coef[column][1] = gf_power(column);
		vandermonde.coef[column][2] = power_minus(column);
	}
}

const struct raid_code *raid_code(enum raid_mode mode)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fill_codes);
	return mode == RAID_CAUCHY ? &cauchy : &vandermonde;
}

uint8_t raid_coefficient(const struct raid_code *code, unsigned level, unsigned column)
{
	assert(level < code->levels && column < RAID_COLUMN_MAX);
	return code->coef[column][level];
}
