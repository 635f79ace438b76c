/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is at work in a long job, and who is waited for, as a table: --stats. Called by the coordinator only. */
#ifndef REPORT_LANES_H
#define REPORT_LANES_H

#include "base/buf.h"
#include "base/types.h"

/* A disk, a level, or another part of the machine, since the job began. */
struct lane {
	const char *name;
	enum { LANE_READS, LANE_WRITES, LANE_OTHER } kind;
	uint64_t bytes;
	uint64_t busy_us;	/* of its own work */
	uint64_t waited_us;	/* all else waited for it */
	uint64_t queue;		/* stripes: read ahead, or still to be written */
};

struct lane_source {
	unsigned count;
	void (*ask)(void *argument, struct lane *lanes);	/* fill `count` of them */
	void *argument;
};

struct lanes;

struct lanes *lanes_new(const struct lane_source *source);
void lanes_free(struct lanes *lanes);	/* NULL is fine */
/* Ask anew, `ms` after the last time. What lies back some seconds fades. */
void lanes_sample(struct lanes *lanes, uint64_t ms);
/* The lane that all else waited for, for most of the last seconds; NULL: none. */
const char *lanes_slowest(const struct lanes *lanes);
/* The table of the last seconds; every line ends with a newline. */
void lanes_render(const struct lanes *lanes, struct buf *out);
unsigned lanes_height(const struct lanes *lanes);
/* The table of the whole job, which took `ms`, as events. */
void lanes_report(const struct lanes *lanes, uint64_t ms);

#endif
