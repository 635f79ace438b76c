/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where check and fix look for blocks besides the parity: on the data disks, by time and size; and by content, in the
 * directories of -i and --import-content and in files of the array that the parity may know by another place only. */
#ifndef COMMAND_DONORS_H
#define COMMAND_DONORS_H

#include "command/session.h"
#include "io/donor.h"

/* The caller's to free, before the session is closed. NULL: a directory that was named is not there; said. */
struct donor *donors_of(const struct session *session);

#endif
