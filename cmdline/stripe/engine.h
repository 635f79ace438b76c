/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline of sync, scrub, check and fix.
 *
 * A reader thread for each data disk (and each level, if the job reads parity), compute workers on all cores, each
 * taking whole stripes, a writer thread for each level and, if the job writes data, for each disk. The coordinator (the
 * calling thread) fills slots ahead and retires them in stripe order. Readers and writers take slots in stripe order,
 * so each disk sees ascending stripes.
 *
 * Back-pressure is the ring of slots. Stop, autosave, heat and the error limit are one mechanism: `pace`
 * is asked before each stripe is filled. */
#ifndef STRIPE_ENGINE_H
#define STRIPE_ENGINE_H

#include "io/parity.h"
#include "stripe/job.h"

struct bitmap;

enum pace {
	PACE_GO,
	PACE_DRAIN,	/* retire all that is in flight, call rest(), go on */
	PACE_STOP,	/* retire all that is in flight, end */
};

struct stripe_run {
	struct array *array;
	const struct bitmap *stripes;		/* those to process */
	const struct stripe_job *job;
	void *context;				/* the job's */
	const int *root_fd;			/* by column; -1: the disk is not there */
	struct parity *const *parity;		/* by level, those that are NULL are not used; NULL: none is */
	unsigned slots;				/* in flight at most; 0: chosen, and grown while disks are slow */
	uint64_t bandwidth;			/* bytes a second at most, read and written; 0: no limit */
	bool progress;				/* show it */
	bool force_progress;			/* --test-force-progress */
	bool stats;				/* with a table of the disks */
	/* NULL, or the degrees of the hottest disk, 0 unknown, and where they are going to; for the progress. */
	unsigned (*degrees)(void *argument, unsigned *steady);
	void *degrees_argument;
	enum pace (*pace)(void *argument, stripe_t next);	/* NULL: always go */
	int (*rest)(void *argument);		/* -1: stop; said */
	void *pace_argument;
	/* NULL, or what must be done before the first block of parity is written. A writer calls it, once, and the others
	 * wait; stripes are read meanwhile. -1: nothing is written, the run fails; said. */
	int (*before_write)(void *argument);
	void *write_argument;
};

enum run_end {
	RUN_COMPLETE,	/* all stripes were retired */
	RUN_STOPPED,	/* pace said so (a signal, the error limit) */
	RUN_FAILED,	/* retire or rest said so */
};

/* Blocks until everything in flight is retired, also when it stops early. */
enum run_end stripe_run(const struct stripe_run *run);

#endif
