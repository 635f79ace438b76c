/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events as a table: what every rendering walks. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report/report.h"

struct event_row {
	const char *name;	/* as in the source, without EV_ */
	enum report_level level;
	const char *tag;	/* templates, report.h; NULL: none */
	const char *text;
};

extern const struct event_row event_table[EV_COUNT];

#endif
