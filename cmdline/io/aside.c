/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/aside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "os/entry.h"

#define EDITED ".edited"
#define VERSIONS_MAX 1000	/* kept of one file */

int aside_keep(int dir_fd, const char *name, char suffix[ASIDE_MAX])
{
	int rc = -1;

	errno = EEXIST;
	for (unsigned i = 0; rc < 0 && errno == EEXIST && i < VERSIONS_MAX; i++) {
		char *to;

		if (i == 0)
			snprintf(suffix, ASIDE_MAX, EDITED);
		else
			snprintf(suffix, ASIDE_MAX, EDITED ".%u", i);
		to = path_add_suffix(name, suffix);
		rc = os_entry_rename_new(dir_fd, name, to);
		free(to);
	}
	if (rc < 0)
		suffix[0] = '\0';
	return rc;
}
