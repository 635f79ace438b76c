/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sync at work, for sync.c and sync_move.c. */
#ifndef COMMAND_SYNC_INSIDE_H
#define COMMAND_SYNC_INSIDE_H

#include "command/pace.h"
#include "stripe/job_sync.h"

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
	bool whole;			/* at the opening each level was as long as the content file was made for */
	bool unsafe;			/* parity written in this run may be lost */
};

/* Compute and write the parity of these stripes, once the first content is there. The pace has begun. */
enum run_end sync_run(struct sync *sync, const struct bitmap *stripes, struct sync_context *job);
/* All parity that was written is on its disks. -1: said, now or before. */
int sync_make_durable(struct sync *sync);
/* Parity durable, then the content that says so; `sync` is a struct sync. -1: said. */
int sync_save(void *sync);
/* What no content file needs any more is cut off the parity. */
void sync_trim(struct sync *sync);

/* Save what was done, however it ended, and move what is to be moved. The last save of the one is the first of the
 * other. -1: said. */
int sync_finish(struct sync *sync, enum run_end *end);

#endif
