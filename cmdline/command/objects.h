/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check and fix of what has no blocks: after the files, disk by disk. behaviour.md 7.7. */
#ifndef COMMAND_OBJECTS_H
#define COMMAND_OBJECTS_H

#include "command/session.h"
#include "io/aside.h"

struct outcomes;

struct objects_job {
	const int *root_fd;		/* by column; -1: not there, nothing is made */
	bool writing;
	bool skip_changed;		/* -e: what is there, and is another thing, was changed by someone */
	enum aside_rule rule;
	struct outcomes *outcomes;
	const char *elsewhere;		/* --to: the roots are directories below this one; NULL: they are the disks */
};

/* Look at all with a mark, make again what is wrong if `writing`, report and count. */
void objects_run(struct session *session, const struct objects_job *job);

#endif
