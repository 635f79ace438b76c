/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/file.h"
#include "os/recent.h"

int os_entry_create(int dir_fd, const char *name)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dir_fd, name, flags, 0600);

	if (fd < 0 && errno == EEXIST && unlinkat(dir_fd, name, 0) == 0)
		fd = openat(dir_fd, name, flags, 0600);
	return fd;
}

int os_entry_mkdir(int dir_fd, const char *name)
{
	return mkdirat(dir_fd, name, 0755);
}

int os_entry_symlink(const char *text, int dir_fd, const char *name)
{
	return symlinkat(text, dir_fd, name);
}

int os_entry_link(int target_fd, const char *target_name, int dir_fd, const char *name)
{
	return linkat(target_fd, target_name, dir_fd, name, 0);
}

int os_entry_rename(int dir_fd, const char *from, const char *to)
{
	return renameat(dir_fd, from, dir_fd, to);
}

int os_entry_rename_new(int dir_fd, const char *from, const char *to)
{
	struct stat st;

	if (renameat2(dir_fd, from, dir_fd, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	/* A file system without that call: look first. */
	if (fstatat(dir_fd, to, &st, AT_SYMLINK_NOFOLLOW) == 0)
		errno = EEXIST;
	else if (errno == ENOENT)
		return renameat(dir_fd, from, dir_fd, to);
	return -1;
}

int os_entry_unlink(int dir_fd, const char *name)
{
	return unlinkat(dir_fd, name, 0);
}

int os_entry_rmdir(int dir_fd, const char *name)
{
	return unlinkat(dir_fd, name, AT_REMOVEDIR);
}

int os_entry_stat(int dir_fd, const char *name, struct stat *st)
{
	return fstatat(dir_fd, name, st, AT_SYMLINK_NOFOLLOW);
}

/* By reading and writing, where copy_file_range() does not work. */
static int copy_bytes(int from_fd, int to_fd, uint64_t at, uint64_t size)
{
	const size_t room = 1 << 20;
	char *piece = mem_alloc(room);
	int rc = -1;

	while (at < size) {
		size_t want = size - at < room ? (size_t)(size - at) : room;
		ssize_t got = os_pread_all(from_fd, piece, want, at);

		if (got < 0 || os_pwrite_all(to_fd, piece, (size_t)got, at) < 0)
			goto out;
		if (got == 0)
			break;
		at += (uint64_t)got;
	}
	rc = 0;
out:
	free(piece);
	return rc;
}

int os_copy(int from_fd, int to_fd, uint64_t size)
{
	uint64_t done = 0;

	while (done < size) {
		off_t from = (off_t)done, to = (off_t)done;
		uint64_t left = size - done;
		ssize_t got = copy_file_range(from_fd, &from, to_fd, &to, left < (1u << 30) ? (size_t)left : 1u << 30, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP))
			return copy_bytes(from_fd, to_fd, done, size);
		if (got < 0)
			return -1;
		if (got == 0)	/* the end, or a file system that only says so */
			return copy_bytes(from_fd, to_fd, done, size);
		done += (uint64_t)got;
	}
	return 0;
}

int os_set_owner(int fd, const struct stat *like)
{
	/* The mode last: a change of owner clears some of its bits. */
	if (fchown(fd, like->st_uid, like->st_gid) < 0)
		return -1;
	return fchmod(fd, like->st_mode & 07777);
}
