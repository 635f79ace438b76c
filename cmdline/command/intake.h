/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first half of sync: the array becomes what the disks hold now. No parity is opened yet. */
#ifndef COMMAND_INTAKE_H
#define COMMAND_INTAKE_H

#include "command/session.h"

/* Scan, with all refusals; look at files that may have been changed unseen, and with -h hash what is new. Signals set the
 * stop flag from then on. An exit status, said, or -1 to go on. */
int intake(struct session *session);

#endif
