/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/recover.h"

#include <limits.h>
#include <string.h>

/* A stripe with no solution must not hold up the others: an attempt costs as much as reading it. */
#define ATTEMPTS_MAX 1024

enum { AS_NOW, AS_BEFORE, AS_UNKNOWN };

/* Nothing is kept of what a REP block was before. */
static bool has_unknown_past(const struct recover_block *block)
{
	return block->state == BLOCK_REP || block->past == PAST_UNKNOWN;
}

/* What the column contributes if `choice` is true of it. */
static enum recover_source source_of(const struct recover_block *block, uint8_t choice)
{
	if (block->state == BLOCK_EMPTY)
		return SOURCE_ZERO;
	if (block->state == BLOCK_BLK || choice == AS_NOW) {
		if (block->state == BLOCK_DELETED)
			return SOURCE_ZERO;
		return block->good ? SOURCE_READ : SOURCE_SOLVED;
	}
	if (choice == AS_UNKNOWN)
		return SOURCE_SOLVED;
	/* Most new files come to empty places, those of which nothing is recorded, too. */
	if (has_unknown_past(block) || block->past == PAST_ZERO)
		return SOURCE_ZERO;
	if (block->state == BLOCK_CHG && block->good && block->past_is_read)
		return SOURCE_READ;
	return block->past_at_hand ? SOURCE_PAST : SOURCE_SOLVED;
}

static bool is_confirmed_by_hash(const struct recover_block *block, uint8_t choice)
{
	return block->state == BLOCK_BLK || (block->state == BLOCK_REP && choice == AS_NOW);
}

/* Does the choice say anything that an earlier one does not? */
static bool is_distinct(const struct recover_block *block, uint8_t choice)
{
	enum recover_source source = source_of(block, choice);

	for (uint8_t earlier = AS_NOW; earlier < choice; earlier++)
		if (source_of(block, earlier) == source &&
		    !(source == SOURCE_SOLVED && is_confirmed_by_hash(block, earlier)))
			return false;
	return true;
}

static void choose_all(struct recover *r, uint8_t choice)
{
	memset(r->choice, AS_NOW, sizeof r->choice);
	for (unsigned i = 0; i < r->pending_count; i++)
		r->choice[r->pending[i]] = choice;
}

/* Count up, the first pending column fastest, over distinct choices. false: all were seen. */
static bool choose_next(struct recover *r)
{
	for (unsigned i = 0; i < r->pending_count; i++) {
		unsigned column = r->pending[i];

		while (++r->choice[column] <= AS_UNKNOWN)
			if (is_distinct(&r->block[column], r->choice[column]))
				return true;
		r->choice[column] = AS_NOW;
	}
	return false;
}

/* Was it tried as a whole before? */
static bool is_pure(const struct recover *r)
{
	bool now = true, before = true;

	for (unsigned i = 0; i < r->pending_count; i++) {
		const struct recover_block *block = &r->block[r->pending[i]];
		uint8_t choice = r->choice[r->pending[i]];

		if (choice != AS_NOW)
			now = false;
		if (source_of(block, choice) != source_of(block, AS_BEFORE))
			before = false;
	}
	return now || before;
}

/* Turn the choices into an attempt without levels yet. false: it cannot be solved, or not be proven. */
static bool assume(struct recover *r, bool is_new)
{
	struct recover_attempt *attempt = &r->attempt;
	bool confirmed = false;

	attempt->parity_is_new = is_new;
	attempt->count = 0;
	for (unsigned i = 0; i < r->columns; i++) {
		attempt->source[i] = (uint8_t)source_of(&r->block[i], r->choice[i]);
		if (attempt->source[i] != SOURCE_SOLVED)
			continue;
		if (attempt->count == r->levels)
			return false;
		attempt->confirm[attempt->count] = is_confirmed_by_hash(&r->block[i], r->choice[i]);
		confirmed |= attempt->confirm[attempt->count];
		attempt->lost[attempt->count++] = i;
	}
	if (attempt->count == 0 || (!confirmed && !is_new))
		return false;

	r->subset_size = attempt->count;
	attempt->spare = LEVEL_NONE;
	/* Without a hash another level has to agree. With none left, the result is all there is. */
	if (!confirmed && r->subset_size < r->levels)
		attempt->spare = r->level[r->subset_size++];
	for (unsigned i = 0; i < r->subset_size; i++)
		r->subset[i] = i;
	return true;
}

