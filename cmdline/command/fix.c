/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/command.h"
#include "command/metadata.h"
#include "command/repair.h"

int command_fix(struct session *session)
{
	if (session->options->meta_only)
		return metadata_put_back(session);
	return repair_run(session, FIX_WRITE);
}
