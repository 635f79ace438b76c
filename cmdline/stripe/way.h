/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who reads the stripes: a thread for each disk, all disks at once, or whoever computes a stripe, the whole of it.
 *
 * Disks make one wait, and only together are they fast. What lies in memory already does not: then the cores are what
 * is slow, and a stripe that one of them reads and computes, into buffers that it used a moment ago and with nobody to
 * be woken, costs less. 6 disks, 2 levels, files of 64 MiB in the page cache, 2 cores, against SnapRAID 12.2: check 1.2
 * and 1.9 times as fast, scrub 2.3 and 3.7.
 *
 * Which of both it is nobody knows beforehand. While the cores are busy the other way is tried, and kept if it is as
 * fast; now and then the readers are measured again. Where they are better a trial costs, on disks even much; so the
 * more one took, the later comes the next. Coordinator only. */
#ifndef STRIPE_WAY_H
#define STRIPE_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was finished in some time. */
struct way_span {
	uint64_t us, busy_us;	/* ... in which the cores were busy */
	uint64_t bytes;
	unsigned stripes;
};

struct way {
	bool never;		/* it would take too much memory, or descriptors */
	bool whole;		/* whoever computes a stripe reads it */
	bool proven;		/* ... and it was as fast, since the last change */
	unsigned settling;	/* stripes still to come that were begun before the last change */
	uint64_t changed_us;	/* how long these took */
	struct way_span span;	/* since then, or since it was looked at last */
	double rate;		/* what the readers reached, bytes for each microsecond */
	uint64_t left_us;	/* readers: of busy cores, until `whole` is tried; `whole`: until the readers are measured */
};

/* So many cores would each read `members` disks and levels into `bytes` of buffers. */
void way_init(struct way *way, unsigned cores, unsigned members, size_t bytes);
/* That was finished, and so many stripes are in flight. */
void way_adapt(struct way *way, const struct way_span *finished, unsigned in_flight);

#endif
