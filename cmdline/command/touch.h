/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef COMMAND_TOUCH_H
#define COMMAND_TOUCH_H

#include "command/session.h"

/* Give a sub-second time to the files that have none, and save that. -1: not to all of them, or not saved; said. */
int touch_files(struct session *session);

#endif
