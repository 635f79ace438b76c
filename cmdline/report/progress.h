/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The moving line of a long job: done, speed, ETA, and the disk that all else waits for. On a terminal it ends with CR; in
 * a pipe only the closing line is printed; with --gui it is run:pos tags. Called by the coordinator only, as often as it
 * likes: it prints once a second. interface.md 4, 5.1 and 6.3. */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include "base/types.h"

struct lane_source;
struct progress;

struct progress_job {
	stripe_t first, end;
	stripe_t count;				/* stripes to process between them */
	bool always;				/* show each step */
	const struct lane_source *lanes;	/* NULL: not known; copied */
	bool table;				/* show the lanes, in place on a terminal, and at the end */
	/* NULL, or the degrees of the hottest disk, 0 unknown, and where they are going to. */
	unsigned (*degrees)(void *argument, unsigned *steady);
	void *degrees_argument;
};

/* Emits run:begin. */
struct progress *progress_begin(const struct progress_job *job);
/* `at` was retired; `bytes` more were read or written. */
void progress_step(struct progress *progress, stripe_t at, uint64_t bytes);
/* "100% completed, N MB accessed in H:MM"; `complete` false: stopped before the end. Frees. */
void progress_end(struct progress *progress, bool complete);

#endif
