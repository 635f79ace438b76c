/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scan as diff and sync ask for it. */
#ifndef COMMAND_SURVEY_H
#define COMMAND_SURVEY_H

#include "command/session.h"
#include "scan/scan.h"

/* scan_disks with the options of the session. NULL: said. */
struct scan *survey(struct session *session, bool diff);

#endif
