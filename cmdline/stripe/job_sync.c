/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/job_sync.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/parity.h"
#include "stripe/solve.h"
#include "stripe/verify.h"

/* slot->flags: what compute found out */
#define SYNC_READY	1u	/* parity is in `fresh`, or is right as it is */
#define SYNC_REPAIRED	2u	/* damaged blocks were solved in memory: right parity, wrong file */
#define SYNC_UNCHANGED	4u	/* parity already holds this data */

/* cell->flags */
#define CELL_DAMAGED	1u	/* its data is not what was synced */
#define CELL_UNEXPECTED	2u	/* a REP whose data is not what was promised */
#define CELL_LEFT_OUT	4u	/* it cannot be read as it was found: parity takes it for zeros, and it stays CHG */
#define CELL_OTHER	8u	/* a REP that was taken for a copy and is not: new data like any other */
#define CELL_PROMISED	16u	/* a REP that differs, and the parity has what was promised: it was synced */

static void fill(struct slot *slot, void *context)
{
	(void)context;
	for (column_t c = 0; c < slot->column_count; ++c) {
		struct cell *cell = &slot->cell[c];

		cell->read = block_has_file(cell->state);
		cell->want.same_stamp = true;
	}
}

/* A new block that cannot be had now, as its file changed, vanished or is not readable. It need not cost the
 * others of the stripe their protection: parity gets zeros in its place, which a past hash can tell (of full
 * size only). */
static bool can_leave_out(const struct slot *slot, const struct cell *cell)
{
	return slot->hash_size == HASH_BYTES_MAX && !slot->rehash && cell->result != DATA_IO && !cell->was_synced;
}

/* Look at what was read. `*damaged`: blocks with other data than was synced. false: something else is wrong, too. */
static bool examine(struct slot *slot, unsigned *damaged)
{
	bool good = true;

	*damaged = 0;
	for (column_t c = 0; c < slot->column_count; ++c) {
		struct cell *cell = &slot->cell[c];

		if (!cell->read)
			continue;
		if (cell->result != DATA_OK && can_leave_out(slot, cell)) {
			cell->flags |= CELL_LEFT_OUT;
			memset(cell->data, 0, slot->used);
		} else if (cell->result != DATA_OK) {
			good = false;
		} else if (block_has_current_hash(cell->state) && !verify_matches(slot, cell)) {
			bool synced = cell->was_synced || (cell->flags & CELL_PROMISED);

			if (cell->assumed && !synced) {
				cell->flags |= CELL_OTHER;
				continue;
			}
			cell->flags |= synced ? CELL_DAMAGED : CELL_UNEXPECTED;
			*damaged += synced;
			good = good && synced;
		}
	}
	return good;
}

/* Every pending block is a CHG whose data is what it was: a file that was only touched. The past hash
 * tells what parity holds only if no earlier sync was interrupted. */
static bool is_unchanged(const struct slot *slot, const struct sync_context *sync)
{
	if (!sync->may_skip_parity || slot->rehash || !slot->has_info || slot->info.bad)
		return false;
	for (column_t c = 0; c < slot->column_count; ++c) {
		const struct cell *cell = &slot->cell[c];

		if (!block_is_unsynced(cell->state))
			continue;
		if (cell->state != BLOCK_CHG || past_kind(cell->hash, slot->hash_size) != PAST_HASH ||
		    (cell->flags & CELL_LEFT_OUT) || !verify_matches(slot, cell))
			return false;
	}
	return true;
}

static bool must_solve(const struct cell *cell)
{
	return (cell->flags & (CELL_DAMAGED | CELL_LEFT_OUT)) != 0;
}

/* Parity is read here, by the worker: this is rare. */
static void read_parity(struct solve *solve, const struct sync_context *sync)
{
	for (level_t l = 0; l < solve->slot->level_count; ++l) {
		void *stored = solve->scratch[LEVEL_MAX + l];

		if (parity_read(sync->parity[l], solve->slot->at, stored) == 0)
			solve->stored[l] = stored;
	}
}