/* The next set of levels in lexicographic order. */
static bool subset_next(struct recover *r)
{
	unsigned i = r->subset_size;

	while (i > 0 && r->subset[i - 1] == r->levels - r->subset_size + i - 1)
		i--;
	if (i == 0)
		return false;
	r->subset[i - 1]++;
	for (; i < r->subset_size; i++)
		r->subset[i] = r->subset[i - 1] + 1;
	return true;
}

/* Move on to the next assumption that can be tried. */
static bool next_assumption(struct recover *r)
{
	for (;;) {
		switch (r->step) {
		case STEP_NEW:
			r->step = STEP_OLD;
			choose_all(r, AS_NOW);
			if (assume(r, true))
				return true;
			break;
		case STEP_OLD:
			r->step = r->pending_count <= RECOVER_MIXED_MAX ? STEP_MIXED : STEP_OLD_UNKNOWN;
			if (r->pending_count == 0 || !r->may_confirm)
				r->step = STEP_END;
			r->mixed_count = 1;
			choose_all(r, AS_BEFORE);
			if (r->pending_count > 0 && assume(r, false))
				return true;
			choose_all(r, AS_NOW);
			break;
		case STEP_MIXED:
			/* Fewer unknowns first: they leave less to chance and need fewer levels. */
			while (choose_next(r))
				if (!is_pure(r) && assume(r, false) && r->attempt.count == r->mixed_count)
					return true;
			if (++r->mixed_count > r->levels)
				r->step = STEP_END;
			break;
		case STEP_OLD_UNKNOWN:
			r->step = STEP_UNKNOWN;
			choose_all(r, AS_BEFORE);
			for (unsigned i = 0; i < r->pending_count; i++)
				if (has_unknown_past(&r->block[r->pending[i]]))
					r->choice[r->pending[i]] = AS_UNKNOWN;
			if (assume(r, false))
				return true;
			break;
		case STEP_UNKNOWN:
			r->step = STEP_END;
			choose_all(r, AS_UNKNOWN);
			if (assume(r, false))
				return true;
			break;
		case STEP_END:
			return false;
		}
	}
}

void recover_begin(struct recover *recover, const struct recover_block *block, unsigned columns, unsigned levels)
{
	memset(recover, 0, sizeof *recover);
	recover->block = block;
	recover->columns = columns;
	for (unsigned l = 0; l < LEVEL_MAX; l++)
		if (levels & (1u << l))
			recover->level[recover->levels++] = l;
	for (unsigned i = 0; i < columns; i++) {
		if (block_is_unsynced(block[i].state))
			recover->pending[recover->pending_count++] = i;
		recover->may_confirm |= block_has_current_hash(block[i].state) && !block[i].good;
	}
	recover->left = ATTEMPTS_MAX;
}

const struct recover_attempt *recover_next(struct recover *recover)
{
	struct recover_attempt *attempt = &recover->attempt;

	if (recover->left == 0)
		return NULL;
	recover->left--;
	if ((recover->subset_size == 0 || !subset_next(recover)) && !next_assumption(recover)) {
		recover->left = 0;
		return NULL;
	}
	for (unsigned i = 0; i < attempt->count; i++)
		attempt->use[i] = recover->level[recover->subset[i]];
	if (attempt->spare != LEVEL_NONE)
		attempt->spare = recover->level[recover->subset[attempt->count]];
	return attempt;
}
