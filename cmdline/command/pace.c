/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/pace.h"

#include "os/signal.h"

void pace_begin(struct pace_state *pace, struct session *session, stripe_t stripes, unsigned columns)
{
	uint64_t stripe_bytes = (uint64_t)session->array->block_size * (columns > 0 ? columns : 1);

	*pace = (struct pace_state){ .session = session, .left = stripes };
	pace->autosave_every = session->config->autosave_bytes / stripe_bytes;
	if (session->config->autosave_bytes != 0 && pace->autosave_every == 0)
		pace->autosave_every = 1;
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
	bool due;

	if (os_stop_signal() != 0) {
		pace->signal_hit = true;
		report(EV_STOPPED, next);
		return PACE_STOP;
	}
	if (limit != 0 && pace->session->errors.io >= limit) {
		pace->limit_hit = true;
		report(EV_ERROR_LIMIT, limit);
		return PACE_STOP;
	}
	due = autosave_due(pace, next);
	++pace->since_save;
	if (pace->left > 0)
		--pace->left;
	return due ? PACE_DRAIN : PACE_GO;
}

int pace_rest(void *argument)
{
	struct pace_state *pace = argument;

	pace->since_save = 0;
	return pace->save(pace->save_argument);
}
