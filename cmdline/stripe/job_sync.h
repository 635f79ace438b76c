/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bring the parity of one stripe to the files as they are now.
 *
 * A block changes to BLK only in retire, after the parity of its stripe was written; a stripe that could not
 * be done keeps every state and every past hash as it was. behaviour.md 5.2 and 2.3. */
#ifndef STRIPE_JOB_SYNC_H
#define STRIPE_JOB_SYNC_H

#include "io/parity.h"
#include "report/report.h"
#include "stripe/job.h"

struct sync_context {
	struct array *array;
	struct parity *const *parity;	/* all levels of the array */
	struct error_counts *errors;
	int64_t now;			/* seconds: what synced stripes are marked with */
	bool may_skip_parity;		/* the loaded content had no unsynced stripe, and all of its parity is there: past
					 * hashes are what parity has */
	bool may_wait;			/* all blocks are protected where they are: a file that changed since the scan is
					 * no error, but a matter of the next sync */
	bool waits;			/* set: there was one */
	bool prehashed;			/* REP hashes are of this run's first pass, not of copies */
	void (*done)(void *argument, stripe_t at);	/* told of each stripe that was committed; NULL: nobody */
	void *done_argument;
};

extern const struct stripe_job job_sync;	/* context: struct sync_context */

#endif
