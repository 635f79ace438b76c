/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/fix_retire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "io/draft.h"
#include "stripe/fix_cell.h"
#include "stripe/fix_file.h"
#include "stripe/outcome.h"
#include "stripe/verify.h"

static const char *why_unread(const struct cell *cell)
{
	switch (cell->result) {
	case DATA_MISSING:
		return "Missing file";
	case DATA_DENIED:
		return "No permission";
	case DATA_SHORT:
		return "Size error, the file is shorter than recorded";
	default:
		return strerror(cell->error);
	}
}

static void tell_owner(struct fix_file *ff, const struct cell *cell)
{
	char *path;

	if (ff->told || cell->result == DATA_OK || cell->result == DATA_SHORT)
		return;
	ff->told = true;
	path = path_join(ff->disk->dir, ff->file->path);
	if (cell->result == DATA_MISSING)
		report(EV_FIX_MISSING, ff->disk->name, ff->file->path, path);
	else
		report(cell->result == DATA_IO ? EV_FIX_READ_IO : EV_FIX_READ, ff->disk->name, ff->file->path, path,
		       why_unread(cell));
	free(path);
}

/* check: its owner has changed the file. Whether it is damaged besides nobody can tell, and nothing says so. */
static bool is_unchecked(const struct fix *fix, const struct cell *cell)
{
	return fix->mode != FIX_WRITE && cell->changed && (cell->result == DATA_OK || cell->result == DATA_SHORT);
}

/* Report and count what is wrong with a block of a wanted file. */
static void tell_bad(const struct slot *slot, const struct cell *cell, const struct fix *fix)
{
	const char *disk = cell->disk->name;
	const char *path = cell->file->path;

	if (cell->result == DATA_IO) {
		fix->errors->io++;
		report(EV_FIX_IO, slot->at, disk, path, cell->block, why_unread(cell));
	} else if (cell->result != DATA_OK) {
		fix->errors->soft++;
		report(EV_FIX_SOFT, slot->at, disk, path, cell->block, why_unread(cell));
	} else if (cell->changed || (!cell->was_synced && (cell->flags & CELL_PROVEN) == 0)) {
		/* Someone wrote to it, or it never was the copy it was taken for: nothing decayed. */
		fix->errors->soft++;
		report(EV_FIX_SOFT, slot->at, disk, path, cell->block, "Data differs, the file changed");
	} else {
		char bits[32];

		snprintf(bits, sizeof bits, "%u/%u", verify_differing_bits(slot, cell), slot->hash_size * 8);
		fix->errors->data++;
		report(EV_FIX_DATA, slot->at, disk, path, cell->block, bits);
	}
}

static void tell_unwritten(const struct slot *slot, const struct cell *cell, struct fix_file *ff)
{
	if (!ff->failed && !ff->skipped)
		report(EV_FIX_WRITE, slot->at, ff->disk->name, ff->file->path,
		       cell->write_error == DRAFT_RACED ? "The file changed" : strerror(cell->write_error));
	ff->failed = true;
}

/* What became of a bad block of a wanted file. */
static void tell_outcome(const struct slot *slot, const struct cell *cell, struct fix_file *ff,
			 const struct fix *fix)
{
	const char *disk = cell->disk->name;
	const char *path = cell->file->path;

	if ((cell->flags & CELL_PROVEN) == 0) {
		ff->lost = true;
		ff->doubtful |= (cell->flags & CELL_DOUBTFUL) != 0;
		fix->errors->unrecoverable++;
		report((cell->flags & CELL_DOUBTFUL) != 0 ? EV_FIX_DOUBTFUL : EV_FIX_LOST, slot->at, disk, path,
		       cell->block);
		return;
	}
	if (!cell->write)
		return;
	if (fix->skip_changed && outcome_is_obstacle(cell->write_error)) {
		ff->skipped = true;
		return;
	}
	if (cell->write_error != 0) {
		fix->errors->unrecoverable++;
		return;
	}
	ff->fixed++;
	fix->errors->recovered++;
	report(EV_FIX_FIXED, slot->at, disk, path, cell->block);
}

static void retire_cell(const struct slot *slot, const struct cell *cell, struct fix *fix)
{
	struct fix_file *ff = fix_file_of(fix, cell->file);

	if (ff == NULL) {
		if ((cell->flags & (CELL_BAD | CELL_OTHER)) != 0)
			report(EV_FIX_OTHER, slot->at, cell->disk->name, cell->file->path, cell->block,
			       "not asked for, and not as recorded");
		return;
	}
	if (ff->seen.what == SEEN_UNKNOWN)
		ff->seen = cell->seen;
	ff->changed |= cell->changed;
	ff->other |= (cell->flags & CELL_OTHER) != 0;
	if ((cell->flags & CELL_BAD) != 0) {
		if (fix_cell_skipped(fix, cell)) {
			fix->errors->soft += !ff->skipped;
			ff->skipped = true;
		} else if (is_unchecked(fix, cell)) {
			ff->unchecked = true;
		} else {
			ff->bad = true;
			tell_owner(ff, cell);
			tell_bad(slot, cell, fix);
			if (fix->mode != FIX_AUDIT)
				tell_outcome(slot, cell, ff, fix);
		}
	}
	if (cell->write && cell->write_error != 0)
		tell_unwritten(slot, cell, ff);
	if (--ff->left == 0)
		fix_file_end(fix, ff);
}

/* The first stripe of the level for which this is to be told? It counts as told now. */
static bool tells_first(unsigned *told, level_t l)
{
	bool first = (*told & (1u << l)) == 0;

	*told |= 1u << l;
	return first;
}

