/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many stripes may be in flight.
 *
 * Few keep the blocks in the last cache between reading, hashing and parity, which is worth 25 to 45% on fast storage.
 * Slow disks need depth to ride out their seeks: the window grows while one is waited for, and shrinks again, slowly,
 * while it is the cores that are slow. Coordinator only. */
#ifndef STRIPE_WINDOW_H
#define STRIPE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOW_MAX	256

struct window {
	unsigned size;			/* stripes in flight, at most */
	unsigned first, most;		/* where it starts and shrinks back to; where its growth ends */
	unsigned cores;
	uint64_t span_us, span_cpu_us;	/* when the span of business began, and the CPU time then */
	bool busy;			/* the cores were, in the last span */
};

/* Stripes of `bytes` each; `fixed`: always that many, 0: chosen. `now_us` on any clock that goes forward, `cpu_us` the CPU
 * time that all threads had until now. */
void window_init(struct window *window, size_t bytes, unsigned fixed, unsigned cores, uint64_t now_us, uint64_t cpu_us);

/* A stripe was finished; a disk was waited for so long to get it, 0: no disk. The CPU time is asked for rarely, as it
 * costs a system call. */
void window_adapt(struct window *window, uint64_t waited_us, uint64_t now_us, uint64_t (*cpu_us)(void));

#endif
