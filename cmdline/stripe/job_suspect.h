/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look at the data of suspect files (struct file), before any parity is touched. Is a block other than what was
 * synced, either somebody wrote to the file and put its time back, or it is damaged; nothing tells which. So it is
 * left for the user to say: by default the block is a data error, its stripe is marked bad and the parity keeps what
 * it was. Told to accept, it becomes CHG and the sync takes it in as new data; what it was stays its past hash, so
 * that nothing is lost for the other disks. */
#ifndef STRIPE_JOB_SUSPECT_H
#define STRIPE_JOB_SUSPECT_H

#include "report/report.h"
#include "stripe/job.h"

#define SUSPECT_OTHER	1u	/* in file->mark: some block holds other data */
#define SUSPECT_UNREAD	2u	/* ... cannot be read */

struct suspect_context {
	struct array *array;
	struct error_counts *errors;
	bool accept;
};

extern const struct stripe_job job_suspect;	/* context: struct suspect_context */

#endif
