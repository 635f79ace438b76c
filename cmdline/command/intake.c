/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/intake.h"

#include <stdlib.h>

#include "command/fit.h"
#include "command/pace.h"
#include "command/summary.h"
#include "command/survey.h"
#include "command/suspects.h"
#include "command/threshold.h"
#include "command/touch.h"
#include "os/clock.h"
#include "os/signal.h"
#include "plan/plan.h"
#include "stripe/job_hash.h"

#define EXIT_THRESHOLD		2
#define TIME_GRAIN_SECONDS	2	/* of the coarsest file system, FAT */

static void distrust_disk(struct disk *disk, const uint8_t *unknown)
{
	stripe_t end = 0;

	for (const struct extent *e; (e = extent_from(disk->map, end)) != NULL;) {
		const bool assumed = e->state == BLOCK_REP && !file_was_synced(e->file, e->state);
		stripe_t at = e->at;

		end = e->at + e->count;
		for (; assumed && at < end; ++at)
			extent_set(disk->map, at, BLOCK_CHG, unknown);
	}
}

/* -N: the hash of a copy is an assumption that is not wanted; what was there before is unknown. What a sync -F has left
 * was in the parity with its hash, and is none. */
static void distrust_copies(struct array *array)
{
	uint8_t unknown[HASH_BYTES_MAX];

	past_set_unknown(unknown, array->hash_size);
	for (unsigned d = 0; d < array->disk_count; ++d)
		distrust_disk(array->disk[d], unknown);
}

/* An exit status, or -1 to go on. */
static int take_in(struct session *session)
{
	const struct options *options = session->options;
	struct scan_guard guard = { .allow_zero = options->force_zero, .allow_empty = options->force_empty };
	struct scan *scan;
	int status = -1;

	if (options->force_nocopy)
		distrust_copies(session->array);
	array_note_unfinished(session->array);
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
	if (status < 0) {
		scan_apply(scan, session->array);
		fit_leave_out(session);
	}
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

int intake(struct session *session)
{
	const struct options *options = session->options;
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
	if (session->array->changed && !options->test.skip_self)
		wait_for_clock(session->array);
	return options->pre_hash ? pre_hash(session) : -1;
}
