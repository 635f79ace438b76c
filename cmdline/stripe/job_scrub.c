/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/job_scrub.h"

#include <string.h>

#include "io/data.h"
#include "stripe/verify.h"

/* slot->flags: one bit for each level that differs from the parity of the data */
#define CELL_WRONG	1u	/* cell->flags: the hash differs */

static void fill(struct slot *slot, void *context)
{
	(void)context;
	for (column_t c = 0; c < slot->column_count; ++c)
		slot->cell[c].read = block_has_file(slot->cell[c].state);
	for (level_t l = 0; l < slot->level_count; ++l)
		slot->parity[l].read = true;
}

static void compute(struct slot *slot, void *const *scratch, void *context)
{
	void *data[COLUMN_MAX];
	unsigned levels = 0;
	bool good = true;

	(void)scratch;
	(void)context;
	verify_hash(slot);
	for (column_t c = 0; c < slot->column_count; ++c) {
		struct cell *cell = &slot->cell[c];

		if (!cell->read)
			continue;
		if (cell->result == DATA_OK && block_has_current_hash(cell->state) && !verify_matches(slot, cell))
			cell->flags |= CELL_WRONG;
		good = good && cell->result == DATA_OK && !(cell->flags & CELL_WRONG);
	}
	/* With a block missing or wrong the parity cannot be judged. */
	if (!good)
		return;
	for (level_t l = 0; l < slot->level_count; ++l)
		if (slot->parity[l].have)
			levels |= 1u << l;
	slot_data(slot, data);
	slot->flags = verify_parity(slot, data, levels);
}

/* What the stripe turned out to be. */
struct outcome {
	bool error;	/* it could not be verified in whole */
	bool bad;	/* ... and that is not explained by a change of files */
	bool pending;	/* a block is not synced, or its file changed or went since */
};

/* That files change and go after a sync is their life: no error, only something to sync. */
static void tell_changed(const struct slot *slot, const struct cell *cell, struct scrub_context *scrub)
{
	if (cell->file->mark & FILE_TOLD)
		return;
	cell->file->mark |= FILE_TOLD;
	++scrub->changed_files;
	report(cell->result == DATA_MISSING ? EV_SCRUB_GONE : EV_SCRUB_CHANGED, slot->at, cell->disk->name,
	       cell->file->path);
}

static void retire_cell(const struct slot *slot, const struct cell *cell, struct outcome *out,
			struct scrub_context *scrub)
{
	bool gone = cell->read && (cell->result == DATA_MISSING || cell->result == DATA_SHORT);

	if (block_is_unsynced(cell->state) || (cell->read && cell->changed) || gone)
		out->pending = true;
	if (gone) {
		out->error = true;
		tell_changed(slot, cell, scrub);
	} else if (cell->read && cell->result != DATA_OK) {
		out->error = true;
		out->bad |= verify_report_read(slot, cell, scrub->errors);
	}
	if (!(cell->flags & CELL_WRONG))
		return;
	out->error = true;
	if (cell->changed || !cell->was_synced) {
		tell_changed(slot, cell, scrub);
	} else {
		++scrub->errors->data;
		out->bad = true;
		verify_report_hash(slot, cell, EV_BLOCK_DATA);
	}
}

static void retire_parity(const struct slot *slot, level_t level, struct outcome *out,
			  const struct scrub_context *scrub)
{
	const struct parity_cell *cell = &slot->parity[level];
	const char *name = scrub->array->level[level].name;

	if (!cell->have) {
		bool io = data_error_is_hardware(cell->error);

		out->error = true;
		out->bad |= io;
		if (io)
			++scrub->errors->io;
		else
			++scrub->errors->soft;
		report(io ? EV_PARITY_READ_IO : EV_PARITY_READ_ERROR, slot->at, name, strerror(cell->error));
	} else if (slot->flags & (1u << level)) {
		out->error = true;
		if (out->pending) {
			report(EV_PARITY_UNSYNCED, slot->at, name);
		} else {
			++scrub->errors->data;
			out->bad = true;
			report(EV_PARITY_DATA, slot->at, name);
		}
	}
}

static void rehash(const struct slot *slot)
{
	for (column_t c = 0; c < slot->column_count; ++c) {
		const struct cell *cell = &slot->cell[c];

		if (cell->state == BLOCK_BLK)
			extent_set(cell->disk->map, slot->at, BLOCK_BLK, cell->fresh);
	}
}

static int retire(const struct slot *slot, void *context)
{
	struct scrub_context *scrub = context;
	struct array *array = scrub->array;
	struct info info = slot->info;
	struct outcome out = { false, false, false };

	for (column_t c = 0; c < slot->column_count; ++c)
		retire_cell(slot, &slot->cell[c], &out, scrub);
	for (level_t l = 0; l < slot->level_count; ++l)
		retire_parity(slot, l, &out, scrub);

	if (out.bad) {
		info.bad = true;
	} else if (out.error) {
		return 0;	/* nothing was learned about the stripe */
	} else {
		/* A past hash cannot be converted, and all hashes of a stripe are of one kind: it waits. */
		info = (struct info){ .time = scrub->now, .rehash = slot->rehash && out.pending };
		if (slot->rehash && !out.pending)
			rehash(slot);
	}
	info_set(array->info, slot->at, &info);
	array->changed = true;
	return 0;
}

const struct stripe_job job_scrub = {
	.reads_parity = true,
	.fill = fill,
	.compute = compute,
	.retire = retire,
};
