/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check and fix of what has no blocks: after the files, disk by disk. behaviour.md 7.7. */
#ifndef COMMAND_OBJECTS_H
#define COMMAND_OBJECTS_H

#include "command/session.h"
#include "io/aside.h"

/* Look at all with a mark, make again what is wrong if `writing`, report and count. */
void objects_run(struct session *session, bool writing, enum aside_rule rule);

#endif
