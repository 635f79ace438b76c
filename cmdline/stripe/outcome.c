/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

bool outcome_is_obstacle(int error)
{
	return error == EISDIR || error == EEXIST || error == ELOOP || error == ENOTDIR;
}

const char *outcome_reason(int error)
{
	switch (error) {
	case EISDIR:
	case EEXIST:
		return "something else has its name; move it away and run fix again";
	case ELOOP:
	case ENOTDIR:
		return "a link or a file has the name of a directory above it; move it away and run fix again";
	case ENOSPC:
	case EDQUOT:
		return "there is no space left on the disk; free some and run fix again";
	default:
		return strerror(error);
	}
}

void outcome_report_aside(const char *disk, const char *path, const struct aside *aside)
{
	char *from, *to;

	if (aside->length == 0)
		return;
	aside_paths(aside, path, &from, &to);
	report(EV_FIX_ASIDE, disk, from, to);
	free(from);
	free(to);
}
