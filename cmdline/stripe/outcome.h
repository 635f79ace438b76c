/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of the things that fix was asked for, whether they have blocks or not. Coordinator only. */
#ifndef STRIPE_OUTCOME_H
#define STRIPE_OUTCOME_H

#include "io/aside.h"

/* Is that errno of something that has the name of what is restored, or of a directory above it? */
bool outcome_is_obstacle(int error);
/* Why it was not restored, and what to do. */
const char *outcome_reason(int error);

/* Tell what was moved out of the way of `path`, if anything was. */
void outcome_report_aside(const char *disk, const char *path, const struct aside *aside);

#endif
