/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/job_dry.h"

#include <string.h>

#include "stripe/verify.h"

static void fill(struct slot *slot, void *context)
{
	const struct dry_context *dry = context;

	for (column_t c = 0; c < slot->column_count; ++c) {
		struct cell *cell = &slot->cell[c];

		cell->read = block_has_file(cell->state) && cell->file->mark != 0;
	}
	for (level_t l = 0; l < slot->level_count; ++l)
		slot->parity[l].read = dry->level[l];
}

static void compute(struct slot *slot, void *const *scratch, void *context)
{
	(void)slot;
	(void)scratch;
	(void)context;
}

static int retire(const struct slot *slot, void *context)
{
	const struct dry_context *dry = context;

	for (column_t c = 0; c < slot->column_count; ++c)
		if (slot->cell[c].read && slot->cell[c].result != DATA_OK)
			verify_report_read(slot, &slot->cell[c], dry->errors);
	for (level_t l = 0; l < slot->level_count; ++l) {
		const struct parity_cell *cell = &slot->parity[l];

		if (!cell->read || cell->have)
			continue;
		++dry->errors->io;
		report(EV_PARITY_READ_IO, slot->at, dry->array->level[l].name, strerror(cell->error));
	}
	return 0;
}

const struct stripe_job job_dry = {
	.reads_parity = true,
	.fill = fill,
	.compute = compute,
	.retire = retire,
};
