/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef COMMAND_UNCHANGED_H
#define COMMAND_UNCHANGED_H

#include "base/bitmap.h"
#include "command/session.h"

/* Is every file with a block at these stripes still there, with the size, time and inode that are recorded? It is looked
 * at, not read. */
bool stripes_are_unchanged(const struct session *session, const struct bitmap *stripes);

#endif
