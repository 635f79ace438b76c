/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the recorded size and time whose ctime changed: was their data changed, and the time put back? */
#ifndef COMMAND_SUSPECTS_H
#define COMMAND_SUSPECTS_H

#include "command/session.h"

/* After the scan was applied. Blocks with other data are then pending. An exit status, or -1 to go on. */
int suspects_settle(struct session *session);

#endif
