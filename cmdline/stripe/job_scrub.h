/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read one stripe, data and parity, and compare. Changes nothing on disk; marks the stripe good or bad.
 * behaviour.md 6.2. */
#ifndef STRIPE_JOB_SCRUB_H
#define STRIPE_JOB_SCRUB_H

#include "report/report.h"
#include "stripe/job.h"

struct scrub_context {
	struct array *array;
	struct error_counts *errors;
	int64_t now;			/* seconds: what good stripes are marked with */
	uint64_t changed_files;		/* counts files that changed or went since the last sync */
};

extern const struct stripe_job job_scrub;	/* context: struct scrub_context */

#endif
