/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "io/draft.h"
#include "io/same.h"
#include "io/stamp.h"
#include "os/dir.h"
#include "os/entry.h"
#include "os/file.h"

static enum object_state look(int root_fd, const char *path, struct stat *st)
{
	if (os_stat_beneath(root_fd, path, st) == 0)
		return OBJECT_RIGHT;
	/* A link or a file in place of a directory above it: the thing itself is not there. */
	return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? OBJECT_MISSING : OBJECT_ERROR;
}

enum object_state object_check_empty(int root_fd, const char *path, const struct stamp *stamp)
{
	struct stat st;
	enum object_state state = look(root_fd, path, &st);

	if (state != OBJECT_RIGHT)
		return state;
	if (!S_ISREG(st.st_mode) || st.st_size != 0)
		return OBJECT_WRONG;
	return stamp_has_time(stamp, &st) ? OBJECT_RIGHT : OBJECT_TIME;
}

enum object_state object_check_hardlink(int root_fd, const char *path, const char *target)
{
	struct stat st, other;
	enum object_state state = look(root_fd, path, &st);

	if (state != OBJECT_RIGHT)
		return state;
	state = look(root_fd, target, &other);
	if (state == OBJECT_ERROR)
		return state;
	return state == OBJECT_RIGHT && S_ISREG(st.st_mode) && st.st_ino == other.st_ino && st.st_dev == other.st_dev
		       ? OBJECT_RIGHT
		       : OBJECT_WRONG;
}

enum object_state object_check_symlink(int root_fd, const char *path, const char *text)
{
	struct stat st;
	enum object_state state = look(root_fd, path, &st);
	struct arena *arena;
	const char *name, *found = NULL;
	int dir_fd;

	if (state != OBJECT_RIGHT)
		return state;
	if (!S_ISLNK(st.st_mode))
		return OBJECT_WRONG;
	dir_fd = os_open_parent(root_fd, path, false, &name);
	if (dir_fd < 0)
		return OBJECT_ERROR;
	arena = arena_new();
	found = os_read_link(dir_fd, name, arena);
	if (found == NULL)
		state = OBJECT_ERROR;
	else if (strcmp(found, text) != 0)
		state = OBJECT_WRONG;
	arena_free(arena);
	os_close(dir_fd);
	return state;
}

enum object_state object_check_dir(int root_fd, const char *path)
{
	struct stat st;
	enum object_state state = look(root_fd, path, &st);

	if (state != OBJECT_RIGHT)
		return state;
	return S_ISDIR(st.st_mode) ? OBJECT_RIGHT : OBJECT_WRONG;
}

/* A place in a directory where something is put. */
struct spot {
	int dir_fd;
	const char *name;
	const char *path;
	const struct object_place *place;
	char temporary[DRAFT_TEMPORARY_MAX];
};

/* Open the directory of `path`, made if need be; what is in the way is moved as far as that is allowed. */
static int open_dir_of(const struct object_place *place, const char *path, const char **name)
{
	int fd = os_open_parent(place->root_fd, path, true, name);

	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR) && place->rule >= ASIDE_WAY &&
	    aside_clear_way(place->root_fd, path, place->aside) == 0)
		fd = os_open_parent(place->root_fd, path, true, name);
	return fd;
}

static int spot_open(struct spot *spot, const struct object_place *place, const char *path)
{
	place->aside->length = 0;
	spot->place = place;
	spot->path = path;
	spot->dir_fd = open_dir_of(place, path, &spot->name);
	draft_temporary_name(spot->temporary, path);
	if (spot->dir_fd >= 0)
		os_entry_unlink(spot->dir_fd, spot->temporary);	/* of a killed run */
	return spot->dir_fd < 0 ? -1 : 0;
}

/* Give what was made under the temporary name its own one. What has that name goes aside, unless nothing is lost with
 * it: an empty file, or a copy of what takes its place. */
static int rename_into_place(const struct spot *spot, bool is_copy)
{
	struct stat st;

	if (os_entry_rename_new(spot->dir_fd, spot->temporary, spot->name) == 0)
		return 0;
	if (errno != EEXIST || os_stat_beneath(spot->dir_fd, spot->name, &st) < 0)
		return -1;
	if (spot->place->rule < ASIDE_NAME) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EEXIST;
		return -1;
	}
	if (S_ISREG(st.st_mode) && (st.st_size == 0 || is_copy))
		return os_entry_rename(spot->dir_fd, spot->temporary, spot->name);
	if (aside_keep(spot->dir_fd, spot->name, strlen(spot->path), spot->place->aside) < 0)
		return -1;
	return os_entry_rename_new(spot->dir_fd, spot->temporary, spot->name);
}

static int spot_publish(const struct spot *spot, bool is_copy)
{
	int rc = rename_into_place(spot, is_copy);
	int error = errno;

	if (rc < 0)
		os_entry_unlink(spot->dir_fd, spot->temporary);
	errno = error;
	return rc;
}

static int set_times(int fd, const struct stamp *stamp)
{
	const struct timespec time = stamp_time(stamp);

	return os_set_times(fd, &time);
}

int object_set_time(int root_fd, const char *path, const struct stamp *stamp)
{
	int fd = os_open_beneath(root_fd, path, O_RDONLY, 0);
	int rc = fd < 0 ? -1 : set_times(fd, stamp);

	os_close(fd);
	return rc;
}

int object_make_empty(const struct object_place *place, const char *path, const struct stamp *stamp)
{
	struct spot spot;
	int fd, rc = -1;

	if (spot_open(&spot, place, path) < 0)
		return -1;
	fd = os_entry_create(spot.dir_fd, spot.temporary);
	if (fd >= 0 && set_times(fd, stamp) == 0)
		rc = spot_publish(&spot, false);
	os_close(fd);
	os_close(spot.dir_fd);
	return rc;
}

int object_make_hardlink(const struct object_place *place, const char *path, const char *target)
{
	struct spot spot;
	struct stat st;
	const char *target_name;
	int target_fd, rc = -1;

	if (os_stat_beneath(place->root_fd, target, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = ENOENT;
		return -1;
	}
	target_fd = os_open_parent(place->root_fd, target, false, &target_name);
	if (target_fd < 0)
		return -1;
	if (spot_open(&spot, place, path) == 0) {
		if (os_entry_link(target_fd, target_name, spot.dir_fd, spot.temporary) == 0)
			rc = spot_publish(&spot, same_data(place->root_fd, path, target));
		os_close(spot.dir_fd);
	}
	os_close(target_fd);
	return rc;
}

int object_make_symlink(const struct object_place *place, const char *path, const char *text)
{
	struct spot spot;
	int rc = -1;

	if (spot_open(&spot, place, path) < 0)
		return -1;
	if (os_entry_symlink(text, spot.dir_fd, spot.temporary) == 0)
		rc = spot_publish(&spot, false);
	os_close(spot.dir_fd);
	return rc;
}

int object_make_dir(const struct object_place *place, const char *path)
{
	const char *name;
	int dir_fd, rc;

	place->aside->length = 0;
	dir_fd = open_dir_of(place, path, &name);
	if (dir_fd < 0)
		return -1;
	rc = os_entry_mkdir(dir_fd, name);
	if (rc < 0 && errno == EEXIST && place->rule >= ASIDE_NAME &&
	    aside_keep(dir_fd, name, strlen(path), place->aside) == 0)
		rc = os_entry_mkdir(dir_fd, name);
	os_close(dir_fd);
	return rc;
}
