/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands for tests and measurements, which the usage text does not name: one part of the others each. */
#include <stdlib.h>

#include "command/command.h"
#include "command/pace.h"
#include "command/select.h"
#include "command/summary.h"
#include "os/signal.h"
#include "stripe/job_dry.h"

/* read, test-read: the content file is loaded, and that is all. */
int command_read(struct session *session)
{
	(void)session;
	return EXIT_SUCCESS;
}

/* test-rewrite: loaded, and saved as it is. */
int command_rewrite(struct session *session)
{
	return session_save(session) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int read_all(struct session *session, const struct selection *selection, struct parity *const parity[LEVEL_MAX])
{
	struct bitmap *stripes = select_stripes(session, selection);
	struct dry_context job = { .array = session->array, .level = selection->level, .errors = &session->errors };
	struct stripe_run run = { .stripes = stripes, .job = &job_dry, .context = &job, .parity = parity };
	stripe_t count = bitmap_count(stripes);
	struct pace_state pace;
	enum run_end end;

	pace_begin(&pace, session);
	end = pace_run(&pace, &run);
	bitmap_free(stripes);
	if (pace.signal_hit)
		return summary_interrupted();
	return end == RUN_COMPLETE ? summary_end(session, count, false) : EXIT_FAILURE;
}

/* test-dry: what is selected is read, and nothing is looked at. */
int command_dry(struct session *session)
{
	struct parity *parity[LEVEL_MAX] = { NULL };
	struct selection selection;
	int status = EXIT_FAILURE;

	report(EV_STEP_SELECTING);
	if (select_all(session, false, &selection) == 0 && session_open_parity(session, PARITY_READ, false, parity) == 0) {
		for (level_t l = 0; l < LEVEL_MAX; ++l)
			selection.level[l] = selection.level[l] && parity[l] != NULL;
		os_stop_install();
		report(EV_STEP_READING);
		status = read_all(session, &selection, parity);
	}
	session_close_parity(parity);
	select_done(&selection);
	return status;
}
