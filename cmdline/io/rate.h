/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --bw-limit: so many bytes a second, of all disks together.
 *
 * Time that was not used is lost, so that there is no burst after a pause. One thread only. */
#ifndef IO_RATE_H
#define IO_RATE_H

#include "base/types.h"

struct rate {
	uint64_t limit;		/* bytes a second; 0: none */
	uint64_t free_us;	/* when all that was moved so far is paid for; monotonic */
};

/* So many bytes were moved: what comes next waits for them. */
void rate_owe(struct rate *rate, uint64_t bytes);
/* Wait until what was moved so far is paid for, or a signal asks to stop; then owe `bytes` more. Returns how long it
 * waited, in microseconds. */
uint64_t rate_take(struct rate *rate, uint64_t bytes);

#endif
