/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parity levels in check and fix: sources of what is lost, and, where they are wanted for themselves, things that are
 * compared and repaired. */
#ifndef COMMAND_FIX_LEVELS_H
#define COMMAND_FIX_LEVELS_H

#include "command/session.h"

struct fix_levels {
	struct session *session;
	bool writing;				/* fix: what is wanted and missing is made */
	bool wanted[LEVEL_MAX];			/* others are sources only */
	bool some;				/* the run does not go over all stripes */
	stripe_t from;				/* ... but over all from here to its end; STRIPE_NONE: over some only */
	struct parity *parity[LEVEL_MAX];	/* NULL: not there, or of no use; said */
	bool make[LEVEL_MAX];			/* what the file of the level has not is made. If not, the run would leave a
						 * hole before it */
	unsigned short_count;			/* levels that are not whole afterwards: said, an unrecoverable error each */
};

/* Open all that are there, also in part. When writing, those that are wanted get room for all stripes; one of them that may
 * only be read is not wanted any more, and counts as not repaired. */
void fix_levels_open(struct fix_levels *levels);
/* What was written is durable, or it is said and counted. A level that was not whole is so only if all that was missing has
 * been made, or a sync would take it for that. `undone`, bit l: something of the level was not, where nothing is pending;
 * all bits after a run that was stopped. `all_done`: nothing else was left undone either. */
void fix_levels_close(struct fix_levels *levels, unsigned undone, bool all_done);

#endif
