/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/job_fix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "io/donor.h"
#include "io/restore.h"
#include "plan/recover.h"
#include "stripe/fix_file.h"
#include "stripe/verify.h"

/* Flags of a cell. */
enum {
	CELL_WANTED = 1,	/* of a file that was asked for */
	CELL_BAD = 2,		/* cannot be read, or is not what its hash says */
	CELL_PROVEN = 4,	/* bad, but now `data` has the right bytes */
	CELL_DOUBTFUL = 8,	/* bad, and `data` has bytes that may be right */
};

/* What compute tells retire of the parity. */
struct verdict {
	bool judged;		/* all data is good and the parity should be of it */
	unsigned wrong;		/* bit l: level l was read and differs */
	unsigned solved_with;	/* these levels agree with the data, which was solved with them */
};

/* ------------------------------------------------------------------------------------------------ fill */

static void fill(struct slot *slot, void *context)
{
	const struct fix *fix = context;

	for (column_t i = 0; i < slot->column_count; i++) {
		struct cell *cell = &slot->cell[i];

		cell->flags = 0;
		if (cell->disk == NULL || !block_has_file(cell->state))
			continue;
		if (cell->file->mark != 0)
			cell->flags |= CELL_WANTED;
		cell->want.inode = 0;	/* a restored file has another one */
		cell->want.same_stamp = false;
		cell->read = fix->mode != FIX_AUDIT || cell->file->mark != 0;
	}
	for (level_t l = 0; l < slot->level_count; l++)
		slot->parity[l].read = fix->open[l];
}

/* --------------------------------------------------------------------------------------------- compute */

static bool has_hash_of(const struct slot *slot, const struct cell *cell)
{
	return memcmp(cell->found, cell->hash, slot->hash_size) == 0;
}

/* Hash all blocks that were read, and find the bad ones. Is there any? */
static bool classify(struct slot *slot)
{
	struct hash_task task[COLUMN_MAX];
	struct hash_task *list[COLUMN_MAX];
	struct cell *owner[COLUMN_MAX];
	unsigned count = 0;
	bool bad = false;

	for (column_t i = 0; i < slot->column_count; i++) {
		struct cell *cell = &slot->cell[i];

		if (!cell->read)
			continue;
		if (cell->result != DATA_OK) {
			cell->flags |= CELL_BAD;
			bad = true;
		} else if (block_has_current_hash(cell->state)) {
			owner[count] = cell;
			task[count].data = cell->data;
			task[count].size = cell->bytes;
			list[count] = &task[count];
			count++;
		}
	}
	if (count > 0)
		hash_blocks(&slot->key, list, count);
	for (unsigned i = 0; i < count; i++) {
		memcpy(owner[i]->found, task[i].digest, sizeof owner[i]->found);
		if (!has_hash_of(slot, owner[i])) {
			owner[i]->flags |= CELL_BAD;
			bad = true;
		}
	}
	return bad;
}

/* A stripe that is being recovered. */
struct rescue {
	struct slot *slot;
	const struct fix *fix;
	void *const *scratch;		/* one buffer for each level */
	struct recover_block block[COLUMN_MAX];
	void *past[COLUMN_MAX];		/* what the block was before, found by its hash; NULL: not */
	unsigned readable;		/* levels */
};

static void describe(struct rescue *rescue, column_t column)
{
	const struct slot *slot = rescue->slot;
	const struct cell *cell = &slot->cell[column];
	struct recover_block *block = &rescue->block[column];
	uint8_t digest[HASH_BYTES_MAX];

	memset(block, 0, sizeof *block);
	block->state = cell->disk == NULL ? BLOCK_EMPTY : cell->state;
	block->good = (cell->flags & CELL_BAD) == 0;
	if (block->state != BLOCK_CHG && block->state != BLOCK_DELETED)
		return;
	block->past = past_kind(cell->hash, slot->hash_size);
	if (block->state == BLOCK_CHG && block->good && block->past == PAST_HASH) {
		hash_block(&slot->key, cell->data, cell->bytes, digest);
		block->past_is_read = memcmp(digest, cell->hash, slot->hash_size) == 0;
	}
}

/* Is it the block that its hash says, with nothing behind the end of the file? */
static bool is_right(const struct slot *slot, struct cell *cell)
{
	const uint8_t *data = cell->data;
	uint32_t rest = slot->used - cell->bytes;
	uint8_t digest[HASH_BYTES_MAX];

	/* All bytes of the rest are alike, and the first one is zero. */
	if (rest > 0 && (data[cell->bytes] != 0 || memcmp(data + cell->bytes, data + cell->bytes + 1, rest - 1) != 0))
		return false;
	hash_block(&slot->key, data, cell->bytes, digest);
	return memcmp(digest, cell->hash, slot->hash_size) == 0;
}

