/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -f -d -m -e -b: which files, links, directories and levels check and fix are about. behaviour.md 7.2. */
#ifndef COMMAND_SELECT_H
#define COMMAND_SELECT_H

#include "command/session.h"

struct selection {
	bool level[LEVEL_MAX];	/* the level is looked at for itself, not only as a source */
	bool any_level;
	struct bitmap *bad;	/* stripes marked bad, with -e or -b; else NULL */
};

/* Set the mark of everything wanted to 1, of all else to 0. With `writing`, what is on a disk that is not
 * there is not wanted. -1: refused; said. select_done releases, also then. */
int select_all(struct session *session, bool writing, struct selection *selection);
void select_done(struct selection *selection);

/* What is to be gone through for it, within -S and -B; the caller frees it. */
struct bitmap *select_stripes(const struct session *session, const struct selection *selection);

#endif
