/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands: one row each. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "command/session.h"

struct command {
	const char *name;
	int (*run)(struct session *session);	/* the exit status of the process */
	unsigned needs;				/* enum session_need */
	bool answers;				/* its text is what it is run for */
};

const struct command *command_find(const char *name);	/* NULL: no such command */

int command_check(struct session *session);
int command_devices(struct session *session);
int command_diff(struct session *session);
int command_down(struct session *session);
int command_dry(struct session *session);
int command_dup(struct session *session);
int command_fix(struct session *session);
int command_list(struct session *session);
int command_locate(struct session *session);
int command_pool(struct session *session);
int command_probe(struct session *session);
int command_read(struct session *session);
int command_rehash(struct session *session);
int command_rewrite(struct session *session);
int command_scrub(struct session *session);
int command_smart(struct session *session);
int command_status(struct session *session);
int command_sync(struct session *session);
int command_touch(struct session *session);
int command_up(struct session *session);
int command_gen_conf(const char *content_path);	/* -C: needs no session */

#endif