/* Solve as the attempt says. Is the result proven as it asks? */
static bool carry_out(struct rescue *rescue, const struct recover_attempt *attempt)
{
	struct slot *slot = rescue->slot;
	void *data[COLUMN_MAX];
	const void *stored[LEVEL_MAX] = { NULL };
	unsigned used = 0;

	for (column_t i = 0; i < slot->column_count; i++) {
		switch ((enum recover_source)attempt->source[i]) {
		case SOURCE_ZERO:
			data[i] = NULL;
			break;
		case SOURCE_READ:
			data[i] = slot->cell[i].data;
			break;
		case SOURCE_PAST:
			data[i] = rescue->past[i];
			break;
		case SOURCE_SOLVED:
			/* What was read and may be right stays as it is. */
			data[i] = rescue->block[i].good ? rescue->scratch[used++] : slot->cell[i].data;
			break;
		}
	}
	for (unsigned i = 0; i < attempt->count; i++)
		stored[attempt->use[i]] = slot->parity[attempt->use[i]].stored;
	if (raid_solve(rescue->fix->code, slot->column_count, slot->used, attempt->count, attempt->lost,
		       attempt->use, data, stored) < 0)
		return false;

	for (unsigned i = 0; i < attempt->count; i++)
		if (attempt->confirm[i] && !is_right(slot, &slot->cell[attempt->lost[i]]))
			return false;
	if (attempt->spare == LEVEL_NONE)
		return true;
	memset(stored, 0, sizeof stored);
	stored[attempt->spare] = slot->parity[attempt->spare].stored;
	return raid_verify(rescue->fix->code, attempt->spare + 1, slot->column_count, slot->used,
			   (const void *const *)data, stored) == 0;
}

static void prove(struct rescue *rescue, column_t column)
{
	struct cell *cell = &rescue->slot->cell[column];

	cell->flags &= ~(unsigned)CELL_DOUBTFUL;
	cell->flags |= CELL_PROVEN;
	rescue->block[column].good = true;
}

/* Keep what an attempt brought. Was anything proven? */
static bool take(struct rescue *rescue, const struct recover_attempt *attempt)
{
	struct verdict *verdict = rescue->slot->extra;
	bool proven = false;

	for (unsigned i = 0; i < attempt->count; i++)
		if (attempt->parity_is_new)
			verdict->solved_with |= 1u << attempt->use[i];
	for (unsigned i = 0; i < attempt->count; i++) {
		column_t column = attempt->lost[i];

		if (attempt->confirm[i]) {
			prove(rescue, column);
			proven = true;
		} else if (attempt->parity_is_new && rescue->block[column].state == BLOCK_CHG) {
			rescue->slot->cell[column].flags |= CELL_DOUBTFUL;
		}
	}
	return proven;
}

/* Try until an attempt holds. Was anything proven? */
static bool solve_once(struct rescue *rescue)
{
	const struct recover_attempt *attempt;
	struct recover recover;

	recover_begin(&recover, rescue->block, rescue->slot->column_count, rescue->readable);
	while ((attempt = recover_next(&recover)) != NULL)
		if (carry_out(rescue, attempt))
			return take(rescue, attempt);
	return false;
}

/* Is a block still lost that has a hash to know it by? */
static bool lacks_known(const struct rescue *rescue)
{
	for (column_t i = 0; i < rescue->slot->column_count; i++)
		if (!rescue->block[i].good && block_has_current_hash(rescue->block[i].state))
			return true;
	return false;
}

/* What was proven is one unknown less for what is still lost. */
static void solve(struct rescue *rescue)
{
	while (solve_once(rescue) && lacks_known(rescue))
		;
}

static bool find_now(struct rescue *rescue, column_t column)
{
	struct slot *slot = rescue->slot;
	struct cell *cell = &slot->cell[column];
	struct donor *donor = rescue->fix->donor;
	const struct donor_want want = { &slot->key, cell->hash, cell->bytes };
	char *earlier = path_add_suffix(cell->want.path, ".unrecoverable");
	bool found;

	found = donor_find_path(donor, &want, rescue->fix->root_fd[column], earlier, cell->block, cell->data) ||
		donor_find_stamp(donor, &want, &cell->want.stamp, cell->block, cell->data) ||
		donor_find_content(donor, &want, cell->data);
	free(earlier);
	return found;
}

static bool find_past(struct rescue *rescue, column_t column)
{
	struct slot *slot = rescue->slot;
	const struct recover_block *block = &rescue->block[column];
	const struct donor_want want = { &slot->key, slot->cell[column].hash, 0 };
	void *data;

	if ((block->state != BLOCK_CHG && block->state != BLOCK_DELETED) || block->past != PAST_HASH ||
	    block->past_is_read || !donor_knows_content(rescue->fix->donor))
		return false;
	data = mem_aligned(slot->block_size, 64);
	if (donor_find_content(rescue->fix->donor, &want, data)) {
		rescue->past[column] = data;
		rescue->block[column].past_at_hand = true;
		return true;
	}
	free(data);
	return false;
}

