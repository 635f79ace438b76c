/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pre-hash (sync -h): read and hash what is new before any parity is touched, so that a block that goes bad
 * between this read and the one of the sync is noticed. CHG becomes REP; a REP is verified. */
#ifndef STRIPE_JOB_HASH_H
#define STRIPE_JOB_HASH_H

#include "report/report.h"
#include "stripe/job.h"

struct hash_context {
	struct array *array;
	struct error_counts *errors;
};

extern const struct stripe_job job_hash;	/* context: struct hash_context */

#endif
