/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order that keeps data (behaviour.md 2.5):
 *	content that marks what is going to change, durable;
 *	parity;
 *	parity durable;
 *	content that marks what is done, durable.
 * A kill at any moment leaves parity and content of which fix can make the most. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/fit.h"
#include "command/intake.h"
#include "command/space.h"
#include "command/summary.h"
#include "command/sync_inside.h"
#include "content/journal.h"
#include "os/clock.h"
#include "plan/plan.h"

#define JOURNAL_BYTES_MAX	(UINT64_C(256) << 20)	/* then the content is saved */

/* The level came to the configuration. Its files may be of another state of the array, or of none, unless fix has made
 * them since the last sync. */
static bool is_stale(const struct session *session, level_t l)
{
	const struct level *level = session->array->level;

	return level[0].recorded && !level[l].recorded && !parity_is_made_for(&level[l], session->content_name);
}

/* Parity must hold all that is recorded as in it, unless all of it is computed anew. */
static int open_parity(struct sync *sync)
{
	struct session *session = sync->session;
	struct array *array = session->array;
	uint64_t needed = array_used_count(array) * array->block_size;
	bool create = needed == 0 || session->options->force_full;

	sync->whole = true;
	for (level_t l = 0; l < array->level_count; ++l) {
		const struct level *level = &array->level[l];
		unsigned split = 0;
		uint64_t there;

		sync->parity[l] = parity_open(&array->level[l], array->block_size, create ? PARITY_CREATE : PARITY_WRITE,
					      &split);
		if (sync->parity[l] == NULL && errno != ENOENT) {
			report(EV_PARITY_OPEN, level->name, level->split[split].path, strerror(errno));
			return -1;
		}
		there = sync->parity[l] == NULL ? 0 : parity_usable_bytes(sync->parity[l]);
		if (sync->parity[l] == NULL || (there < needed && !create)) {
			report(EV_PARITY_SHORT, level->name, level->split[split].path, there, needed);
			return -1;
		}
		if (!create && is_stale(session, l)) {
			report(EV_PARITY_STALE, level->name, level->split[0].path);
			return -1;
		}
		sync->whole &= there >= array->loaded_count * array->block_size;
	}
	for (level_t l = 1; l < array->level_count; ++l) {
		if (!array->level[0].recorded)
			break;
		if (array->level[l].recorded)
			parity_unmark(&array->level[l]);	/* the content file knows it by now */
		array->changed |= !array->level[l].recorded;
		array->level[l].recorded = true;
	}
	return 0;
}

static int resize_parity(struct sync *sync)
{
	report(EV_STEP_RESIZING);
	return fit_parity(sync->session, sync->parity);
}

void sync_trim(struct sync *sync)
{
	const struct array *array = sync->session->array;

	for (level_t l = 0; l < array->level_count; ++l)
		if (parity_trim(sync->parity[l]) < 0)
			report(EV_PARITY_TRIM, array->level[l].name, array->level[l].split[0].path, strerror(errno));
}

/* If that fails there is no second try in this run: what the kernel could not write it has dropped, and the next
 * fsync would say that all is well. */
int sync_make_durable(struct sync *sync)
{
	sync->unsafe = sync->unsafe || session_sync_parity(sync->session, sync->parity) < 0;
	return sync->unsafe ? -1 : 0;
}

/* The room as it will be once the parity has its size. */
static void refresh_space(struct sync *sync)
{
	struct array *array = sync->session->array;

	space_refresh(sync->session);
	for (level_t l = 0; l < array->level_count; ++l)
		array->level[l].free_blocks += parity_excess_bytes(sync->parity[l]) / array->block_size;
}

/* Parity is about to change: first a content file that says which stripes may not be trusted. It goes to its disks
 * while the first stripes are read. What a killed sync left may say it already, and not be durable. Space was reserved
 * before it, durably, as it names the sizes. */
static int begin_first_save(struct sync *sync)
{
	const struct array *array = sync->session->array;

	refresh_space(sync);
	if (!array->changed && !array->was_unsynced)
		return 0;
	if (sync_make_durable(sync) < 0)
		return -1;
	return session_save_begin(sync->session, &sync->first);
}

/* Before the first byte of parity is written, by a writer while the others wait, or between stripes; then it is done. The
 * tail of the parity is given back after it, as the old content may need it. -1: said. */