/* Look for lost and former blocks elsewhere. Was any found? */
static bool ask_donors(struct rescue *rescue)
{
	bool found = false;

	for (column_t i = 0; i < rescue->slot->column_count; i++) {
		const struct recover_block *block = &rescue->block[i];

		if (!block->good && block_has_current_hash(block->state) && find_now(rescue, i)) {
			prove(rescue, i);
			found = true;
		}
	}
	if (!lacks_known(rescue))
		return found;
	for (column_t i = 0; i < rescue->slot->column_count; i++)
		found |= find_past(rescue, i);
	return found;
}

static void recover_slot(struct slot *slot, const struct fix *fix, void *const *scratch)
{
	struct rescue rescue = { .slot = slot, .fix = fix, .scratch = scratch };

	for (column_t i = 0; i < slot->column_count; i++)
		describe(&rescue, i);
	for (level_t l = 0; l < slot->level_count; l++)
		if (slot->parity[l].have)
			rescue.readable |= 1u << l;
	solve(&rescue);
	/* The parity of the stripe costs nothing more; donors may mean a walk over all disks. */
	if (fix->donor != NULL && lacks_known(&rescue) && ask_donors(&rescue))
		solve(&rescue);
	for (column_t i = 0; i < slot->column_count; i++)
		free(rescue.past[i]);
}

static bool is_wanted_bad(const struct slot *slot)
{
	for (column_t i = 0; i < slot->column_count; i++)
		if ((slot->cell[i].flags & (CELL_WANTED | CELL_BAD)) == (CELL_WANTED | CELL_BAD))
			return true;
	return false;
}

static bool judges(const struct fix *fix)
{
	for (level_t l = 0; l < LEVEL_MAX; l++)
		if (fix->judge[l])
			return true;
	return false;
}

/* Only a stripe with nothing pending says what its parity must be, once all its data is good. */
static bool may_judge(const struct slot *slot)
{
	bool file = false;

	for (column_t i = 0; i < slot->column_count; i++) {
		const struct cell *cell = &slot->cell[i];

		if (cell->disk == NULL || cell->state == BLOCK_EMPTY)
			continue;
		if (block_is_unsynced(cell->state))
			return false;
		if ((cell->flags & (CELL_BAD | CELL_PROVEN)) == CELL_BAD)
			return false;
		file = true;
	}
	return file;
}

static void judge(struct slot *slot, const struct fix *fix)
{
	struct verdict *verdict = slot->extra;
	void *data[COLUMN_MAX];
	unsigned readable = 0, rewrite = 0;

	verdict->judged = true;
	slot_data(slot, data);
	for (level_t l = 0; l < slot->level_count; l++) {
		if (fix->judge[l] && slot->parity[l].have)
			readable |= 1u << l;
		else if (fix->judge[l])
			rewrite |= 1u << l;
	}
	verdict->wrong = verify_parity(slot, fix->code, data, readable & ~verdict->solved_with) |
			 verify_tails(slot, readable);
	rewrite |= verdict->wrong;
	if (fix->mode != FIX_WRITE || rewrite == 0)
		return;
	for (level_t l = 0; l < slot->level_count; l++)
		if (rewrite & (1u << l))
			slot->parity[l].write = true;
	verify_encode(slot, fix->code, data, rewrite);
}

/* The file was changed after the sync, and -e asks for damage only. */
static bool is_skipped(const struct fix *fix, const struct cell *cell)
{
	return fix->skip_changed && cell->changed;
}

static void compute(struct slot *slot, void *const *scratch, void *context)
{
	const struct fix *fix = context;
	bool bad = classify(slot);

	if (fix->mode == FIX_AUDIT)
		return;
	if (bad && (is_wanted_bad(slot) || judges(fix)))
		recover_slot(slot, fix, scratch);
	if (judges(fix) && may_judge(slot))
		judge(slot, fix);
	if (fix->mode != FIX_WRITE)
		return;
	for (column_t i = 0; i < slot->column_count; i++) {
		struct cell *cell = &slot->cell[i];

		cell->write = (cell->flags & CELL_WANTED) != 0 && (cell->flags & CELL_BAD) != 0 &&
			      (cell->flags & (CELL_PROVEN | CELL_DOUBTFUL)) != 0 && !is_skipped(fix, cell) &&
			      fix->restore[i] != NULL;
	}
}

/* ----------------------------------------------------------------------------------------------- write */

