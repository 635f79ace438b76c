/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stripe of check or fix is through: report and count what was wrong and what became of it, and finish the files
 * that had their last block of the run in it. */
#ifndef STRIPE_FIX_RETIRE_H
#define STRIPE_FIX_RETIRE_H

struct slot;

/* struct stripe_job's; `context` is the struct fix. Coordinator. */
int fix_retire(const struct slot *slot, void *context);

#endif
