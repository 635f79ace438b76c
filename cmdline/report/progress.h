/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The moving line of a long job: done, speed, ETA. On a terminal it ends with CR; in a pipe only the closing
 * line is printed; with --gui it is run:pos tags. Called by the coordinator only, as often as it likes: it
 * prints once a second. interface.md 4, 5.1 and 6.3. */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include "base/types.h"

struct progress;

/* A job over `count` stripes between `first` and `end`; emits run:begin. */
struct progress *progress_begin(stripe_t first, stripe_t end, stripe_t count, bool always);
/* `at` was retired; `bytes` more were read or written. */
void progress_step(struct progress *progress, stripe_t at, uint64_t bytes);
/* Clear the moving line, so that other text may follow. */
void progress_clear(void);
/* "100% completed, N MB accessed in H:MM"; `complete` false: stopped before the end. Frees. */
void progress_end(struct progress *progress, bool complete);

#endif
