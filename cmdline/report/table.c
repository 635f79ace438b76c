/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

const struct event_row event_table[EV_COUNT] = {
#define EVENT(name, level, tag, text) { #name, REPORT_##level, tag, text },
#include "report/event.def"
#undef EVENT
};
