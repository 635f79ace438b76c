/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/stamp.h"

bool stamp_has_time(const struct stamp *recorded, const struct stat *st)
{
	return st->st_mtim.tv_sec == recorded->mtime_sec &&
	       (recorded->mtime_nsec == NSEC_UNKNOWN || (uint32_t)st->st_mtim.tv_nsec == recorded->mtime_nsec);
}

struct timespec stamp_time(const struct stamp *recorded)
{
	long nanoseconds = recorded->mtime_nsec == NSEC_UNKNOWN ? 0 : (long)recorded->mtime_nsec;

	return (struct timespec){ (time_t)recorded->mtime_sec, nanoseconds };
}
