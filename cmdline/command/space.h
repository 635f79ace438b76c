/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef COMMAND_SPACE_H
#define COMMAND_SPACE_H

#include "command/session.h"

/* Refresh total and free blocks of disks and levels from their file systems, as far as they can be reached, and log
 * them. */
void space_refresh(struct session *session);
/* Stripes that the parity can grow by at most: those that the file systems of each level could hold if they were empty. What
 * is there may be more than that, as some compress it. */
stripe_t space_growth_most(const struct session *session);

#endif
