/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command does with one stripe. sync, scrub, check and fix are the same engine with another job. */
#ifndef STRIPE_JOB_H
#define STRIPE_JOB_H

#include "stripe/slot.h"

struct stripe_job {
	bool reads_parity;	/* cells of levels have a `stored` buffer and may be read */
	bool writes_parity;	/* `fresh` of levels may be written */
	bool writes_data;	/* write_data may be asked for */
	size_t extra_size;	/* bytes of slot->extra */
	unsigned scratch_blocks;	/* block_size buffers of each compute worker */

	/* Coordinator: slot_fill was done; choose what to read, copy what compute needs. */
	void (*fill)(struct slot *slot, void *context);
	/* Any worker, no lock held: verify, hash, solve, encode; mark what to write. `scratch` has
	 * scratch_blocks buffers, aligned to 64. */
	void (*compute)(struct slot *slot, void *const *scratch, void *context);
	/* Writer of that disk, in stripe order: put cell->data where it belongs; errno or 0. */
	int (*write_data)(const struct slot *slot, column_t column, void *context);
	/* Coordinator, in stripe order, after all reads and writes of the slot. -1: stop the run; said. */
	int (*retire)(const struct slot *slot, void *context);
};

#endif
