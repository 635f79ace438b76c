/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The story of check and of fix: select, go through the stripes, then through what has no blocks, and sum up. */
#ifndef COMMAND_REPAIR_H
#define COMMAND_REPAIR_H

#include "command/session.h"
#include "stripe/job_fix.h"

/* Returns the exit status of the process. */
int repair_run(struct session *session, enum fix_mode mode);

#endif
