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

#include "array/moves.h"
#include "command/command.h"
#include "command/fit.h"
#include "command/pace.h"
#include "command/space.h"
#include "command/summary.h"
#include "command/suspects.h"
#include "command/survey.h"
#include "command/threshold.h"
#include "command/touch.h"
#include "command/unchanged.h"
#include "content/journal.h"
#include "os/clock.h"
#include "os/signal.h"
#include "plan/plan.h"
#include "stripe/engine.h"
#include "stripe/job_hash.h"
#include "stripe/job_sync.h"

#define LOG_BYTES_MAX		(UINT64_C(256) << 20)	/* then the content is saved */
#define EXIT_THRESHOLD		2
#define TIME_GRAIN_SECONDS	2	/* of the coarsest file system, FAT */
#define MOVED_BYTES_MAX		(UINT64_C(4) << 30)	/* by one run, to shorten the parity: half a minute of a disk */
#define REALLOC_BYTES_MAX	(UINT64_C(64) << 30)	/* between two saves, where -R or -W ask for it */

struct sync {
	struct session *session;
	struct parity *parity[LEVEL_MAX];
	struct bitmap *stripes;
	struct pace_state pace;
	enum { MOVE_NOT_YET, MOVE_WHOLE, MOVE_TAIL, MOVE_END } step;	/* of -R; -R and -W; each sync */
	stripe_t tail;			/* what lies from there on is to move in the second one */
	stripe_t moved;			/* blocks */
	bool waits;			/* a file changed since the scan: what is to move waits for the next sync */
	struct saving *first;		/* the content that marks what is going to change, on its way to the disks */
	enum { MARK_DUE, MARK_DONE, MARK_FAILED } mark;	/* is it there? If not, no parity may be written */
	struct journal *journal;	/* while stripes are processed */
	bool created;			/* parity files may be new */
	bool whole;			/* at the opening each level was as long as the content file was made for */
	bool unsafe;			/* parity written in this run may be lost */
};

/* Take in what the disks hold now. An exit status, or -1 to go on. */
static int take_in(struct session *session)
{
	const struct options *options = session->options;
	struct scan_guard guard = { .allow_zero = options->force_zero, .allow_empty = options->force_empty };
	struct scan *scan;
	int status = -1;

	scan = survey(session, false);
	if (scan == NULL)
		return EXIT_FAILURE;
	scan_report_summary(scan, false);
	session->errors.soft += scan_counts(scan)->left_out;
	session->left_out += scan_counts(scan)->left_out;
	if (threshold_stops(session, scan))
		status = EXIT_THRESHOLD;
	if (scan_check(scan, &guard) < 0)
		status = EXIT_FAILURE;
	if (status < 0 && scan_prove(scan) < 0)
		status = EXIT_FAILURE;
	if (status < 0)
		scan_apply(scan, session->array);
	scan_free(scan);
	return status;
}

/* A file written in the same tick of the clock as the scan, after it, would keep the time that the scan saw.
 * Wait until the newest new file is older than the coarsest tick. */
static void wait_for_clock(const struct array *array)
{
	int64_t now = os_wall_seconds(), newest = INT64_MIN;

	for (unsigned d = 0; d < array->disk_count; ++d)
		for (struct tommy_node *i = tommy_list_head(&array->disk[d]->files); i != NULL; i = i->next) {
			const struct file *file = i->data;

			if (file->stamp.mtime_sec <= now && newest < file->stamp.mtime_sec)
				newest = file->stamp.mtime_sec;
		}
	if (newest != INT64_MIN && now - newest < TIME_GRAIN_SECONDS)
		os_sleep_ms((unsigned)(TIME_GRAIN_SECONDS - (now - newest)) * 1000);
}

/* An exit status, or -1 to go on. */
static int pre_hash(struct session *session)
{
	struct array *array = session->array;
	struct bitmap *stripes = plan_sync(array, false);
	struct hash_context job = { .array = array, .errors = &session->errors };
	struct pace_state pace;
	struct stripe_run run = { .stripes = stripes, .job = &job_hash, .context = &job };
	enum run_end end;

	report(EV_STEP_HASHING);
	pace_begin(&pace, session);
	end = pace_run(&pace, &run);
	bitmap_free(stripes);
	report(EV_HASH_SUMMARY_FILE, session->errors.soft);
	report(EV_HASH_SUMMARY_SOFT, session->errors.soft);
	if (pace.signal_hit)
		return summary_interrupted();
	if (end != RUN_COMPLETE || session->errors.soft > session->left_out || session->errors.io > 0 ||
	    session->errors.data > 0) {
		report(EV_HASH_FAILED);
		return EXIT_FAILURE;
	}
	return -1;
}

/* The level came to the configuration. Its files may be of another state of the array, or of none, unless fix has made
 * them since the last save. */
static bool is_stale(const struct session *session, level_t l, const struct parity *parity)
{
	char *content;
	bool made;

	if (!session->array->level[0].recorded || session->array->level[l].recorded)
		return false;
	content = content_name(session->content);
	made = parity_is_made_for(parity, content);
	free(content);
	return !made;
}

