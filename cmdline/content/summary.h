/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a content file holds, told to the log after loading and after saving. Inside content/ only. */
#ifndef CONTENT_SUMMARY_H
#define CONTENT_SUMMARY_H

#include "array/array.h"

/* content_data, content_parity and content_info:*; `loaded`: also the counts that -v shows, and stripes by the
 * time they were last known good. Costs nothing if nobody would see it. */
void summary_report(const struct array *array, bool loaded);

#endif
