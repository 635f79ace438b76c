/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/member.h"

#include <errno.h>

#include "os/clock.h"

static bool read_data(struct member *member, struct slot *slot)
{
	struct cell *cell = &slot->cell[member->column];

	if (!cell->read)
		return false;
	cell->result = data_read(member->reader, &cell->want, cell->block * slot->block_size, cell->bytes, slot->used,
				 cell->data, &cell->changed, &cell->error);
	cell->seen = data_reader_seen(member->reader);
	return true;
}

static bool read_parity(struct member *member, struct slot *slot)
{
	struct parity_cell *cell = &slot->parity[member->level];

	if (!cell->read)
		return false;
	cell->have = parity_read(member->parity, slot->at, cell->stored) == 0;
	cell->error = cell->have ? 0 : errno;
	return true;
}

uint64_t member_note(const struct member *member, uint64_t begin_us, uint64_t bytes)
{
	uint64_t end_us = os_monotonic_us();

	atomic_fetch_add(&member->lane->busy_us, end_us - begin_us);
	atomic_fetch_add(&member->lane->bytes, bytes);
	return end_us;
}

uint64_t member_read(struct member *member, struct slot *slot)
{
	uint64_t begin = os_monotonic_us();
	bool moved = member->column != COLUMN_NONE ? read_data(member, slot) : read_parity(member, slot);
	uint64_t end = member_note(member, begin, moved ? slot->block_size : 0);

	atomic_fetch_add(&member->lane->read, 1);
	return end;
}
