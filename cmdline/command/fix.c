/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "command/command.h"
#include "command/metadata.h"
#include "command/repair.h"
#include "command/survey.h"

/* --gui-rescan-after: what still differs, for the log. */
static void rescan(struct session *session)
{
	struct scan *scan = survey(session, false);

	if (scan != NULL)
		scan_report_summary(scan, false);
	scan_free(scan);
}

int command_fix(struct session *session)
{
	int status;

	if (session->options->meta_only)
		return metadata_put_back(session);
	status = repair_run(session, FIX_WRITE);
	if (session->options->gui_rescan_after && status <= EXIT_FAILURE)
		rescan(session);
	return status;
}
