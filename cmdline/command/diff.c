/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "command/command.h"
#include "command/space.h"
#include "command/survey.h"
#include "command/threshold.h"

#define EXIT_SYNC_NEEDED 2

int command_diff(struct session *session)
{
	bool unsynced = session->array->was_unsynced, differs;
	struct scan *scan = survey(session, true);

	if (scan == NULL)
		return EXIT_FAILURE;
	space_refresh(session);
	differs = scan_differs(scan);
	scan_report_summary(scan, true);
	threshold_warn(session, scan);
	report(differs ? EV_DIFF_SOME : unsynced ? EV_DIFF_UNSYNCED : EV_DIFF_NONE);
	scan_free(scan);
	return differs || unsynced ? EXIT_SYNC_NEEDED : EXIT_SUCCESS;
}
