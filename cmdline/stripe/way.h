/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who reads the stripes: a thread for each disk, all disks at once, or whoever computes a stripe, the whole of it.
 *
 * Disks make one wait, and only together are they fast. What lies in memory already does not: then the cores are what
 * is slow, and a stripe that one of them reads and computes, into buffers that stay in its cache and with nobody to be
 * woken, costs less. 6 disks, 2 levels, files of 64 MiB in the page cache, 2 cores, against SnapRAID 12.2: check 1.2 and
 * 1.9 times as fast, scrub 2.3 and 3.7.
 *
 * Which of both it is nobody knows beforehand. While the cores are busy the other way is tried, and kept if it is as
 * fast. Coordinator only. */
#ifndef STRIPE_WAY_H
#define STRIPE_WAY_H

#include <stdbool.h>
#include <stdint.h>

struct way {
	bool whole;		/* whoever computes a stripe reads it */
	bool settling;		/* changed in the last span, which tells of both ways */
	unsigned wait;		/* busy spans until `whole` is tried again */
	unsigned patience;	/* how many it will be after the next failure */
	double rate;		/* what the readers reached, bytes for each microsecond */
};

void way_init(struct way *way);
/* In a span of that length so many bytes were finished, and the cores were busy or not. */
void way_adapt(struct way *way, bool busy, uint64_t bytes, uint64_t span_us);

#endif
