/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event as text for people. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "base/buf.h"
#include "report/report.h"

enum text_for {
	TEXT_PIPE,	/* names as they are, for programs that read them */
	TEXT_TERMINAL,	/* no name can move the cursor */
	TEXT_LOG,	/* no name can begin a new line */
};

/* How names of files are told from now on; see report_name_files. */
void text_name_files(enum report_names names, const char *(*dir_of)(const void *argument, const char *disk),
		     const void *argument);

/* Add the text, without a newline at its end. A NULL string is empty. */
void text_render(struct buf *out, const char *text, enum text_for target, unsigned count,
		 const struct field *fields);

/* The first line that is not empty, of what is left of a rendered text (NULL is fine). NULL: there is none. */
const char *text_line(const char *from, size_t *size);

#endif
