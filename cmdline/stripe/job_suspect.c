/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/job_suspect.h"

#include "stripe/verify.h"

#define CELL_OTHER	1u	/* cell->flags: its data is not what was synced */

static void fill(struct slot *slot, void *context)
{
	(void)context;
	for (column_t c = 0; c < slot->column_count; ++c) {
		struct cell *cell = &slot->cell[c];

		cell->read = cell->was_synced && cell->file->suspect;
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

		if (cell->read && cell->result == DATA_OK && !verify_matches(slot, cell))
			cell->flags |= CELL_OTHER;
	}
}

/* The sync itself reads the stripe, and then meets the block. */
static bool is_pending(const struct slot *slot)
{
	for (column_t c = 0; c < slot->column_count; ++c)
		if (block_is_unsynced(slot->cell[c].state))
			return true;
	return false;
}

static void refuse(const struct slot *slot, const struct cell *cell, struct suspect_context *suspect)
{
	struct info info = slot->info;

	if (is_pending(slot))
		return;
	++suspect->errors->data;
	verify_report_hash(slot, cell, EV_BLOCK_DATA);
	info.bad = true;
	info_set(suspect->array->info, slot->at, &info);
}

static int retire(const struct slot *slot, void *context)
{
	struct suspect_context *suspect = context;

	for (column_t c = 0; c < slot->column_count; ++c) {
		const struct cell *cell = &slot->cell[c];

		if (!cell->read)
			continue;
		if (cell->result != DATA_OK) {
			verify_report_read(slot, cell, suspect->errors);
			cell->file->mark |= SUSPECT_UNREAD;
		} else if (cell->flags & CELL_OTHER) {
			if (suspect->accept || cell->assumed)
				extent_set(cell->disk->map, slot->at, BLOCK_CHG, NULL);
			else
				refuse(slot, cell, suspect);
			cell->file->mark |= SUSPECT_OTHER;
			suspect->array->changed = true;
		}
	}
	return 0;
}

const struct stripe_job job_suspect = {
	.fill = fill,
	.compute = compute,
	.retire = retire,
};
