/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/rescue.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "io/donor.h"
#include "plan/recover.h"
#include "stripe/fix_cell.h"

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

void rescue_slot(struct slot *slot, const struct fix *fix, void *const *scratch)
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
