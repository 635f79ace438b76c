/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is each disk the one that the content file knows? By the UUIDs of the file systems. */
#ifndef COMMAND_IDENTITY_H
#define COMMAND_IDENTITY_H

#include "command/places.h"
#include "command/session.h"

/* -1: refused; said. One is not mounted, or more than could be repaired are others; or, unless the array is only shown,
 * one is at the place of another one of the array, or parity files changed places in the configuration, or
 * the third level is of another code. */
int identity_check(const struct session *session, const struct places *places, bool only_shows);
/* Take the disks as they are: their UUIDs are recorded, and it is known of which ones inodes tell something. */
void identity_settle(struct session *session, const struct places *places);

#endif
