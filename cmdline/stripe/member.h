/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A member of the array as the engine reads it: a data disk or a parity level. One member, one thread at a time. */
#ifndef STRIPE_MEMBER_H
#define STRIPE_MEMBER_H

#include "io/parity.h"
#include "stripe/slot.h"
#include "stripe/stats.h"

struct member {
	column_t column;		/* of a data disk; COLUMN_NONE: it is a level */
	level_t level;
	struct data_reader *reader;	/* of a data disk that is read */
	struct parity *parity;		/* of a level */
	struct stats_lane *lane;	/* where its work is counted */
};

/* Read its block of the stripe if that is wanted. When it ended. */
uint64_t member_read(struct member *member, struct slot *slot);
/* From `begin_us` until now it was at work, with `bytes`. When that is. */
uint64_t member_note(const struct member *member, uint64_t begin_us, uint64_t bytes);

#endif
