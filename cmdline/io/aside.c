/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/aside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/path.h"
#include "os/clock.h"
#include "os/entry.h"
#include "os/file.h"

#define VERSIONS_MAX 1000	/* of one file in one second */

/* As much of the name as leaves room for the suffix, without half a UTF-8 character at its end. */
static void make_name(char to[ASIDE_NAME_MAX], const char *name, const char *suffix)
{
	size_t size = strlen(name), room = ASIDE_NAME_MAX - 1 - strlen(suffix);

	if (size > room)
		for (size = room; size > 0 && ((unsigned char)name[size] & 0xc0) == 0x80;)
			size--;
	snprintf(to, ASIDE_NAME_MAX, "%.*s%s", (int)size, name, suffix);
}

int aside_keep(int dir_fd, const char *name, size_t length, struct aside *aside)
{
	time_t now = (time_t)os_wall_seconds();
	struct aside moved = { .length = length };
	char stamp[40], suffix[60];
	struct tm tm;
	int rc = -1;

	localtime_r(&now, &tm);
	strftime(stamp, sizeof stamp, ".changed-%Y%m%d-%H%M%S", &tm);
	errno = EEXIST;
	for (unsigned i = 0; rc < 0 && errno == EEXIST && i < VERSIONS_MAX; i++) {
		snprintf(suffix, sizeof suffix, i == 0 ? "%s" : "%s.%u", stamp, i);
		make_name(moved.name, name, suffix);
		rc = os_entry_rename_new(dir_fd, name, moved.name);
	}
	if (rc == 0)
		*aside = moved;
	return rc;
}

/* Move the directory entry that the first `length` bytes of the path name. */
static int move_entry(int root_fd, char *part, size_t length, struct aside *aside)
{
	const char *name;
	int dir_fd = os_open_parent(root_fd, part, false, &name);
	int rc;

	if (dir_fd < 0)
		return -1;
	rc = aside_keep(dir_fd, name, length, aside);
	os_close(dir_fd);
	return rc;
}

int aside_clear_way(int root_fd, const char *path, struct aside *aside)
{
	char *part = mem_strdup(path);
	struct stat st;
	int rc = -1;

	errno = ENOENT;
	for (size_t i = 0; path[i] != '\0'; i++) {
		if (path[i] != '/')
			continue;
		part[i] = '\0';
		if (os_stat_beneath(root_fd, part, &st) < 0)
			break;
		if (!S_ISDIR(st.st_mode)) {
			rc = move_entry(root_fd, part, i, aside);
			break;
		}
		part[i] = '/';
		errno = ENOENT;
	}
	free(part);
	return rc;
}

void aside_paths(const struct aside *aside, const char *path, char **from, char **to)
{
	char *dir;

	*from = mem_printf("%.*s", (int)aside->length, path);
	dir = path_parent(*from);
	*to = path_join(dir, aside->name);
	free(dir);
}