static int write_data(const struct slot *slot, column_t column, void *context)
{
	const struct fix *fix = context;
	const struct cell *cell = &slot->cell[column];
	const struct draft_file of = { cell->want.key, cell->want.path, cell->want.stamp, cell->meta };
	const struct draft_block block = {
		.offset = cell->block * slot->block_size,
		.bytes = cell->bytes,
		.data = cell->data,
		.proven = (cell->flags & CELL_PROVEN) != 0,
	};

	return restore_write(fix->restore[column], &of, &block);
}

/* ---------------------------------------------------------------------------------------------- retire */

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

static unsigned differing_bits(const struct slot *slot, const struct cell *cell)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < slot->hash_size; i++)
		bits += (unsigned)__builtin_popcount((unsigned)(cell->found[i] ^ cell->hash[i]));
	return bits;
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
	} else if (cell->changed || cell->state == BLOCK_REP) {
		/* Someone wrote to it, or it never was the copy it was taken for: nothing decayed. */
		fix->errors->soft++;
		report(EV_FIX_SOFT, slot->at, disk, path, cell->block, "Data differs, the file changed");
	} else {
		char bits[32];

		snprintf(bits, sizeof bits, "%u/%u", differing_bits(slot, cell), slot->hash_size * 8);
		fix->errors->data++;
		report(EV_FIX_DATA, slot->at, disk, path, cell->block, bits);
	}
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
	if (cell->write_error != 0) {
		fix->errors->unrecoverable++;
		if (!ff->failed)
			report(EV_FIX_WRITE, slot->at, disk, path, strerror(cell->write_error));
		ff->failed = true;
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
		if ((cell->flags & CELL_BAD) != 0)
			report(EV_FIX_OTHER, slot->at, cell->disk->name, cell->file->path, cell->block,
			       "not asked for, and not as recorded");
		return;
	}
	ff->changed |= cell->changed;
	if ((cell->flags & CELL_BAD) != 0) {
		if (is_skipped(fix, cell)) {
			fix->errors->soft += !ff->skipped;
			ff->skipped = true;
		} else {
			ff->bad = true;
			tell_owner(ff, cell);
			tell_bad(slot, cell, fix);
			if (fix->mode != FIX_AUDIT)
				tell_outcome(slot, cell, ff, fix);
		}
	}
	if (--ff->left == 0)
		fix_file_end(fix, ff);
}

static void retire_level(const struct slot *slot, level_t l, struct fix *fix)
{
	const struct parity_cell *cell = &slot->parity[l];
	const struct verdict *verdict = slot->extra;
	const char *name = fix->array->level[l].name;
	bool hardware = data_error_is_hardware(cell->error);

	if (!cell->have && hardware) {
		fix->errors->io++;
		report(EV_FIX_PARITY_IO, slot->at, name, strerror(cell->error));
	} else if (!verdict->judged) {
		return;
	} else if (!cell->have) {
		fix->errors->soft++;
		report(EV_FIX_PARITY_SOFT, slot->at, name, strerror(cell->error));
	} else if ((verdict->wrong & (1u << l)) != 0) {
		fix->errors->data++;
		report(fix->told_parity & (1u << l) ? EV_FIX_PARITY_DATA : EV_FIX_PARITY_DATA_FIRST, slot->at, name);
		fix->told_parity |= 1u << l;
	}
	if (!cell->write)
		return;
	if (cell->write_error != 0) {
		fix->errors->unrecoverable++;
		report(EV_FIX_PARITY_WRITE, slot->at, name, strerror(cell->write_error));
	} else {
		fix->errors->recovered++;
		report(EV_FIX_PARITY_FIXED, slot->at, name);
	}
}

static int retire(const struct slot *slot, void *context)
{
	struct fix *fix = context;

	for (column_t i = 0; i < slot->column_count; i++) {
		const struct cell *cell = &slot->cell[i];

		if (cell->read)
			retire_cell(slot, cell, fix);
	}
	for (level_t l = 0; l < slot->level_count; l++)
		if (slot->parity[l].read && fix->judge[l])
			retire_level(slot, l, fix);
	return 0;
}

const struct stripe_job job_audit = {
	.extra_size = sizeof(struct verdict),
	.fill = fill, .compute = compute, .retire = retire,
};

const struct stripe_job job_check = {
	.reads_parity = true,
	.extra_size = sizeof(struct verdict), .scratch_blocks = LEVEL_MAX,
	.fill = fill, .compute = compute, .retire = retire,
};

const struct stripe_job job_fix = {
	.reads_parity = true, .writes_parity = true, .writes_data = true,
	.extra_size = sizeof(struct verdict), .scratch_blocks = LEVEL_MAX,
	.fill = fill, .compute = compute, .write_data = write_data, .retire = retire,
};
