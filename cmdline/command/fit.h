/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Make room in the parity for what was found; what does not fit is named and left out of this sync. */
#ifndef COMMAND_FIT_H
#define COMMAND_FIT_H

#include "command/session.h"

/* All levels get the size of the array. Files for which a level has no room are reported, counted as soft
 * errors and taken out of the array (the next sync finds them as new). -1: said; no content was changed. */
int fit_parity(struct session *session, struct parity *const parity[LEVEL_MAX]);
/* Files that got no place in the parity are reported, counted and taken out in the same way. */
void fit_leave_out(struct session *session);

#endif
