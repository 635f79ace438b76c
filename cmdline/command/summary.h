/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sync and scrub end: totals, markers, advice, and the exit status. interface.md 5.3 and 9. */
#ifndef COMMAND_SUMMARY_H
#define COMMAND_SUMMARY_H

#include "command/session.h"

/* `processed`: stripes that were looked at. Returns the exit status. */
int summary_end(struct session *session, stripe_t processed, bool sync);

/* The status to end with after a stop by a signal: 128 + signal, as a shell has it. main() makes it a real
 * death by that signal. */
int summary_interrupted(void);

#endif