/* Parity must hold all that is recorded as in it, unless all of it is computed anew. */
static int open_parity(struct sync *sync)
{
	struct session *session = sync->session;
	const struct options *options = session->options;
	struct array *array = session->array;
	uint64_t needed = array_used_count(array) * array->block_size;

	sync->created = needed == 0 || options->force_full;
	sync->whole = true;
	for (level_t l = 0; l < array->level_count; ++l) {
		const struct level *level = &array->level[l];
		unsigned split = 0;
		uint64_t there;

		sync->parity[l] = parity_open(&array->level[l], array->block_size,
					      sync->created ? PARITY_CREATE : PARITY_WRITE, &split);
		if (sync->parity[l] == NULL && errno != ENOENT) {
			report(EV_PARITY_OPEN, level->name, level->split[split].path, strerror(errno));
			return -1;
		}
		there = sync->parity[l] == NULL ? 0 : parity_usable_bytes(sync->parity[l]);
		if (sync->parity[l] == NULL || (there < needed && !sync->created)) {
			report(EV_PARITY_SHORT, level->name, level->split[split].path, there, needed);
			return -1;
		}
		if (!sync->created && is_stale(session, l, sync->parity[l])) {
			report(EV_PARITY_STALE, level->name, level->split[0].path);
			return -1;
		}
		sync->whole &= there >= array->loaded_count * array->block_size;
	}
	for (level_t l = 1; l < array->level_count; ++l) {
		if (!array->level[0].recorded)
			break;
		if (array->level[l].recorded)
			parity_unmark(sync->parity[l]);		/* the content file knows it by now */
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

static void trim_parity(struct sync *sync)
{
	const struct array *array = sync->session->array;

	for (level_t l = 0; l < array->level_count; ++l)
		if (parity_trim(sync->parity[l]) < 0)
			report(EV_PARITY_TRIM, array->level[l].name, array->level[l].split[0].path, strerror(errno));
}

/* If that fails there is no second try in this run: what the kernel could not write it has dropped, and the next
 * fsync would say that all is well. -1: said. */
static int make_parity_durable(struct sync *sync)
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
	if (!array->changed && array->unfinished == NULL)
		return 0;
	if (make_parity_durable(sync) < 0)
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
			trim_parity(sync);
	}
	return sync->mark == MARK_DONE ? 0 : -1;
}

/* Parity durable, then the content that says so. */
static int save(void *argument)
{
	struct sync *sync = argument;

	if (end_first_save(sync) < 0 || make_parity_durable(sync) < 0)
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
	return save(argument);
}

/* Parity durable, then the log that tells how far it is right. */
static int checkpoint(void *argument)
{
	struct sync *sync = argument;

	if (journal_is_full(sync->journal))
		return autosave(sync);
	if (end_first_save(sync) < 0 || make_parity_durable(sync) < 0)
		return -1;
	journal_append(sync->journal);
	return 0;
}

static void note_done(void *argument, stripe_t at)
{
	struct sync *sync = argument;

	journal_note(sync->journal, at);
}

/* Compute and write the parity of these stripes. The pace has begun. */
static enum run_end run_stripes(struct sync *sync, const struct bitmap *stripes, struct sync_context *job)
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
		.may_skip_parity = sync->whole && array->unfinished == NULL && !session->options->force_full &&
				   !session->options->test.force_parity_update,
		.prehashed = session->options->pre_hash,
	};

	pace_begin(&sync->pace, session);
	sync->pace.save = autosave;
	if (!session->options->test.skip_content_write) {
		sync->journal = journal_new((const char *const *)session->config->content, session->config->content_count,
					    array, LOG_BYTES_MAX);
		sync->pace.checkpoint = checkpoint;
		job.done = note_done;
		job.done_argument = sync;
	}
	sync->pace.save_argument = sync;
	report(EV_STEP_SYNCING);
	return run_stripes(sync, sync->stripes, &job);
}

/* Stripes of which the content file tells already what may be in them; nothing is saved on the way. `moves`: they are
 * the new places of its files. NULL: all that is not synced. */
static enum run_end run_rest(struct sync *sync, const struct moves *moves)
{
	struct session *session = sync->session;
	struct array *array = session->array;
	struct bitmap *stripes = moves != NULL ? NULL : plan_sync(array, false);
	struct sync_context job = { .array = array, .parity = sync->parity, .errors = &session->errors,
				    .now = os_wall_seconds(), .may_wait = true };
	enum run_end end;

	pace_begin(&sync->pace, session);
	end = run_stripes(sync, moves != NULL ? moves->to : stripes, &job);
	if (job.waits && !sync->waits)
		report(EV_MOVE_WAITS);
	sync->waits |= job.waits;
	bitmap_free(stripes);
	return end;
}

/* Nothing else is to be done, and all is well. */
static bool may_move(const struct sync *sync, enum run_end end)
{
	const struct session *session = sync->session;
	const struct error_counts *errors = &session->errors;
	const struct options *options = session->options;
	struct bitmap *left;
	bool none;

	if (end != RUN_COMPLETE || sync->waits || errors->soft + errors->io + errors->data > 0 || options->force_full ||
	    options->test.skip_content_write)
		return false;
	left = plan_sync(session->array, false);
	none = bitmap_count(left) == 0;
	bitmap_free(left);
	return none;
}

