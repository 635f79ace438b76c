/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/solve.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void solve_describe(struct solve *solve, column_t column, bool good)
{
	const struct slot *slot = solve->slot;
	const struct cell *cell = &slot->cell[column];
	struct recover_block *block = &solve->block[column];
	uint8_t digest[HASH_BYTES_MAX];

	memset(block, 0, sizeof *block);
	block->state = cell->state;
	block->good = good;
	if (block->state != BLOCK_CHG && block->state != BLOCK_DELETED)
		return;
	block->past = past_kind(cell->hash, slot->hash_size);
	if (block->state == BLOCK_CHG && block->good && block->past == PAST_HASH) {
		hash_block(&slot->key, cell->data, cell->bytes, digest);
		block->past_is_read = memcmp(digest, cell->hash, slot->hash_size) == 0;
	}
}

void solve_describe_other(struct solve *solve, column_t column)
{
	solve->block[column] = (struct recover_block){ .state = BLOCK_CHG, .good = true, .past = PAST_UNKNOWN };
}

/* Is it the block that its hash says, with nothing behind the end of the file? */
static bool is_right(const struct slot *slot, struct cell *cell)
{
	uint8_t digest[HASH_BYTES_MAX];

	if (!mem_is_zero((const char *)cell->data + cell->bytes, slot->used - cell->bytes))
		return false;
	hash_block(&slot->key, cell->data, cell->bytes, digest);
	return memcmp(digest, cell->hash, slot->hash_size) == 0;
}

/* What a column contributes; NULL is zeros. What was read and may be right stays as it is: what else it was, is solved
 * into a buffer that is free. */
static void *data_of(const struct solve *solve, column_t column, enum recover_source source, bool was, unsigned *used)
{
	switch (source) {
	case SOURCE_ZERO:
		break;
	case SOURCE_READ:
		return solve->slot->cell[column].data;
	case SOURCE_PAST:
		return solve->past[column];
	case SOURCE_SOLVED:
		return was || solve->block[column].good ? solve->scratch[(*used)++] : solve->slot->cell[column].data;
	}
	return NULL;
}

/* All levels hold the same. */
static bool solve_uniform(const struct solve *solve, const struct recover_attempt *attempt, void **data)
{
	const struct slot *slot = solve->slot;
	unsigned used = 0;

	for (column_t i = 0; i < slot->column_count; i++)
		data[i] = data_of(solve, i, attempt->source[i], false, &used);
	return raid_solve(slot->code, slot->column_count, slot->used, attempt->count, attempt->lost, attempt->use, data,
			  solve->stored) == 0;
}

/* The parts of the columns in levels that hold different things. */
struct parts {
	struct raid_part part[RAID_PART_MAX + 1];
	unsigned count, lost[LEVEL_MAX], lost_count;
	unsigned used;
};

static void add_part(struct parts *parts, const struct solve *solve, column_t column, enum recover_source source,
		     bool was, unsigned levels)
{
	if (levels == 0 || source == SOURCE_ZERO || parts->count > RAID_PART_MAX)
		return;
	if (source == SOURCE_SOLVED)
		parts->lost[parts->lost_count++] = parts->count;
	parts->part[parts->count++] = (struct raid_part){
		.column = column,
		.levels = levels,
		.data = data_of(solve, column, source, was, &parts->used),
	};
}

static bool solve_split(const struct solve *solve, const struct recover_attempt *attempt)
{
	struct parts parts = { .count = 0 };
	unsigned in_use = 0;

	for (unsigned i = 0; i < attempt->count; i++)
		in_use |= 1u << attempt->use[i];
	for (column_t i = 0; i < solve->slot->column_count; i++) {
		unsigned old = attempt->old[i] & in_use;

		add_part(&parts, solve, i, attempt->source[i], false, in_use & ~old);
		add_part(&parts, solve, i, attempt->was[i], true, old);
	}
	return parts.lost_count == attempt->count &&
	       raid_solve_parts(solve->slot->code, parts.count, parts.part, solve->slot->used, parts.lost_count, parts.lost,
				attempt->use, solve->stored) == 0;
}

/* Solve as the attempt says. Is the result proven as it asks? */
static bool carry_out(struct solve *solve, const struct recover_attempt *attempt)
{
	struct slot *slot = solve->slot;
	const void *spare[LEVEL_MAX] = { NULL };
	void *data[COLUMN_MAX];

	if (!(attempt->is_split ? solve_split(solve, attempt) : solve_uniform(solve, attempt, data)))
		return false;
	for (unsigned i = 0; i < attempt->count; i++)
		if (attempt->confirm[i] && !is_right(slot, &slot->cell[attempt->lost[i]]))
			return false;
	if (attempt->spare == LEVEL_NONE)
		return true;
	spare[attempt->spare] = solve->stored[attempt->spare];
	return raid_verify(slot->code, attempt->spare + 1, slot->column_count, slot->used,
			   (const void *const *)data, spare) == 0;
}

const struct recover_attempt *solve_once(struct solve *solve)
{
	const struct recover_attempt *attempt;
	unsigned readable = 0;

	for (level_t l = 0; l < solve->slot->level_count; l++)
		if (solve->stored[l] != NULL)
			readable |= 1u << l;
	recover_begin(&solve->recover, solve->block, solve->slot->column_count, readable);
	do {
		attempt = recover_next(&solve->recover);
		solve->tried += attempt != NULL;
	} while (attempt != NULL && !carry_out(solve, attempt));
	for (unsigned i = 0; attempt != NULL && i < attempt->count; i++)
		if (attempt->confirm[i])
			solve->block[attempt->lost[i]].good = true;
	return attempt;
}

bool solve_proves_more(struct solve *solve)
{
	const struct recover_attempt *attempt = solve_once(solve);

	for (unsigned i = 0; attempt != NULL && i < attempt->count; i++)
		if (attempt->confirm[i])
			return true;
	return false;
}

bool solve_lacks_known(const struct solve *solve)
{
	for (column_t i = 0; i < solve->slot->column_count; i++)
		if (!solve->block[i].good && block_has_current_hash(solve->block[i].state))
			return true;
	return false;
}

void solve_promised(struct solve *solve, const bool other[COLUMN_MAX])
{
	struct slot *slot = solve->slot;
	void *read[COLUMN_MAX] = { NULL };

	for (column_t i = 0; i < slot->column_count; i++) {
		if (!other[i])
			continue;
		read[i] = mem_alloc(slot->block_size);
		memcpy(read[i], slot->cell[i].data, slot->block_size);
		solve_describe(solve, i, false);
	}
	while (solve_lacks_known(solve) && solve_proves_more(solve))
		;
	for (column_t i = 0; i < slot->column_count; i++) {
		if (read[i] != NULL && !solve->block[i].good)
			memcpy(slot->cell[i].data, read[i], slot->block_size);
		free(read[i]);
	}
}
