/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/unset.h"

#include <string.h>

#include "os/attr.h"
#include "report/report.h"

static const struct {
	unsigned kind;
	const char *what;
} kinds[] = {
	{ UNSET_OWNER, "owner" },
	{ UNSET_MODE, "mode" },
	{ UNSET_ACL, "access control list" },
	{ UNSET_XATTR, "extended attributes" },
};

void unset_report(unsigned *told, const char *disk, const char *path, unsigned unset, int error)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i)
		if (unset & kinds[i].kind & ~*told)
			report(EV_FIX_UNSET, disk, path, kinds[i].what, strerror(error));
	*told |= unset;
}
