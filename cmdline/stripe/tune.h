/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernels hash and compute this run: measured if there is enough to do, and told. */
#ifndef STRIPE_TUNE_H
#define STRIPE_TUNE_H

#include "stripe/slot.h"

/* Before the first stripe of a run of `stripes`, with a slot whose buffers are as those of all others: they
 * are overwritten. Coordinator only, while no worker runs. */
void stripe_tune(const struct slot *slot, const struct array *array, uint64_t stripes);

#endif
