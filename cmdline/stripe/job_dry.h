/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-dry: read what is marked, and look at nothing of it. How fast the disks are, with all of the machine below
 * and none of the arithmetic. */
#ifndef STRIPE_JOB_DRY_H
#define STRIPE_JOB_DRY_H

#include "report/report.h"
#include "stripe/job.h"

struct dry_context {
	const struct array *array;
	const bool *level;		/* those to read */
	struct error_counts *errors;
};

extern const struct stripe_job job_dry;	/* context: struct dry_context. Files with a mark are read. */

#endif
