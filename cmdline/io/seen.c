/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/seen.h"

struct seen seen_file(const struct stat *st)
{
	return (struct seen){ SEEN_FILE, (uint64_t)st->st_size, st->st_ino, st->st_mtim };
}

bool seen_same(const struct seen *a, const struct seen *b)
{
	if (a->what == SEEN_UNKNOWN || b->what == SEEN_UNKNOWN)
		return true;
	if (a->what != b->what || a->what == SEEN_NOTHING)
		return a->what == b->what;
	return a->size == b->size && (a->inode == b->inode || a->inode == 0 || b->inode == 0) &&
	       a->time.tv_sec == b->time.tv_sec && a->time.tv_nsec == b->time.tv_nsec;
}
