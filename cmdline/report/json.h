/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event as lines of JSON: one object for each line that the log has of it,
 *
 *	{"tag":["scan","add","d1","a b"]}
 *	{"tag":["scan","update","d1","a b"],"text":"5 1.0 -> 6 2.0"}
 *	{"tag":["msg","status"],"text":"Everything OK"}
 *
 * with the fields as they are, without the escapes of the log, and numbers as numbers. What is no UTF-8 in a name is
 * given byte by byte as \udc80 to \udcff, as Python's "surrogateescape" does, so that no name is lost. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "base/buf.h"
#include "report/report.h"

/* As tag_render() and tag_render_message(). */
void json_render(struct buf *out, const char *tag, unsigned count, const struct field *fields);
void json_render_message(struct buf *out, const char *level, const char *text, unsigned count,
			 const struct field *fields);

#endif
