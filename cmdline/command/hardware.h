/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What smart and probe have in common: find the devices, ask them, log what they say, tell who is silent. */
#ifndef COMMAND_HARDWARE_H
#define COMMAND_HARDWARE_H

#include "command/session.h"
#include "device/smart.h"

struct hardware {
	struct device_set set;
	struct smart *smart;	/* by device */
	unsigned silent;	/* disks not found, and devices without an answer; those are not counted with -D */
};

/* -1: refused; said. hardware_done releases, also then. */
int hardware_ask(struct hardware *hardware, const struct session *session, enum smartctl_call call);
void hardware_done(struct hardware *hardware);

#endif
