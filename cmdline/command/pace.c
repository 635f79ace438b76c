/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/pace.h"

#include "device/thermal.h"
#include "os/clock.h"
#include "os/signal.h"

void pace_begin(struct pace_state *pace, struct session *session)
{
	const struct array *array = session->array;
	uint64_t stripe_bytes = (uint64_t)array->block_size * (array->disk_count > 0 ? array->disk_count : 1);

	*pace = (struct pace_state){ .session = session };
	pace->autosave_every = session->config->autosave_bytes / stripe_bytes;
	if (session->config->autosave_bytes != 0 && pace->autosave_every == 0)
		pace->autosave_every = 1;
	if (session->thermal == NULL)
		session->thermal = thermal_start(session->config, session->options, NULL);
}

/* A kill costs at most this much work. Shorter ones would cost speed: the disks stand still meanwhile. */
#define CHECKPOINT_MS	30000

static bool checkpoint_due(const struct pace_state *pace)
{
	stripe_t every = pace->session->options->test.checkpoint_every;

	if (pace->checkpoint == NULL || pace->since_checkpoint == 0)
		return false;
	if (every != 0)
		return pace->since_checkpoint >= every;
	return os_monotonic_ms() - pace->checkpoint_ms >= CHECKPOINT_MS;
}

static bool autosave_due(const struct pace_state *pace, stripe_t next)
{
	const struct options *options = pace->session->options;

	if (pace->save == NULL)
		return false;
	if (options->test.force_autosave_given && next == options->test.force_autosave_at)
		return true;
	/* Shortly before the end the last save does it. */
	return pace->autosave_every != 0 && pace->since_save >= pace->autosave_every &&
	       pace->left >= pace->autosave_every;
}

enum pace pace_next(void *argument, stripe_t next)
{
	struct pace_state *pace = argument;
	uint64_t limit = pace->session->options->error_limit;
	bool save, checkpoint, hot;

	if (os_stop_signal() != 0) {
		pace->signal_hit = true;
		report(EV_STOPPED, next);
		return PACE_STOP;
	}
	if (limit != 0 && pace->session->errors.io >= limit) {
		report(EV_ERROR_LIMIT, limit);
		return PACE_STOP;
	}
	save = autosave_due(pace, next);
	checkpoint = !save && checkpoint_due(pace);
	hot = thermal_is_hot(pace->session->thermal);
	pace->rest = hot ? REST_HEAT : save ? REST_SAVE : REST_CHECKPOINT;
	++pace->since_save;
	++pace->since_checkpoint;
	if (pace->left > 0)
		--pace->left;
	return save || checkpoint || hot ? PACE_DRAIN : PACE_GO;
}

int pace_rest(void *argument)
{
	struct pace_state *pace = argument;

	pace->since_checkpoint = 1;	/* the stripe that comes now */
	pace->checkpoint_ms = os_monotonic_ms();
	if (pace->rest == REST_CHECKPOINT)
		return pace->checkpoint(pace->save_argument);
	pace->since_save = 1;
	if (pace->save != NULL && pace->save(pace->save_argument) < 0)
		return -1;
	if (pace->rest == REST_HEAT)
		thermal_pause(pace->session->thermal);
	return 0;
}

static unsigned degrees(void *thermal, unsigned *steady)
{
	*steady = thermal_steady(thermal);
	return thermal_now(thermal);
}

enum run_end pace_run(struct pace_state *pace, struct stripe_run *run)
{
	const struct session *session = pace->session;
	const struct options *options = session->options;

	pace->left = bitmap_count(run->stripes);
	pace->checkpoint_ms = os_monotonic_ms();
	if (pace->left == 0)
		return RUN_COMPLETE;
	run->array = session->array;
	run->root_fd = session->root_fd;
	run->slots = options->test.io_cache;
	run->bandwidth = options->bandwidth;
	run->progress = true;
	run->force_progress = options->test.force_progress;
	run->stats = options->stats;
	run->degrees = degrees;
	run->degrees_argument = session->thermal;
	run->pace = pace_next;
	run->rest = pace_rest;
	run->pace_argument = pace;
	return stripe_run(run);
}
