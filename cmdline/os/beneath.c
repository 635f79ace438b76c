/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of file.h that stays below a root.
 *
 * The kernel does it in one call, openat2(); where that is missing, a walk opens one component after the
 * other. Both refuse the same: a path that is not safe by its text with EXDEV, a link on the way or at the
 * end with ELOOP. */
#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/path.h"

/* Open one component. */
static int open_component(int dir_fd, const char *name, int flags, mode_t mode)
{
	struct stat st;
	int fd;

	do
		fd = openat(dir_fd, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
	while (fd < 0 && errno == EINTR);
	/* With O_DIRECTORY a link is only said to be no directory. */
	if (fd < 0 && errno == ENOTDIR && fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		errno = S_ISLNK(st.st_mode) ? ELOOP : ENOTDIR;
	return fd;
}

static int open_or_create_dir(int dir_fd, const char *name)
{
	int fd = open_component(dir_fd, name, O_RDONLY | O_DIRECTORY, 0);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	if (mkdirat(dir_fd, name, 0755) < 0 && errno != EEXIST)
		return -1;
	return open_component(dir_fd, name, O_RDONLY | O_DIRECTORY, 0);
}

/* Open the directory that holds `path`, going down from the root; `*name` is what is left of the path. */
static int walk_to_parent(int root_fd, const char *path, bool create, const char **name)
{
	int fd = open_component(root_fd, ".", O_RDONLY | O_DIRECTORY, 0);
	const char *slash;

	while (fd >= 0 && (slash = strchr(path, '/')) != NULL) {
		size_t size = (size_t)(slash - path);
		char component[NAME_MAX + 1];
		int below = -1;

		if (size <= NAME_MAX) {
			memcpy(component, path, size);
			component[size] = '\0';
			below = create ? open_or_create_dir(fd, component)
				       : open_component(fd, component, O_RDONLY | O_DIRECTORY, 0);
		} else {
			errno = ENAMETOOLONG;
		}
		os_close(fd);
		fd = below;
		path = slash + 1;
	}
	*name = path;
	return fd;
}

static int open_walking(int root_fd, const char *path, int flags, mode_t mode)
{
	const char *name;
	int dir_fd = walk_to_parent(root_fd, path, false, &name);
	int fd = dir_fd < 0 ? -1 : open_component(dir_fd, name, flags, mode);

	os_close(dir_fd);
	return fd;
}

static int open_resolving(int root_fd, const char *path, int flags, mode_t mode)
{
	const struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.mode = (flags & O_CREAT) != 0 ? mode : 0,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	long fd;

	do
		fd = syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
	while (fd < 0 && errno == EINTR);
	/* Old kernels say ENOSYS. So should a sandbox that does not know the call, but some say EPERM. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_walking(root_fd, path, flags, mode);
	return (int)fd;
}

/* "" and "." are the root itself. */
static bool is_root(const char *path)
{
	return path[0] == '\0' || strcmp(path, ".") == 0;
}

static bool is_beneath(const char *path)
{
	if (is_root(path) || path_is_safe(path, strlen(path)))
		return true;
	errno = EXDEV;
	return false;
}

int os_open_beneath(int root_fd, const char *path, int flags, mode_t mode)
{
	if (!is_beneath(path))
		return -1;
	if (is_root(path))
		path = ".";
	flags |= O_NONBLOCK | O_NOCTTY;		/* without effect on files and directories */
	if ((flags & (O_ACCMODE | O_PATH)) == O_RDONLY) {
		int fd = open_resolving(root_fd, path, flags | O_NOATIME, mode);

		if (fd >= 0 || errno != EPERM)	/* EPERM: of another owner */
			return fd;
	}
	return open_resolving(root_fd, path, flags, mode);
}

int os_open_parent(int root_fd, const char *path, bool create, const char **name)
{
	char dir[PATH_BYTES_MAX + 1] = "";
	size_t size;
	int fd;

	if (!is_beneath(path))
		return -1;
	*name = path_name(path);
	size = (size_t)(*name - path);
	if (size > sizeof(dir)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (size > 0) {
		memcpy(dir, path, size);
		dir[size - 1] = '\0';	/* in place of the slash */
	}
	fd = os_open_beneath(root_fd, dir, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0 && errno == ENOENT && create)
		fd = walk_to_parent(root_fd, path, true, name);
	return fd;
}

int os_stat_beneath(int root_fd, const char *path, struct stat *st)
{
	const char *name;
	int dir_fd, rc;

	if (is_root(path))
		return fstat(root_fd, st);
	dir_fd = os_open_parent(root_fd, path, false, &name);
	if (dir_fd < 0)
		return -1;
	rc = fstatat(dir_fd, name, st, AT_SYMLINK_NOFOLLOW);
	os_close(dir_fd);
	return rc;
}
