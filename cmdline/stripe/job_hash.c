/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/job_hash.h"

#include "stripe/verify.h"

#define CELL_UNEXPECTED	1u	/* cell->flags: a REP whose data is not what was promised */

static void fill(struct slot *slot, void *context)
{
	(void)context;
	for (column_t c = 0; c < slot->column_count; ++c) {
		struct cell *cell = &slot->cell[c];

		/* Hashes of a stripe marked rehash are all of the old kind: its new blocks stay CHG. */
		cell->read = (cell->state == BLOCK_CHG && !slot->rehash) ||
			     (cell->state == BLOCK_REP && !cell->was_synced);
		cell->want.same_stamp = true;
	}
}

static void compute(struct slot *slot, void *const *scratch, void *context)
{
	(void)scratch;
	(void)context;
	verify_hash(slot);
	for (column_t c = 0; c < slot->column_count; ++c) {
		struct cell *cell = &slot->cell[c];

		/* One that was taken for a copy may be other data. Whether it is, or is damaged, the sync asks the parity. */
		if (cell->read && cell->result == DATA_OK && cell->state == BLOCK_REP && !cell->assumed &&
		    !verify_matches(slot, cell))
			cell->flags |= CELL_UNEXPECTED;
	}
}

static int retire(const struct slot *slot, void *context)
{
	struct hash_context *hash = context;

	for (column_t c = 0; c < slot->column_count; ++c) {
		const struct cell *cell = &slot->cell[c];

		if (!cell->read)
			continue;
		if (cell->result != DATA_OK) {
			verify_report_read(slot, cell, hash->errors);
		} else if (cell->flags & CELL_UNEXPECTED) {
			++hash->errors->soft;
			if (!(cell->file->mark & FILE_TOLD))
				verify_report_hash(slot, cell, EV_BLOCK_COPY);
			cell->file->mark |= FILE_TOLD;
		} else if (cell->state == BLOCK_CHG) {
			extent_set(cell->disk->map, slot->at, BLOCK_REP, cell->found);
			hash->array->changed = true;
		}
	}
	return 0;
}

const struct stripe_job job_hash = {
	.fill = fill,
	.compute = compute,
	.retire = retire,
};
