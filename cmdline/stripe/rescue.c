/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/rescue.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/path.h"
#include "io/donor.h"
#include "io/draft.h"
#include "stripe/fix_cell.h"
#include "stripe/solve.h"

/* A stripe that is being recovered. */
struct rescue {
	struct slot *slot;
	const struct fix *fix;
	struct solve solve;		/* its past[] is ours */
};

static void prove(struct rescue *rescue, column_t column)
{
	struct cell *cell = &rescue->slot->cell[column];

	cell->flags &= ~(unsigned)CELL_DOUBTFUL;
	cell->flags |= CELL_PROVEN;
	rescue->solve.block[column].good = true;
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
		} else if (attempt->parity_is_new && rescue->solve.block[column].state == BLOCK_CHG) {
			rescue->slot->cell[column].flags |= CELL_DOUBTFUL;
		}
	}
	return proven;
}

/* What was proven is one unknown less for what is still lost. */
static void solve_all(struct rescue *rescue)
{
	const struct recover_attempt *attempt;

	while ((attempt = solve_once(&rescue->solve)) != NULL)
		if (!take(rescue, attempt) || !solve_lacks_known(&rescue->solve))
			break;
}

/* ... in what an earlier run could have of that file. */
static bool find_earlier(const struct rescue *rescue, column_t column, const struct donor_want *want,
			 const struct suffixed *recorded, void *data)
{
	const struct cell *cell = &rescue->slot->cell[column];
	char *earlier = draft_unrecoverable_path(recorded, cell->want.path);
	bool found = donor_find_path(rescue->fix->donor, want, rescue->fix->root_fd[column], earlier, cell->block, data);

	free(earlier);
	return found;
}

/* The data of this hash, into `data`. */
static bool find_now(const struct rescue *rescue, column_t column, void *data)
{
	const struct slot *slot = rescue->slot;
	const struct cell *cell = &slot->cell[column];
	struct donor *donor = rescue->fix->donor;
	const struct donor_want want = { &slot->key, cell->hash, cell->bytes };
	const struct suffixed *recorded = rescue->fix->beside[column];

	return find_earlier(rescue, column, &want, NULL, data) ||
	       (recorded != NULL && find_earlier(rescue, column, &want, recorded, data)) ||
	       donor_find_stamp(donor, &want, &cell->want.stamp, cell->block, data) ||
	       donor_find_content(donor, &want, data);
}

static bool find_past(struct rescue *rescue, column_t column)
{
	struct slot *slot = rescue->slot;
	const struct recover_block *block = &rescue->solve.block[column];
	const struct donor_want want = { &slot->key, slot->cell[column].hash, 0 };
	void *data;

	if ((block->state != BLOCK_CHG && block->state != BLOCK_DELETED) || block->past != PAST_HASH ||
	    block->past_is_read || !donor_knows_content(rescue->fix->donor))
		return false;
	data = mem_aligned(slot->block_size, 64);
	if (donor_find_content(rescue->fix->donor, &want, data)) {
		rescue->solve.past[column] = data;
		rescue->solve.block[column].past_at_hand = true;
		return true;
	}
	free(data);
	return false;
}

/* It was that, perhaps, when the parity was written. */
static bool find_promised(struct rescue *rescue, column_t column)
{
	struct recover_block *block = &rescue->solve.block[column];
	void *data;

	if ((rescue->slot->cell[column].flags & CELL_OTHER) == 0)
		return false;
	data = mem_aligned(rescue->slot->block_size, 64);
	if (!find_now(rescue, column, data)) {
		free(data);
		return false;
	}
	rescue->solve.past[column] = data;
	block->past = PAST_HASH;
	block->past_at_hand = true;
	return true;
}

/* Look for lost and former blocks elsewhere. Was any found? */
static bool ask_donors(struct rescue *rescue)
{
	bool found = false;

	for (column_t i = 0; i < rescue->slot->column_count; i++) {
		const struct recover_block *block = &rescue->solve.block[i];

		if (!block->good && block_has_current_hash(block->state) &&
		    find_now(rescue, i, rescue->slot->cell[i].data)) {
			prove(rescue, i);
			rescue->slot->cell[i].flags |= CELL_FOUND;
			found = true;
		}
	}
	if (!solve_lacks_known(&rescue->solve))
		return found;
	for (column_t i = 0; i < rescue->slot->column_count; i++)
		found |= find_past(rescue, i) || find_promised(rescue, i);
	return found;
}

static void describe(struct rescue *rescue)
{
	struct slot *slot = rescue->slot;

	for (column_t i = 0; i < slot->column_count; i++)
		if (slot->cell[i].flags & CELL_OTHER)
			solve_describe_other(&rescue->solve, i);
		else
			solve_describe(&rescue->solve, i, fix_cell_is_right(&slot->cell[i]));
	for (level_t l = 0; l < slot->level_count; l++)
		if (slot->parity[l].have)
			rescue->solve.stored[l] = slot->parity[l].stored;
}

void rescue_promised(struct slot *slot, const struct fix *fix, void *const *scratch)
{
	struct rescue rescue = { slot, fix, { .slot = slot, .scratch = scratch } };
	bool other[COLUMN_MAX] = { false };

	describe(&rescue);
	for (column_t i = 0; i < slot->column_count; i++)
		other[i] = (slot->cell[i].flags & CELL_OTHER) != 0;
	solve_promised(&rescue.solve, other);
	for (column_t i = 0; i < slot->column_count; i++) {
		if (!other[i] || !rescue.solve.block[i].good)
			continue;
		slot->cell[i].flags &= ~(unsigned)CELL_OTHER;
		slot->cell[i].flags |= CELL_BAD | CELL_PROVEN;
	}
}

void rescue_slot(struct slot *slot, const struct fix *fix, void *const *scratch)
{
	struct rescue rescue = { slot, fix, { .slot = slot, .scratch = scratch } };
	struct verdict *verdict = slot->extra;

	describe(&rescue);
	solve_all(&rescue);
	if (fix->donor != NULL && solve_lacks_known(&rescue.solve) && ask_donors(&rescue))
		solve_all(&rescue);
	verdict->rescued = true;
	verdict->tried = rescue.solve.tried;
	for (column_t i = 0; i < slot->column_count; i++)
		free(rescue.solve.past[i]);
}
