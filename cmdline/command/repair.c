/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/repair.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/donors.h"
#include "command/fix_levels.h"
#include "command/metadata.h"
#include "command/objects.h"
#include "command/pace.h"
#include "command/select.h"
#include "command/summary.h"
#include "command/target.h"
#include "io/donor.h"
#include "os/file.h"
#include "os/signal.h"
#include "stripe/outcome.h"

struct repair {
	struct session *session;
	enum fix_mode mode;
	struct selection selection;
	struct target *target;			/* --to; NULL: the disks themselves */
	struct fix_levels levels;
	struct fix job;
};

/* If it goes over the stripes for the parity's sake. */
static bool goes_over_all(const struct repair *repair)
{
	const struct options *options = repair->session->options;

	return repair->selection.bad == NULL && options->start == 0 && options->count == 0;
}

/* The levels that are read, and those that are judged. */
static void open_levels(struct repair *repair)
{
	struct fix_levels *levels = &repair->levels;

	*levels = (struct fix_levels){ .session = repair->session, .writing = repair->mode == FIX_WRITE };
	if (repair->mode == FIX_AUDIT)
		return;
	memcpy(levels->wanted, repair->selection.level, sizeof levels->wanted);
	levels->some = !goes_over_all(repair);
	levels->from = repair->selection.bad == NULL ? repair->session->options->start : STRIPE_NONE;
	fix_levels_open(levels);
	memcpy(repair->job.make, levels->make, sizeof repair->job.make);
	for (level_t l = 0; l < LEVEL_MAX; l++) {
		repair->job.open[l] = levels->parity[l] != NULL;
		repair->job.judge[l] = levels->parity[l] != NULL && levels->wanted[l];
	}
}

static enum run_end go_through_stripes(struct repair *repair)
{
	static const struct stripe_job *const jobs[] = { &job_audit, &job_check, &job_fix };
	struct session *session = repair->session;
	struct pace_state pace;
	struct bitmap *stripes = select_stripes(session, &repair->selection);
	struct stripe_run run = { .stripes = stripes, .job = jobs[repair->mode], .context = &repair->job,
				  .parity = repair->levels.parity };
	enum run_end end;

	pace_begin(&pace, session);
	pace.autosave_every = 0;	/* the content file stays as it is */
	fix_begin(&repair->job, stripes);
	end = pace_run(&pace, &run);
	fix_end(&repair->job);
	bitmap_free(stripes);
	return end;
}

static uint64_t errors_found(const struct repair *repair)
{
	const struct error_counts *errors = &repair->session->errors;

	return errors->soft + errors->io + errors->data;
}

static void report_totals(const struct repair *repair)
{
	const struct error_counts *errors = &repair->session->errors;
	uint64_t found = errors_found(repair);
	bool audit = repair->mode == FIX_AUDIT;

	if (repair->mode == FIX_WRITE)
		outcomes_report(repair->job.outcomes);
	if (found + errors->recovered + errors->unrecoverable > 0) {
		report(EV_TOTAL_BLANK);
		report(EV_TOTAL_ERRORS, found);
		report(EV_TOTAL_SOFT, errors->soft);
		report(EV_TOTAL_IO, errors->io);
		report(EV_TOTAL_DATA, errors->data);
		if (repair->mode == FIX_WRITE)
			report(EV_TOTAL_RECOVERED, errors->recovered);
		if (errors->unrecoverable > 0)
			report(EV_TOTAL_UNRECOVERABLE_SOME, errors->unrecoverable);
		else if (!audit)
			report(EV_TOTAL_UNRECOVERABLE, errors->unrecoverable);
	}
	report(EV_SUMMARY_ERROR, found);
	report(EV_SUMMARY_ERROR_SOFT, errors->soft);
	report(EV_SUMMARY_ERROR_IO, errors->io);
	report(EV_SUMMARY_ERROR_DATA, errors->data);
	if (repair->mode == FIX_WRITE)
		report(EV_SUMMARY_ERROR_RECOVERED, errors->recovered);
	if (!audit)
		report(EV_SUMMARY_ERROR_UNRECOVERABLE, errors->unrecoverable);
}

/* Is it only what fix leaves alone that is not as recorded? After a fix nothing else is. */
static bool is_left(const struct repair *repair)
{
	return repair->job.other > 0 && (repair->mode == FIX_WRITE || errors_found(repair) == repair->job.other);
}

/* The word of summary:exit, and whether the run counts as a success. */
static const char *verdict(const struct repair *repair, bool *success)
{
	const struct error_counts *errors = &repair->session->errors;
	bool hard = errors->io + errors->data > 0;
	bool any = errors_found(repair) > 0;

	*success = errors->unrecoverable == 0 && (!any || (repair->mode == FIX_WRITE && !is_left(repair)));
	if (errors->unrecoverable > 0)
		return "unrecoverable";
	if (!any)
		return "ok";
	if (is_left(repair))
		return "warning";
	switch (repair->mode) {
	case FIX_AUDIT:
		return hard ? "error" : "warning";
	case FIX_CHECK:
		return "recoverable";
	case FIX_WRITE:
		break;
	}
	return "recovered";
}