/* Where -R or -W wants the array to end, if that can be. */
static stripe_t wanted_end(const struct array *array, const struct options *options)
{
	stripe_t end = array_stripe_count(array), least = moves_least_end(array);
	stripe_t tail = (options->realloc_tail_bytes + array->block_size - 1) / array->block_size;

	return options->force_realloc || tail > end - least ? least : end - tail;
}

/* One step after the other, each as long as it finds files. */
static struct moves *plan_moves(struct sync *sync)
{
	const struct options *options = sync->session->options;
	struct array *array = sync->session->array;
	stripe_t most = REALLOC_BYTES_MAX / array->block_size;
	struct moves *moves = NULL;

	if (sync->step == MOVE_NOT_YET) {
		sync->step = options->force_realloc		    ? MOVE_WHOLE
			     : options->realloc_tail_bytes != 0 ? MOVE_TAIL
							     : MOVE_END;
		sync->tail = sync->step != MOVE_END ? wanted_end(array, options) : 0;
	}
	if (sync->step == MOVE_WHOLE && (moves = moves_plan_whole(array, most)) == NULL)
		sync->step = MOVE_TAIL;
	if (sync->step == MOVE_TAIL && (moves = moves_plan_tail(array, sync->tail, most)) == NULL)
		sync->step = MOVE_END;
	most = MOVED_BYTES_MAX / array->block_size;
	if (sync->step == MOVE_END && most > sync->moved)
		moves = moves_plan_end(array, most - sync->moved);
	return moves;
}

/* What changed since the scan would leave stripes undone, with the promise in them: then nothing moves. NULL: there is
 * nothing to move, or not now. */
static struct moves *plan_moves_now(struct sync *sync)
{
	struct moves *moves = plan_moves(sync);
	struct bitmap *stripes;

	if (moves == NULL)
		return NULL;
	stripes = moves_stripes(moves);
	sync->waits = !stripes_are_unchanged(sync->session, stripes);
	bitmap_free(stripes);
	if (!sync->waits)
		return moves;
	report(EV_MOVE_WAITS);
	moves_free(moves);
	return NULL;
}

/* The content file has the promise. New places are computed and durable; then the content file names them, and only
 * then the old ones are given up: cut off, or computed without these files. -1: said; nothing is saved. */
static int move(struct sync *sync, const struct moves *moves, enum run_end *end)
{
	struct array *array = sync->session->array;
	uint64_t block = array->block_size, bytes = moves->blocks * block;

	if (sync->step == MOVE_END)
		report(EV_STEP_MOVING, moves->count, bytes / 1000000,
		       (array_stripe_count(array) - moves->end) * block / 1000000);
	else
		report(EV_STEP_REALLOC, moves->count, bytes / 1000000);
	moves_begin(moves);
	*end = run_rest(sync, moves);
	moves_end(moves, make_parity_durable(sync) == 0);
	if (sync->unsafe || fit_parity(sync->session, sync->parity) < 0 || save(sync) < 0)
		return -1;
	trim_parity(sync);
	if (*end == RUN_COMPLETE)
		*end = run_rest(sync, NULL);
	return 0;
}

/* Save what was done, however it ended, and move what is to be moved. The last save of the one is the first of the
 * other. -1: said. */
static int finish(struct sync *sync, enum run_end *end)
{
	struct array *array = sync->session->array;
	struct moves *moves;
	int rc;

	do {
		moves = may_move(sync, *end) ? plan_moves_now(sync) : NULL;
		if (moves != NULL) {
			moves_promise(moves);
			sync->moved += moves->blocks;
		}
		rc = array->changed ? save(sync) : 0;
		if (rc == 0 && moves != NULL)
			rc = move(sync, moves, end);
		moves_free(moves);
	} while (rc == 0 && moves != NULL);
	return rc;
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
	if (finish(sync, &end) < 0)
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
	const struct options *options = session->options;
	struct array *array = session->array;
	struct sync sync = { .session = session };
	int status;

	if (options->gui_touch_before)
		touch_files(session);	/* a time that cannot be set is told, and no reason to leave files unprotected */
	if ((status = take_in(session)) >= 0)
		return status;
	if (options->test.run != NULL && system(options->test.run) != 0)
		return EXIT_FAILURE;
	os_stop_install();
	if ((status = suspects_settle(session)) >= 0)
		return status;
	if (array->changed && !options->test.skip_self)
		wait_for_clock(array);
	if (options->pre_hash && (status = pre_hash(session)) >= 0)
		return status;

	status = EXIT_FAILURE;
	if (prepare(&sync) < 0)
		goto out;
	if (options->test.kill_before_sync)
		status = end_first_save(&sync) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	else
		status = process(&sync);
out:
	journal_free(sync.journal);
	bitmap_free(sync.stripes);
	session_close_parity(sync.parity);
	return status;
}
