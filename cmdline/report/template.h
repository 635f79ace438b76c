/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates of event.def: literal bytes and slots. */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include "base/buf.h"
#include "report/report.h"

/* One "{...}". */
struct template_slot {
	unsigned field;
	int disk;		/* the field that names the disk of this name of a file; -1: none */
	unsigned width;		/* 0: as it comes */
	bool zero_fill;
	int precision;		/* of a float; -1: not given */
	char escape;		/* 'e', 'q' or 0 */
};

enum template_step { TEMPLATE_SLOT, TEMPLATE_END, TEMPLATE_BAD };

/* Add the literal bytes from `*at` to `out` up to the next slot, read that, and move `*at` behind it. */
enum template_step template_next(const char **at, struct buf *out, struct template_slot *slot);

/* Add a number as the slot wants it. Not for strings. */
void template_number(struct buf *out, const struct template_slot *slot, const struct field *field);

/* The field of the slot. One that was not given reads as "?": a message must not end a run. */
const struct field *template_field(const struct template_slot *slot, unsigned count, const struct field *fields);

#endif