/* Solve the damaged blocks from the parity as it is, in memory only, so that the new parity protects what the file
 * should be and not the damage. On success the cells hold the right data. */
static bool repair(struct slot *slot, void *const *scratch, const struct sync_context *sync)
{
	struct solve solve = { .slot = slot, .scratch = scratch };

	for (column_t c = 0; c < slot->column_count; ++c) {
		if (slot->cell[c].flags & CELL_OTHER)
			solve_describe_other(&solve, c);
		else
			solve_describe(&solve, c, !must_solve(&slot->cell[c]));
	}
	read_parity(&solve, sync);
	while (solve_lacks_known(&solve) && solve_proves_more(&solve))
		;
	for (column_t c = 0; c < slot->column_count; ++c) {
		if (slot->cell[c].flags & CELL_LEFT_OUT)
			memset(slot->cell[c].data, 0, slot->used);
		else if (!solve.block[c].good)
			return false;
	}
	return true;
}

/* It has a hash, and another one was found. */
static bool differs(const struct slot *slot, const struct cell *cell)
{
	return cell->read && cell->result == DATA_OK && block_has_current_hash(cell->state) && !verify_matches(slot, cell);
}

/* Of REP blocks that differ, tell those that were in the parity already from what was taken for a copy and is none. So
 * where a sync -F was stopped and there is no side file to tell what was synced; its marks are on whole disks, and what
 * rots there is neither new data nor an error for ever. */
static void find_promised(struct slot *slot, void *const *scratch, const struct sync_context *sync)
{
	struct solve solve = { .slot = slot, .scratch = scratch };
	bool other[COLUMN_MAX] = { false }, any = false;

	for (column_t c = 0; c < slot->column_count; ++c) {
		other[c] = !slot->cell[c].was_synced && differs(slot, &slot->cell[c]);
		any |= other[c];
	}
	if (!any)
		return;
	for (column_t c = 0; c < slot->column_count; ++c) {
		const struct cell *cell = &slot->cell[c];

		solve_describe(&solve, c, !cell->read || (cell->result == DATA_OK && !differs(slot, cell)));
	}
	read_parity(&solve, sync);
	solve_promised(&solve, other);
	for (column_t c = 0; c < slot->column_count; ++c)
		if (other[c] && solve.block[c].good)
			slot->cell[c].flags |= CELL_PROMISED;
}

static void compute(struct slot *slot, void *const *scratch, void *context)
{
	const struct sync_context *sync = context;
	void *data[COLUMN_MAX];
	unsigned damaged;

	verify_hash(slot);
	find_promised(slot, scratch, sync);
	if (!examine(slot, &damaged))
		return;
	if (damaged > 0) {
		if (!repair(slot, scratch, sync))
			return;
		slot->flags |= SYNC_REPAIRED;
	} else if (is_unchanged(slot, sync)) {
		slot->flags |= SYNC_READY | SYNC_UNCHANGED;
		return;
	}
	slot_data(slot, data);
	verify_encode(slot, data, (1u << slot->level_count) - 1);
	for (level_t l = 0; l < slot->level_count; ++l)
		slot->parity[l].write = true;
	slot->flags |= SYNC_READY;
}

static bool waits(const struct cell *cell, const struct sync_context *sync)
{
	return sync->may_wait && (cell->result == DATA_CHANGED || cell->result == DATA_MISSING);
}

