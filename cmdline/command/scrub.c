/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "command/command.h"
#include "command/pace.h"
#include "command/space.h"
#include "command/summary.h"
#include "os/clock.h"
#include "os/signal.h"
#include "plan/plan.h"
#include "stripe/engine.h"
#include "stripe/job_scrub.h"

#define DEFAULT_PERCENT		(100.0 / 12)
#define DEFAULT_OLDER_DAYS	10
#define DAY_SECONDS		(24 * 60 * 60)

static stripe_t quota_of(const struct options *options, stripe_t stripes)
{
	if (options->plan == PLAN_COUNT)
		return options->plan_count;
	if (options->plan == PLAN_PERCENT)
		return (stripe_t)ceil((double)stripes * options->percent / 100);
	return (stripes + 11) / 12;
}

/* The plan of the command line, said. -1: the options do not go together. */
static int choose(const struct session *session, struct scrub_choice *choice)
{
	static const struct {
		enum scrub_kind kind;
		enum event event;
		const char *name;
	} words[] = {
		[PLAN_BAD] = { SCRUB_BAD, EV_SCRUB_PLAN_BAD, "bad" },
		[PLAN_NEW] = { SCRUB_NEW, EV_SCRUB_PLAN_NEW, "new" },
		[PLAN_FULL] = { SCRUB_FULL, EV_SCRUB_PLAN_FULL, "full" },
		[PLAN_EVEN] = { SCRUB_EVEN, EV_SCRUB_PLAN_EVEN, "even" },
	};
	const struct options *options = session->options;
	enum scrub_plan plan = options->plan;
	int days = options->older_than_days >= 0 ? options->older_than_days : DEFAULT_OLDER_DAYS;

	if (plan == PLAN_BAD || plan == PLAN_NEW || plan == PLAN_FULL || plan == PLAN_EVEN) {
		if (options->older_than_days >= 0 && plan != PLAN_EVEN) {
			report(EV_SCRUB_OLDER_WITH_PLAN, words[plan].name);
			return -1;
		}
		*choice = (struct scrub_choice){ .kind = words[plan].kind };
		report(words[plan].event);
		return 0;
	}
	*choice = (struct scrub_choice){
		.kind = SCRUB_OLDEST,
		.quota = quota_of(options, array_stripe_count(session->array)),
		.newest = plan == PLAN_COUNT ? INT64_MAX : os_wall_seconds() - (int64_t)days * DAY_SECONDS,
		.now = os_wall_seconds(),
	};
	report(EV_SCRUB_PLAN_OLDEST, plan == PLAN_PERCENT ? options->percent : DEFAULT_PERCENT, days);
	if (report_has_log()) {
		const struct scrub_cut cut = plan_scrub_cut(session->array, choice);

		report(EV_SCRUB_CUT, cut.count, cut.time < 0 ? 0 : cut.time, cut.last);
	}
	return 0;
}

static int save(void *argument)
{
	report(EV_STEP_AUTOSAVE);
	return session_save(argument);
}

int command_scrub(struct session *session)
{
	struct array *array = session->array;
	struct parity *parity[LEVEL_MAX] = { NULL };
	struct bitmap *stripes = NULL;
	struct scrub_choice choice;
	struct pace_state pace;
	struct scrub_context job = { .array = array, .errors = &session->errors, .now = os_wall_seconds() };
	struct stripe_run run = { .job = &job_scrub, .context = &job, .parity = parity };
	enum run_end end;
	int status = EXIT_FAILURE;

	if (info_map_end(array->info) == 0) {
		report(EV_SCRUB_EMPTY);
		return EXIT_FAILURE;
	}
	if (choose(session, &choice) < 0 || session_open_parity(session, PARITY_READ, true, parity) < 0)
		goto out;
	space_refresh(session);
	report(EV_STEP_SELECTING);
	run.stripes = stripes = plan_scrub(array, &choice);
	pace_begin(&pace, session);
	pace.save = save;
	pace.save_argument = session;

	os_stop_install();
	report(EV_STEP_SCRUBBING);
	end = pace_run(&pace, &run);
	session_prove_copies(session);
	if (array->changed && session_save(session) < 0)
		goto out;
	if (job.changed_files > 0)
		report(EV_SCRUB_UNVERIFIED, job.changed_files);
	if (end == RUN_COMPLETE)
		status = summary_end(session, bitmap_count(stripes), false);
	else if (pace.signal_hit)
		status = summary_interrupted();
out:
	bitmap_free(stripes);
	session_close_parity(parity);
	return status;
}
