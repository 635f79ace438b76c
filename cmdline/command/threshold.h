/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of the user on what one sync may take in: those of the configuration, and of the gui options. */
#ifndef COMMAND_THRESHOLD_H
#define COMMAND_THRESHOLD_H

#include "command/session.h"
#include "scan/scan.h"

/* Is one of them reached? Said, with examples and the option that lets it through. */
bool threshold_stops(const struct session *session, const struct scan *scan);
/* For diff: say the same of the configuration, as a warning. */
void threshold_warn(const struct session *session, const struct scan *scan);

#endif
