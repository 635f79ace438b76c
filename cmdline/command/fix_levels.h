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
	struct parity *parity[LEVEL_MAX];	/* NULL: not there, or of no use; said */
};

/* Open all that are there, also in part. When writing, those that are wanted get room for all stripes; one of them that may
 * only be read is not wanted any more, and counts as not repaired. */
void fix_levels_open(struct fix_levels *levels);
/* What was written is durable, or it is said and counted. What was not written stays out, so that a sync sees what is
 * missing. `complete`: all of each level was gone through, and nothing was left undone. */
void fix_levels_close(struct fix_levels *levels, bool complete);

#endif
