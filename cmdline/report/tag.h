/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event as a line of the log. */
#ifndef REPORT_TAG_H
#define REPORT_TAG_H

#include "base/buf.h"
#include "report/report.h"

/* Add the tag with its newline. Strings are escaped as interface.md 6.2 says; NULL is empty. */
void tag_render(struct buf *out, const char *tag, unsigned count, const struct field *fields);

/* The text as "msg:LEVEL: TEXT", one tag for each of its lines; empty lines are left out. Names stay in their
 * line whatever they hold. */
void tag_render_message(struct buf *out, const char *level, const char *text, unsigned count,
			const struct field *fields);

#endif