static int sum_up(const struct repair *repair)
{
	bool success;
	const char *word = verdict(repair, &success);

	report_totals(repair);
	if (repair->job.unchecked > 0)
		report(EV_FIX_UNCHECKED, repair->job.unchecked);
	if (repair->job.unknown > 0)
		report(repair->levels.short_count > 0 ? EV_FIX_PARITY_UNKNOWN_SHORT : EV_FIX_PARITY_UNKNOWN,
		       repair->job.unknown);
	if (success)
		report(EV_EVERYTHING_OK);
	else if (repair->session->errors.unrecoverable > repair->job.unknown + repair->levels.short_count)
		report(EV_FIX_UNRECOVERABLE_ERRORS);
	else if (repair->job.unknown == 0 && is_left(repair))
		report(EV_FIX_LEFT, repair->job.other);
	else
		report(EV_FIX_ERRORS);
	report(EV_SUMMARY_EXIT, word);
	return success ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool start_is_inside(const struct session *session)
{
	stripe_t end = array_stripe_count(session->array);

	if (session->options->start == 0 || session->options->start < end)
		return true;
	report(EV_FIX_START, session->options->start, end);
	return false;
}

/* Mark what is asked for, there where it is restored to. -1: said. */
static int select_things(struct repair *repair)
{
	struct session *session = repair->session;
	const char *to = session->options->to;

	if (to == NULL)
		return select_all(session, repair->mode == FIX_WRITE, &repair->selection);
	repair->target = target_open(session, to);
	if (repair->target == NULL || select_all(session, false, &repair->selection) < 0)
		return -1;
	memset(repair->selection.level, 0, sizeof repair->selection.level);	/* sources only */
	repair->selection.any_level = false;
	repair->job.elsewhere = to;
	repair->job.out_fd = target_roots(repair->target);
	return target_prepare(repair->target, session, repair->job.outcomes);
}

/* Links, empty files and directories. After a stop hard links may lack what they are links of: they come with the
 * next run. */
static void go_through_objects(const struct repair *repair)
{
	const struct objects_job job = {
		.root_fd = repair->job.out_fd,
		.writing = repair->mode == FIX_WRITE,
		.skip_changed = repair->job.skip_changed,
		.rule = repair->job.rule,
		.outcomes = repair->job.outcomes,
		.elsewhere = repair->job.elsewhere,
	};

	objects_run(repair->session, &job);
}

/* A selection is not to touch what is outside of it. -m asks for what is not there, -e for damage: where something
 * stands, neither is meant. What is in the directory of --to is not ours. */
static enum aside_rule aside_rule(const struct options *options)
{
	if (options->missing || options->error || options->block_error || options->to != NULL)
		return ASIDE_NOTHING;
	return options->filter.count > 0 ? ASIDE_NAME : ASIDE_WAY;
}

int repair_run(struct session *session, enum fix_mode mode)
{
	static const enum event steps[] = { EV_STEP_AUDITING, EV_STEP_CHECKING, EV_STEP_FIXING };
	struct repair repair = {
		.session = session,
		.mode = mode,
		.job = { .array = session->array, .mode = mode, .root_fd = session->root_fd,
			 .out_fd = session->root_fd, .errors = &session->errors,
			 .unset_told = &session->unset_told,
			 .skip_changed = (session->options->error || session->options->block_error) &&
					 session->options->to == NULL,
			 .rule = aside_rule(session->options) },
	};
	struct metadata *metadata = NULL;
	int status = EXIT_FAILURE;
	enum run_end end;

	repair.job.outcomes = outcomes_new();
	report(EV_STEP_SELECTING);
	if (!start_is_inside(session) || select_things(&repair) < 0)
		goto out;
	if (mode != FIX_AUDIT && (repair.job.donor = donors_of(session)) == NULL)
		goto out;
	open_levels(&repair);
	os_stop_install();
	report(steps[mode]);
	if (mode == FIX_WRITE)
		metadata = metadata_begin(session, repair.job.out_fd);
	end = go_through_stripes(&repair);
	if (mode != FIX_AUDIT && end == RUN_COMPLETE)
		go_through_objects(&repair);
	metadata_end(metadata);
	fix_levels_close(&repair.levels, end == RUN_COMPLETE ? repair.job.undone_parity : ~0u,
			 end == RUN_COMPLETE && goes_over_all(&repair) && session->errors.unrecoverable == 0);
	if (end == RUN_COMPLETE)
		status = sum_up(&repair);
	else if (os_stop_signal() != 0)
		status = summary_interrupted();
	else
		report_totals(&repair);
out:
	donor_free(repair.job.donor);
	select_done(&repair.selection);
	target_close(repair.target);
	outcomes_free(repair.job.outcomes);
	return status;
}