/* Tell what is wrong with the blocks; true if something needs the stripe marked bad. */
static bool report_cells(const struct slot *slot, struct sync_context *sync)
{
	bool bad = false;

	for (column_t c = 0; c < slot->column_count; ++c) {
		const struct cell *cell = &slot->cell[c];

		if (cell->read && waits(cell, sync))
			sync->waits = true;
		else if (cell->read && cell->result != DATA_OK)
			bad |= verify_report_read(slot, cell, sync->errors);
		if (cell->flags & CELL_DAMAGED) {
			++sync->errors->data;
			verify_report_hash(slot, cell, EV_BLOCK_DATA);
			bad = true;
		}
		if (cell->flags & CELL_UNEXPECTED) {
			++sync->errors->soft;
			if (!(cell->file->mark & FILE_TOLD))
				verify_report_hash(slot, cell,
						   sync->prehashed ? EV_BLOCK_REHASH_DATA : EV_BLOCK_COPY);
			cell->file->mark |= FILE_TOLD;
		}
	}
	return bad;
}

static bool has_synced(const struct slot *slot)
{
	for (column_t c = 0; c < slot->column_count; ++c)
		if (slot->cell[c].was_synced)
			return true;
	return false;
}

static void mark_bad(const struct slot *slot, struct sync_context *sync)
{
	struct info info;

	/* Of a stripe that never was synced nothing is known that could be bad, but of what moves there. */
	if ((!info_get(sync->array->info, slot->at, &info) && !has_synced(slot)) || info.bad)
		return;
	info.bad = true;
	info_set(sync->array->info, slot->at, &info);
	sync->array->changed = true;
}

/* The stripe is in the parity: every block of it becomes BLK, and what was deleted is gone. What was left out
 * of it is as a new block over an empty place. */
static void commit(const struct slot *slot, struct sync_context *sync)
{
	for (column_t c = 0; c < slot->column_count; ++c) {
		const struct cell *cell = &slot->cell[c];
		uint8_t zeros[HASH_BYTES_MAX];

		past_set_zero(zeros, slot->hash_size);
		if (cell->state == BLOCK_DELETED)
			extent_forget_deleted(cell->disk->map, slot->at);
		else if (cell->flags & CELL_LEFT_OUT)
			extent_set(cell->disk->map, slot->at, BLOCK_CHG, zeros);
		else if (slot->rehash && block_has_file(cell->state) && !(slot->flags & SYNC_REPAIRED))
			extent_set(cell->disk->map, slot->at, BLOCK_BLK, cell->fresh);
		else if (cell->state == BLOCK_CHG || (cell->flags & CELL_OTHER))
			extent_set(cell->disk->map, slot->at, BLOCK_BLK, cell->found);
		else if (cell->state == BLOCK_REP)
			extent_set(cell->disk->map, slot->at, BLOCK_BLK, NULL);
	}
	sync->array->changed = true;
}

static int retire(const struct slot *slot, void *context)
{
	struct sync_context *sync = context;
	bool bad = report_cells(slot, sync);
	int rc = 0;

	for (level_t l = 0; l < slot->level_count; ++l) {
		if (slot->parity[l].write_error == 0)
			continue;
		rc = -1;
		if (slot->parity[l].write_error == ECANCELED)
			continue;
		++sync->errors->io;
		report(EV_PARITY_WRITE_IO, slot->at, sync->array->level[l].name,
		       strerror(slot->parity[l].write_error));
	}
	if (rc < 0)
		return rc;
	if (slot->flags & SYNC_READY) {
		struct info info = { .time = sync->now, .just_synced = true };

		commit(slot, sync);
		if (slot->flags & SYNC_REPAIRED)
			report(EV_STRIPE_REPAIRED, slot->at);
		if (!slot->has_info || !(slot->flags & (SYNC_REPAIRED | SYNC_UNCHANGED)))
			info_set(sync->array->info, slot->at, &info);
	}
	if (bad)
		mark_bad(slot, sync);
	if ((slot->flags & SYNC_READY) && sync->done != NULL)
		sync->done(sync->done_argument, slot->at);
	return 0;
}

const struct stripe_job job_sync = {
	.writes_parity = true,
	.scratch_blocks = 2 * LEVEL_MAX,
	.fill = fill,
	.compute = compute,
	.retire = retire,
};
