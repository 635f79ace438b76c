/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of the things that fix was asked for, whether they have blocks or not: told as they end, counted by
 * reason, and summed up in a table if not all is well. Coordinator only. */
#ifndef STRIPE_OUTCOME_H
#define STRIPE_OUTCOME_H

#include "io/aside.h"

enum outcome_kind {
	OUTCOME_RECOVERED,
	OUTCOME_LOST,		/* not enough is left to recover it */
	OUTCOME_SKIPPED,	/* it could be, but not here or not now */
};

#define OUTCOME_CHANGED "changed since the last sync, and left as it is"

struct disk;
struct outcomes;

struct outcomes *outcomes_new(void);
void outcomes_free(struct outcomes *outcomes);	/* NULL is fine */

/* `why`: a few words, the same for all things of one reason; copied. NULL: there is nothing to say. */
void outcome_add(struct outcomes *outcomes, enum outcome_kind kind, const char *why, const char *disk, const char *path);
/* One that could not be written, by its errno: said, and counted as skipped. `full`: the whole path. That a disk is full
 * is said once. */
void outcome_failed(struct outcomes *outcomes, const char *disk, const char *path, const char *full, int error);

/* Nothing if all was recovered. */
void outcomes_report(const struct outcomes *outcomes);

/* Is that errno of something that has the name of what is restored, or of a directory above it? */
bool outcome_is_obstacle(int error);

/* Where a thing is restored: on its disk, or as DIR/DISK/PATH below `elsewhere`, if that is not NULL; malloc. */
char *outcome_path(const char *elsewhere, const struct disk *disk, const char *path);

/* Tell what was moved out of the way of `path`, if anything was. */
void outcome_report_aside(const char *disk, const char *path, const struct aside *aside);
/* The same of what an earlier run had kept as `path`. */
void outcome_report_earlier(const char *disk, const char *path, const struct aside *aside);

#endif
