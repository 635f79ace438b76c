/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/way.h"

/* Where disks are fast and the cores busy, yet the readers better, trials must not cost much. */
#define PATIENCE_FIRST	16
#define PATIENCE_MAX	1024
#define AS_FAST		0.95	/* no span is like the other */

void way_init(struct way *way)
{
	*way = (struct way){ .patience = PATIENCE_FIRST };
}

static void change(struct way *way)
{
	way->whole = !way->whole;
	way->settling = true;
}

static void give_up(struct way *way)
{
	change(way);
	way->wait = way->patience;
	if (way->patience < PATIENCE_MAX)
		way->patience *= 2;
}

void way_adapt(struct way *way, bool busy, uint64_t bytes, uint64_t span_us)
{
	double rate = (double)bytes / (double)(span_us > 0 ? span_us : 1);

	if (way->settling) {
		way->settling = false;
	} else if (way->whole) {
		if (!busy || rate < way->rate * AS_FAST)
			give_up(way);
		else
			way->patience = PATIENCE_FIRST;
	} else {
		way->rate = rate;
		if (busy && way->wait > 0)
			way->wait--;
		else if (busy)
			change(way);
	}
}
