/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/recover.h"

#include <limits.h>
#include <string.h>

/* A stripe with no solution must not hold up the others: an attempt costs as much as reading it. */
#define ATTEMPTS_MAX 1024	/* with the past as recorded, and once more with zeros for some of it */
#define SPLIT_BITS_MAX 8	/* as to which levels have which columns as before */

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

static bool is_few(const struct recover *r)
{
	return r->pending_count <= RECOVER_MIXED_MAX;
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

static bool is_taken_for_empty(const struct recover *r, unsigned column)
{
	return r->block[column].past != r->given[column].past;
}

/* Is everything that is taken for an empty place before also used as that? What is not was tried already. */
static bool is_emptied(const struct recover *r)
{
	for (unsigned i = 0; i < r->pending_count; i++)
		if (is_taken_for_empty(r, r->pending[i]) && r->choice[r->pending[i]] != AS_BEFORE)
			return false;
	return true;
}

/* Turn the choices into an attempt without levels yet. false: it cannot be solved, or not be proven. */
static bool assume(struct recover *r, bool is_new)
{
	struct recover_attempt *attempt = &r->attempt;
	bool confirmed = false;

	attempt->parity_is_new = is_new;
	attempt->is_split = false;
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

static bool subset_first(struct recover *r, unsigned size)
{
	if (size > r->levels)
		return false;
	r->subset_size = size;
	for (unsigned i = 0; i < size; i++)
		r->subset[i] = i;
	return true;
}

/* ---- levels of different times */

/* Each bit of r->split says whether one level in use has all pending columns as before or, if these are looked at one
 * by one, one of them. */
static unsigned split_columns(const struct recover *r)
{
	return r->split_each ? r->pending_count : 1;
}

static unsigned old_of_level(const struct recover *r, unsigned i)
{
	unsigned columns = split_columns(r);

	return (r->split >> (i * columns)) & ((1u << columns) - 1);
}

/* Is it anything that no other assumption says? */
static bool is_split(const struct recover *r)
{
	unsigned all = (1u << split_columns(r)) - 1;
	bool differ = false, mixed = !r->split_each;

	for (unsigned i = 0; i < r->subset_size; i++) {
		unsigned old = old_of_level(r, i);

		differ |= old != old_of_level(r, 0);
		mixed |= old != 0 && old != all;
	}
	return differ && mixed;
}

static void add_unknown(struct recover_attempt *attempt, unsigned column, bool was, bool confirm)
{
	if (attempt->count < LEVEL_MAX) {
		attempt->lost[attempt->count] = column;
		attempt->lost_was[attempt->count] = was;
		attempt->confirm[attempt->count] = confirm;
	}
	attempt->count++;
}

/* Turn r->split and the levels in use into an attempt. The choices say what the columns were before. */
static bool assume_split(struct recover *r)
{
	struct recover_attempt *attempt = &r->attempt;
	unsigned in_use = 0, confirmed = 0;

	if (!is_split(r))
		return false;
	attempt->parity_is_new = false;
	attempt->is_split = true;
	attempt->spare = LEVEL_NONE;
	attempt->count = 0;
	memset(attempt->old, 0, sizeof attempt->old);
	for (unsigned i = 0; i < r->subset_size; i++) {
		in_use |= 1u << r->level[r->subset[i]];
		for (unsigned p = 0; p < r->pending_count; p++)
			if (old_of_level(r, i) & (r->split_each ? 1u << p : 1u))
				attempt->old[r->pending[p]] |= (uint8_t)(1u << r->level[r->subset[i]]);
	}
	for (unsigned i = 0; i < r->columns; i++) {
		const struct recover_block *block = &r->block[i];
		bool same;

		attempt->source[i] = (uint8_t)source_of(block, AS_NOW);
		attempt->was[i] = (uint8_t)source_of(block, r->choice[i]);
		/* Another assumption says the same of this column: what is equal in all levels is no matter of split. */
		same = attempt->was[i] == attempt->source[i] && attempt->was[i] != SOURCE_SOLVED;
		if (r->split_each && (attempt->old[i] != 0 ? same : is_taken_for_empty(r, i)))
			return false;
		if (attempt->source[i] == SOURCE_SOLVED && (in_use & ~attempt->old[i]) != 0) {
			bool confirm = is_confirmed_by_hash(block, AS_NOW);

			confirmed += confirm;
			add_unknown(attempt, i, false, confirm);
		}
		if (attempt->was[i] == SOURCE_SOLVED && (in_use & attempt->old[i]) != 0)
			add_unknown(attempt, i, true, false);
	}
	return attempt->count == r->subset_size && confirmed > 0;
}

/* The next of all ways in which some levels differ: that have a solution, as far as counting tells. */
static bool split_next(struct recover *r)
{
	do {
		if (++r->split >> (r->subset_size * split_columns(r)) == 0)
			continue;
		r->split = 0;
		if (!subset_next(r) && !subset_first(r, r->subset_size + 1))
			return false;
		if (r->subset_size * split_columns(r) > SPLIT_BITS_MAX)
			return false;
	} while (!assume_split(r));
	return true;
}

static bool split_first(struct recover *r, bool each)
{
	r->split_each = each;
	r->split = 0;
	return subset_first(r, 2) && r->subset_size * split_columns(r) <= SPLIT_BITS_MAX && split_next(r);
}

/* ---- one assumption after the other */

/* Fewer unknowns first: they leave less to chance and need fewer levels. */
static bool mixed_next(struct recover *r)
{
	for (; r->mixed_count <= r->levels; r->mixed_count++)
		while (choose_next(r))
			if (!is_pure(r) && is_emptied(r) && assume(r, false) && r->attempt.count == r->mixed_count)
				return true;
	return false;
}

/* Before: what nothing is recorded of was an empty place, or anything. */
static void choose_before(struct recover *r, bool anything)
{
	choose_all(r, AS_BEFORE);
	for (unsigned i = 0; anything && i < r->pending_count; i++)
		if (has_unknown_past(&r->block[r->pending[i]]))
			r->choice[r->pending[i]] = AS_UNKNOWN;
}

/* The first attempt of a step. false: there is none. */
static bool begin_step(struct recover *r)
{
	const bool few = is_few(r);

	switch (r->step) {
	case STEP_NEW:
		choose_all(r, AS_NOW);
		return assume(r, true);
	case STEP_OLD:
		choose_before(r, false);
		return assume(r, false);
	case STEP_SPLIT:
		choose_before(r, false);
		return split_first(r, false);
	case STEP_MIXED:
		choose_all(r, AS_NOW);
		r->mixed_count = 1;
		return few && mixed_next(r);
	case STEP_OLD_UNKNOWN:
		choose_before(r, true);
		return !few && assume(r, false);
	case STEP_UNKNOWN:
		choose_all(r, AS_UNKNOWN);
		return !few && assume(r, false);
	case STEP_SPLIT_UNKNOWN:
		choose_before(r, true);
		return split_first(r, false);
	case STEP_SPLIT_EACH:
		choose_before(r, false);
		return few && split_first(r, true);
	case STEP_SPLIT_EACH_UNKNOWN:
		choose_before(r, true);
		return few && split_first(r, true);
	case STEP_BEGIN:
	case STEP_END:
		break;
	}
	return false;
}

/* Move on to the next assumption that can be tried. */
static bool next_assumption(struct recover *r)
{
	if (r->step == STEP_MIXED && mixed_next(r))
		return true;
	while (r->step < STEP_END) {
		if (r->step == STEP_NEW && (r->pending_count == 0 || !r->may_confirm))
			r->step = STEP_END;
		else
			r->step++;
		if (begin_step(r))
			return true;
	}
	return false;
}

static bool has_past_hash(const struct recover_block *block)
{
	return (block->state == BLOCK_CHG || block->state == BLOCK_DELETED) && block->past == PAST_HASH;
}

/* Begin again, with zeros for other past hashes: all of them, then each part of them if they are few. */
static bool next_emptied(struct recover *r)
{
	unsigned bit = 0, set;

	if (r->emptied == r->emptied_last)
		return false;
	if (r->emptied == 0)
		r->left = ATTEMPTS_MAX;
	set = r->emptied_last - r->emptied++;
	for (unsigned i = 0; i < r->pending_count; i++) {
		struct recover_block *block = &r->block[r->pending[i]];

		*block = r->given[r->pending[i]];
		if (!has_past_hash(block))
			continue;
		if (set & (1u << bit))
			block->past = PAST_ZERO;
		bit += is_few(r);
	}
	r->subset_size = 0;
	r->step = STEP_NEW;
	return true;
}

/* Other levels, for the same assumption. */
static bool next_levels(struct recover *r)
{
	if (r->subset_size == 0)
		return false;
	return r->attempt.is_split ? split_next(r) : subset_next(r);
}

void recover_begin(struct recover *recover, const struct recover_block *block, unsigned columns, unsigned levels)
{
	unsigned hashes = 0;

	memset(recover, 0, sizeof *recover);
	recover->given = block;
	memcpy(recover->block, block, columns * sizeof *block);
	recover->columns = columns;
	for (unsigned l = 0; l < LEVEL_MAX; l++)
		if (levels & (1u << l))
			recover->level[recover->levels++] = l;
	for (unsigned i = 0; i < columns; i++) {
		if (block_is_unsynced(block[i].state))
			recover->pending[recover->pending_count++] = i;
		recover->may_confirm |= block_has_current_hash(block[i].state) && !block[i].good;
		hashes += has_past_hash(&block[i]);
	}
	recover->emptied_last = (1u << (is_few(recover) ? hashes : hashes > 0)) - 1;
	recover->left = ATTEMPTS_MAX;
}

const struct recover_attempt *recover_next(struct recover *recover)
{
	struct recover_attempt *attempt = &recover->attempt;

	while (recover->left == 0 || (!next_levels(recover) && !next_assumption(recover)))
		if (!next_emptied(recover)) {
			recover->left = 0;
			return NULL;
		}
	recover->left--;
	for (unsigned i = 0; i < attempt->count; i++)
		attempt->use[i] = recover->level[recover->subset[i]];
	if (attempt->spare != LEVEL_NONE)
		attempt->spare = recover->level[recover->subset[attempt->count]];
	return attempt;
}