static int end_first_save(void *argument)
{
	struct sync *sync = argument;

	if (sync->mark == MARK_DUE) {
		sync->mark = sync->first == NULL || content_save_end(sync->first) == 0 ? MARK_DONE : MARK_FAILED;
		if (sync->mark == MARK_DONE)
			sync_trim(sync);
	}
	return sync->mark == MARK_DONE ? 0 : -1;
}

int sync_save(void *argument)
{
	struct sync *sync = argument;

	if (end_first_save(sync) < 0 || sync_make_durable(sync) < 0)
		return -1;
	refresh_space(sync);
	if (session_save(sync->session) < 0)
		return -1;
	if (sync->journal != NULL)
		journal_restart(sync->journal);
	return 0;
}

static int autosave(void *argument)
{
	report(EV_STEP_AUTOSAVE);
	return sync_save(argument);
}

/* Parity durable, then the log that tells how far it is right. */
static int checkpoint(void *argument)
{
	struct sync *sync = argument;

	if (journal_is_full(sync->journal))
		return autosave(sync);
	if (end_first_save(sync) < 0 || sync_make_durable(sync) < 0)
		return -1;
	journal_append(sync->journal);
	return 0;
}

static void note_done(void *argument, stripe_t at)
{
	struct sync *sync = argument;

	journal_note(sync->journal, at);
}

enum run_end sync_run(struct sync *sync, const struct bitmap *stripes, struct sync_context *job)
{
	struct stripe_run run = { .stripes = stripes, .job = &job_sync, .context = job, .parity = sync->parity,
				  .before_write = end_first_save, .write_argument = sync };

	return pace_run(&sync->pace, &run);
}

/* The stripes that have to be computed for the files as they are now. */
static enum run_end run_changes(struct sync *sync)
{
	struct session *session = sync->session;
	struct array *array = session->array;
	struct sync_context job = {
		.array = array,
		.parity = sync->parity,
		.errors = &session->errors,
		.now = os_wall_seconds(),
		.may_skip_parity = sync->whole && !array->was_unsynced && !session->options->force_full &&
				   !session->options->test.force_parity_update,
		.prehashed = session->options->pre_hash,
	};

	pace_begin(&sync->pace, session);
	sync->pace.save = autosave;
	if (!session->options->test.skip_content_write) {
		sync->journal = journal_new((const char *const *)session->config->content, session->config->content_count,
					    array, JOURNAL_BYTES_MAX);
		sync->pace.checkpoint = checkpoint;
		job.done = note_done;
		job.done_argument = sync;
	}
	sync->pace.save_argument = sync;
	report(EV_STEP_SYNCING);
	return sync_run(sync, sync->stripes, &job);
}

/* Compute and write the parity of the chosen stripes, and save what was done, however it ended. */
static int process(struct sync *sync)
{
	struct session *session = sync->session;
	enum run_end end = run_changes(sync);

	if (end_first_save(sync) < 0)
		return EXIT_FAILURE;
	if (session->options->test.kill_after_sync)
		return EXIT_SUCCESS;
	if (sync_finish(sync, &end) < 0)
		return EXIT_FAILURE;
	if (sync->pace.signal_hit)
		return summary_interrupted();
	return end == RUN_COMPLETE ? summary_end(session, bitmap_count(sync->stripes) + sync->moved, true) : EXIT_FAILURE;
}

/* Up to the moment from which on parity may be written. -1: said, and nothing of the parity is other than before: what it
 * grew by may be the very room that a content file on its disk lacks. */
static int prepare(struct sync *sync)
{
	struct array *array = sync->session->array;
	const bool full = sync->session->options->force_full;

	if (open_parity(sync) < 0 || resize_parity(sync) < 0)
		goto fail;
	report(EV_STEP_SELECTING);
	sync->stripes = plan_sync(array, full);
	if (full)
		plan_mark_pending(array, sync->stripes);
	if (begin_first_save(sync) == 0)
		return 0;
fail:
	for (level_t l = 0; l < array->level_count; ++l)
		parity_give_back(sync->parity[l]);
	return -1;
}

int command_sync(struct session *session)
{
	struct sync sync = { .session = session };
	int status = intake(session);

	if (status >= 0)
		return status;
	session_prove_copies(session);
	status = EXIT_FAILURE;
	if (prepare(&sync) < 0)
		goto out;
	if (session->options->test.kill_before_sync)
		status = end_first_save(&sync) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	else
		status = process(&sync);
out:
	journal_free(sync.journal);
	bitmap_free(sync.stripes);
	session_close_parity(sync.parity);
	return status;
}
