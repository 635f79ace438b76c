/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/way.h"

#define MEMORY_MAX	(64u << 20)
#define DESCRIPTORS_MAX	256
#define STRIPES_MIN	16		/* fewer tell little */
#define FACTOR		100		/* so many times as long as a trial took there is none */
#define TRIAL_MAX_US	1000000		/* longer was something else */
#define AS_FAST		0.9

static void change(struct way *way, unsigned in_flight)
{
	way->whole = !way->whole;
	way->settling = in_flight;
	way->changed_us = 0;
	way->span = (struct way_span){ 0, 0, 0, 0 };
}

void way_init(struct way *way, unsigned cores, unsigned members, size_t bytes)
{
	/* The first stripes wait for threads to start and kernels to be chosen. */
	*way = (struct way){
		.never = cores * bytes > MEMORY_MAX || cores * members > DESCRIPTORS_MAX,
		.settling = STRIPES_MIN,
	};
}

/* Those begun before the last change tell nothing. */
static bool settles(struct way *way, const struct way_span *finished)
{
	if (way->settling == 0)
		return false;
	way->settling -= finished->stripes < way->settling ? finished->stripes : way->settling;
	way->changed_us += finished->us;
	return true;
}

static uint64_t pause_after(uint64_t us)
{
	return (us < TRIAL_MAX_US ? us : TRIAL_MAX_US) * FACTOR;
}

static void look_at_readers(struct way *way, const struct way_span *span, bool busy, unsigned in_flight)
{
	way->rate = (double)span->bytes / (double)span->us;
	if (!busy)
		return;
	if (way->left_us > span->us) {
		way->left_us -= span->us;
		return;
	}
	change(way, in_flight);
	way->proven = false;
}

static void look_at_whole(struct way *way, const struct way_span *span, bool busy, unsigned in_flight)
{
	bool fails = !busy || (double)span->bytes / (double)span->us < way->rate * AS_FAST;

	if (fails || !way->proven)
		way->left_us = pause_after(way->changed_us + span->us);
	way->proven = true;
	if (!fails && way->left_us > span->us) {
		way->left_us -= span->us;
		return;
	}
	if (!fails)
		way->left_us = 0;
	change(way, in_flight);
}

void way_adapt(struct way *way, const struct way_span *finished, unsigned in_flight)
{
	struct way_span span = way->span;

	if (way->never || settles(way, finished))
		return;
	span.us += finished->us;
	span.busy_us += finished->busy_us;
	span.bytes += finished->bytes;
	span.stripes += finished->stripes;
	way->span = span;
	if (span.stripes < STRIPES_MIN || span.us == 0)
		return;
	way->span = (struct way_span){ 0, 0, 0, 0 };
	(way->whole ? look_at_whole : look_at_readers)(way, &span, span.busy_us * 2 >= span.us, in_flight);
}
