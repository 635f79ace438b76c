/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/rate.h"

#include "os/clock.h"
#include "os/signal.h"

#define STEP_US	100000	/* how soon a signal is seen */

void rate_owe(struct rate *rate, uint64_t bytes)
{
	uint64_t now = os_monotonic_us();

	if (rate->limit == 0)
		return;
	if (rate->free_us < now)
		rate->free_us = now;
	rate->free_us += (uint64_t)((double)bytes * 1e6 / (double)rate->limit);
}

uint64_t rate_take(struct rate *rate, uint64_t bytes)
{
	uint64_t begin = os_monotonic_us(), now = begin;

	if (rate->limit == 0)
		return 0;
	while (now < rate->free_us && os_stop_signal() == 0) {
		uint64_t left = rate->free_us - now;

		os_sleep_ms((unsigned)((left < STEP_US ? left : STEP_US) / 1000 + 1));
		now = os_monotonic_us();
	}
	rate_owe(rate, bytes);
	return now - begin;
}
