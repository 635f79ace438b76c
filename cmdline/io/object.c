/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/path.h"
#include "os/dir.h"
#include "os/entry.h"
#include "os/file.h"
#include "tommyds/tommyhashdyn.h"

static enum object_state look(int root_fd, const char *path, struct stat *st)
{
	if (os_stat_beneath(root_fd, path, st) == 0)
		return OBJECT_RIGHT;
	/* A link or a file in place of a directory above it: the thing itself is not there. */
	return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? OBJECT_MISSING : OBJECT_ERROR;
}

enum object_state object_check_empty(int root_fd, const char *path)
{
	struct stat st;
	enum object_state state = look(root_fd, path, &st);

	if (state != OBJECT_RIGHT)
		return state;
	return S_ISREG(st.st_mode) && st.st_size == 0 ? OBJECT_RIGHT : OBJECT_WRONG;
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
	char temporary[32];
};

static int spot_open(struct spot *spot, int root_fd, const char *path)
{
	spot->dir_fd = os_open_parent(root_fd, path, true, &spot->name);
	snprintf(spot->temporary, sizeof spot->temporary, ".snapraid-%08x.tmp",
		 (unsigned)(tommy_hash_bytes(path, strlen(path)) & UINT32_MAX));
	if (spot->dir_fd >= 0)
		os_entry_unlink(spot->dir_fd, spot->temporary);	/* of a killed run */
	return spot->dir_fd < 0 ? -1 : 0;
}

/* Nothing that matters may be under the name any more. -1 with errno. */
static int spot_clear(const struct spot *spot, bool is_copy, char kept[ASIDE_MAX])
{
	struct stat st;

	if (os_stat_beneath(spot->dir_fd, spot->name, &st) < 0)
		return errno == ENOENT ? 0 : -1;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (!S_ISREG(st.st_mode) || st.st_size == 0 || is_copy)
		return 0;	/* the rename replaces it */
	return aside_keep(spot->dir_fd, spot->name, kept);
}

/* Give what was made under the temporary name its own one. */
static int spot_publish(const struct spot *spot, bool is_copy, char kept[ASIDE_MAX])
{
	int error;

	if (spot_clear(spot, is_copy, kept) == 0 && os_entry_rename(spot->dir_fd, spot->temporary, spot->name) == 0)
		return 0;
	error = errno;
	os_entry_unlink(spot->dir_fd, spot->temporary);
	errno = error;
	return -1;
}

static void spot_close(struct spot *spot)
{
	int error = errno;

	os_close(spot->dir_fd);
	errno = error;
}

int object_make_empty(int root_fd, const char *path, const struct stamp *stamp, char kept[ASIDE_MAX])
{
	const struct timespec time = { (time_t)stamp->mtime_sec,
				       stamp->mtime_nsec == NSEC_UNKNOWN ? 0 : (long)stamp->mtime_nsec };
	struct spot spot;
	int fd, rc = -1;

	kept[0] = '\0';
	if (spot_open(&spot, root_fd, path) < 0)
		return -1;
	fd = os_entry_create(spot.dir_fd, spot.temporary);
	if (fd >= 0 && os_set_times(fd, &time) == 0)
		rc = spot_publish(&spot, false, kept);
	os_close(fd);
	spot_close(&spot);
	return rc;
}

/* Do two files hold the same bytes? */
static bool same_data(int root_fd, const char *a, const char *b)
{
	const size_t room = 1 << 16;
	int fd[2] = { os_open_beneath(root_fd, a, O_RDONLY, 0), os_open_beneath(root_fd, b, O_RDONLY, 0) };
	char *piece[2] = { mem_alloc(room), mem_alloc(room) };
	bool same = fd[0] >= 0 && fd[1] >= 0;
	ssize_t got = 1;

	for (uint64_t at = 0; same && got > 0; at += (uint64_t)got) {
		got = os_pread_all(fd[0], piece[0], room, at);
		same = got >= 0 && os_pread_all(fd[1], piece[1], room, at) == got &&
		       memcmp(piece[0], piece[1], (size_t)got) == 0;
	}
	for (unsigned i = 0; i < 2; i++) {
		free(piece[i]);
		os_close(fd[i]);
	}
	return same;
}

int object_make_hardlink(int root_fd, const char *path, const char *target, char kept[ASIDE_MAX])
{
	struct spot spot;
	struct stat st;
	const char *target_name;
	int target_fd, rc = -1;

	kept[0] = '\0';
	if (os_stat_beneath(root_fd, target, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = ENOENT;
		return -1;
	}
	target_fd = os_open_parent(root_fd, target, false, &target_name);
	if (target_fd < 0)
		return -1;
	if (spot_open(&spot, root_fd, path) == 0) {
		if (os_entry_link(target_fd, target_name, spot.dir_fd, spot.temporary) == 0)
			rc = spot_publish(&spot, same_data(root_fd, path, target), kept);
		spot_close(&spot);
	}
	os_close(target_fd);
	return rc;
}

int object_make_symlink(int root_fd, const char *path, const char *text, char kept[ASIDE_MAX])
{
	struct spot spot;
	int rc = -1;

	kept[0] = '\0';
	if (spot_open(&spot, root_fd, path) < 0)
		return -1;
	if (os_entry_symlink(text, spot.dir_fd, spot.temporary) == 0)
		rc = spot_publish(&spot, false, kept);
	spot_close(&spot);
	return rc;
}

int object_make_dir(int root_fd, const char *path)
{
	const char *name;
	int dir_fd = os_open_parent(root_fd, path, true, &name);
	int rc, error;

	if (dir_fd < 0)
		return -1;
	rc = os_entry_mkdir(dir_fd, name);
	error = errno;
	os_close(dir_fd);
	errno = error;
	return rc;
}