static void retire_level(const struct slot *slot, level_t l, struct fix *fix)
{
	const struct parity_cell *cell = &slot->parity[l];
	const struct verdict *verdict = slot->extra;
	const char *name = fix->array->level[l].name;
	bool hardware = data_error_is_hardware(cell->error);

	if (!cell->have && hardware) {
		fix->errors->io++;
		report(tells_first(&fix->told_unread, l) ? EV_FIX_PARITY_IO_FIRST : EV_FIX_PARITY_IO, slot->at, name,
		       strerror(cell->error));
	} else if (!verdict->judged) {
		return;
	} else if (!cell->have) {
		fix->errors->soft++;
		/* What a fix recreates is missing at first. */
		report(fix->mode == FIX_CHECK && tells_first(&fix->told_unread, l) ? EV_FIX_PARITY_SOFT_FIRST : EV_FIX_PARITY_SOFT,
		       slot->at, name, strerror(cell->error));
	} else if ((verdict->wrong & (1u << l)) != 0) {
		fix->errors->data++;
		report(tells_first(&fix->told_parity, l) ? EV_FIX_PARITY_DATA_FIRST : EV_FIX_PARITY_DATA, slot->at, name);
	}
	if (!cell->write)
		return;
	if (cell->write_error != 0) {
		fix->errors->unrecoverable++;
		report(tells_first(&fix->told_unwritten, l) ? EV_FIX_PARITY_WRITE_FIRST : EV_FIX_PARITY_WRITE, slot->at,
		       name, strerror(cell->write_error));
	} else {
		fix->errors->recovered++;
		report(EV_FIX_PARITY_FIXED, slot->at, name);
	}
}

/* Nothing is pending, yet nobody can say what the parity must be: data is lost that was not asked for. Of what was asked
 * for it is told already. */
static bool is_unknown(const struct slot *slot, const struct fix *fix)
{
	const struct verdict *verdict = slot->extra;
	bool asked = false, lost = false;

	for (level_t l = 0; l < slot->level_count; l++)
		asked |= fix->judge[l];
	for (column_t i = 0; i < slot->column_count; i++) {
		const struct cell *cell = &slot->cell[i];

		if (block_is_unsynced(cell->state) || ((cell->flags & CELL_WANTED) != 0 && !fix_cell_is_right(cell)))
			return false;
		lost |= !fix_cell_is_right(cell);
	}
	return fix->mode == FIX_WRITE && asked && lost && !verdict->judged;
}

/* Which levels lack their block of the stripe. Where something is pending a sync computes it. */
static unsigned undone_parity(const struct slot *slot, const struct fix *fix)
{
	const struct verdict *verdict = slot->extra;
	unsigned undone = 0;

	for (column_t i = 0; i < slot->column_count; i++)
		if (block_is_unsynced(slot->cell[i].state))
			return 0;
	for (level_t l = 0; l < slot->level_count; l++)
		if (fix->judge[l] && (!verdict->judged || slot->parity[l].write_error != 0))
			undone |= 1u << l;
	return undone;
}

static const char *kind_of(const struct cell *cell)
{
	static const char *const kind[] = {
		[BLOCK_BLK] = "block", [BLOCK_CHG] = "change", [BLOCK_REP] = "replica",
	};

	return kind[cell->state];
}

/* Is there a hash to know it by? */
static const char *hash_kind_of(const struct slot *slot, const struct cell *cell)
{
	if (block_has_current_hash(cell->state))
		return "known";
	switch (past_kind(cell->hash, slot->hash_size)) {
	case PAST_HASH:
		return "known";
	case PAST_ZERO:
		return "zero";
	default:
		return "unknown";
	}
}

/* For who asks where the data came from, or why it is lost: what the stripe was short of, where the parity
 * alone did not help. */
static void tell_story(const struct slot *slot)
{
	const struct verdict *verdict = slot->extra;
	unsigned entry = 0, lost = 0, found = 0, levels = 0;

	for (column_t i = 0; i < slot->column_count; i++) {
		lost += !fix_cell_is_right(&slot->cell[i]);
		found += (slot->cell[i].flags & CELL_FOUND) != 0;
	}
	if (!verdict->rescued || lost + found == 0)
		return;
	for (column_t i = 0; i < slot->column_count; i++) {
		const struct cell *cell = &slot->cell[i];

		if ((cell->flags & CELL_BAD) == 0)
			continue;
		report(EV_FIX_ENTRY, entry, kind_of(cell), hash_kind_of(slot, cell), cell->disk->name,
		       cell->file->path, cell->block);
		if (cell->flags & CELL_FOUND)
			report(EV_FIX_IMPORTED, entry);
		entry++;
	}
	if (lost == 0)
		return;
	for (level_t l = 0; l < slot->level_count; l++)
		levels += slot->parity[l].have;
	if (verdict->tried == 0)
		report(EV_FIX_NO_STRATEGY, slot->at, lost, levels);
	else
		report(EV_FIX_NO_HASH, slot->at, verdict->tried);
}

int fix_retire(const struct slot *slot, void *context)
{
	struct fix *fix = context;

	for (column_t i = 0; i < slot->column_count; i++) {
		const struct cell *cell = &slot->cell[i];

		if (cell->read)
			retire_cell(slot, cell, fix);
	}
	tell_story(slot);
	for (level_t l = 0; l < slot->level_count; l++)
		if (slot->parity[l].read && fix->judge[l])
			retire_level(slot, l, fix);
	fix->undone_parity |= undone_parity(slot, fix);
	if (is_unknown(slot, fix)) {
		fix->unknown++;
		fix->errors->unrecoverable++;
	}
	return 0;
}
