/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/heat.h"

#define SAMPLES_MIN	24	/* twelve minutes, at one in 30 seconds; before, whole degrees are too coarse */
#define RISE_MIN	2	/* degrees from the first span to the last, or it is noise */
#define DEGREES_MAX	100	/* more is no forecast but a slip of the arithmetic */

void heat_reset(struct heat *heat)
{
	*heat = (struct heat){ .every = 1 };
}

/* Make room: the second half of the time gets as many samples as the first had. */
static void keep_every_other(struct heat *heat)
{
	for (unsigned i = 0; 2 * i < heat->count; ++i)
		heat->sample[i] = heat->sample[2 * i];
	heat->count = (heat->count + 1) / 2;
	heat->every *= 2;
}

void heat_add(struct heat *heat, unsigned degrees)
{
	if (heat->every == 0)
		heat_reset(heat);
	if (++heat->skipped < heat->every)
		return;
	heat->skipped = 0;
	if (heat->count == HEAT_SAMPLES)
		keep_every_other(heat);
	heat->sample[heat->count++] = degrees;
}

static double sum_of(const unsigned *sample, unsigned count)
{
	double sum = 0;

	for (unsigned i = 0; i < count; ++i)
		sum += sample[i];
	return sum;
}

unsigned heat_steady(const struct heat *heat)
{
	unsigned span = heat->count / 3;
	const unsigned *sample = heat->sample + heat->count % 3;	/* the first are the oldest */
	double first, second, third, d1, d2, steady;

	if (heat->count < SAMPLES_MIN)
		return 0;
	first = sum_of(sample, span);
	second = sum_of(sample + span, span);
	third = sum_of(sample + 2 * span, span);
	d1 = second - first;
	d2 = third - second;
	if (third - first < RISE_MIN * span || d2 < 0 || d1 <= d2)
		return 0;
	steady = (third + d2 * d2 / (d1 - d2)) / span;
	return steady > DEGREES_MAX ? 0 : (unsigned)(steady + 0.5);
}
