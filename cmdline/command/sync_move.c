/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Once all is synced: files that move within the parity, to make it shorter or to have them in one piece. What a move is,
 * and why no file is unprotected meanwhile: array/moves.h. */
#include <stdlib.h>

#include "array/moves.h"
#include "command/fit.h"
#include "command/sync_inside.h"
#include "command/unchanged.h"
#include "os/clock.h"
#include "plan/plan.h"

#define MOVED_BYTES_MAX		(UINT64_C(4) << 30)	/* by one run, to shorten the parity: half a minute of a disk */
#define REALLOC_BYTES_MAX	(UINT64_C(64) << 30)	/* between two saves, where -R or -W ask for it */

/* Stripes of which the content file tells already what may be in them; nothing is saved on the way. */
static enum run_end run_rest(struct sync *sync, const struct bitmap *stripes)
{
	struct session *session = sync->session;
	struct sync_context job = { .array = session->array, .parity = sync->parity, .errors = &session->errors,
				    .now = os_wall_seconds(), .may_wait = true };
	enum run_end end;

	pace_begin(&sync->pace, session);
	end = sync_run(sync, stripes, &job);
	if (job.waits && !sync->waits)
		report(EV_MOVE_WAITS);
	sync->waits |= job.waits;
	return end;
}

/* Nothing else is to be done, and all is well. */
static bool may_move(const struct sync *sync, enum run_end end)
{
	const struct session *session = sync->session;
	const struct error_counts *errors = &session->errors;
	const struct options *options = session->options;

	return end == RUN_COMPLETE && !sync->waits && errors->soft + errors->io + errors->data == 0 &&
	       !options->force_full && !options->test.skip_content_write && array_unsynced_count(session->array) == 0;
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
	*end = run_rest(sync, moves->to);
	moves_end(moves, sync_make_durable(sync) == 0);
	if (sync->unsafe || fit_parity(sync->session, sync->parity) < 0 || sync_save(sync) < 0)
		return -1;
	sync_trim(sync);
	if (*end == RUN_COMPLETE) {
		struct bitmap *left = plan_sync(array, false);

		*end = run_rest(sync, left);
		bitmap_free(left);
	}
	return 0;
}

int sync_finish(struct sync *sync, enum run_end *end)
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
		rc = array->changed ? sync_save(sync) : 0;
		if (rc == 0 && moves != NULL)
			rc = move(sync, moves, end);
		moves_free(moves);
	} while (rc == 0 && moves != NULL);
	return rc;
}
