/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fix --to DIR: what is restored goes below another directory, the array stays as it is.
 *
 * Each thing gets the path DIR/DISK/PATH, so that files of the same path on two disks do not meet, and a disk's part can
 * be moved to a new one as a whole. What is there already is never overwritten: a file of the recorded size and time is
 * taken for one that an earlier run has brought, anything else is told. */
#ifndef COMMAND_TARGET_H
#define COMMAND_TARGET_H

#include "command/session.h"

struct outcomes;
struct target;

/* The directory must exist, outside the data disks. NULL: refused; said. */
struct target *target_open(const struct session *session, const char *dir);
void target_close(struct target *target);	/* NULL is fine */

/* Of all that is selected: a hard link brings along the file that it is another name of, and the mark of what is
 * there already is taken away. Makes a directory for each disk of which something is selected. -1: said. */
int target_prepare(struct target *target, struct session *session, struct outcomes *outcomes);

/* By column: the root to restore into; -1: nothing of that disk. */
const int *target_roots(const struct target *target);

#endif
