/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between stripes: stop, autosave, too much heat and the error limit, for the engine's `pace`. */
#ifndef COMMAND_PACE_H
#define COMMAND_PACE_H

#include "command/session.h"
#include "stripe/engine.h"

struct pace_state {
	struct session *session;
	stripe_t autosave_every;	/* stripes; 0: off */
	stripe_t since_save, left;	/* stripes since the last save; still to do */
	stripe_t since_checkpoint;
	uint64_t checkpoint_ms;		/* when the last one was, or the run began */
	enum { REST_SAVE, REST_CHECKPOINT, REST_HEAT } rest;	/* what the engine was drained for */
	bool signal_hit;		/* stopped by a signal */
	int (*save)(void *argument);	/* at an autosave and before a pause, drained; NULL: none */
	int (*checkpoint)(void *argument);	/* every CHECKPOINT_MS, drained; NULL: none */
	void *save_argument;
};

/* With a temp_limit the temperature is watched from now on, until the session is closed. */
void pace_begin(struct pace_state *pace, struct session *session);
enum pace pace_next(void *pace, stripe_t next);
int pace_rest(void *pace);
/* stripe_run at this pace, on the disks of the session and as its options want it: those fields of `run` are set here. With
 * no stripes all is done. */
enum run_end pace_run(struct pace_state *pace, struct stripe_run *run);

#endif
