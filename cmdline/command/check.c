/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/command.h"
#include "command/repair.h"

int command_check(struct session *session)
{
	return repair_run(session, session->options->audit_only ? FIX_AUDIT : FIX_CHECK);
}
