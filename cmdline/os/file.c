/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ	22	/* Linux 5.14 */
#endif

static int open_at(int dir_fd, const char *path, int flags, mode_t mode)
{
	int fd;

	do
		fd = openat(dir_fd, path, flags | O_CLOEXEC, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

int os_open_read(const char *path)
{
	return open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
}

int os_create_new(const char *path, mode_t mode)
{
	return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL, mode);
}

int os_open_dir(const char *path)
{
	return open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
}

void os_close(int fd)
{
	int error = errno;	/* often that of the failure which leads here */

	if (fd >= 0)
		close(fd);
	errno = error;
}

ssize_t os_pread_all(int fd, void *data, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, (char *)data + done, size - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/* Did a write that returned `wrote` fail? Nothing taken and no reason given is a failure, or it would be
 * tried for ever. */
static bool write_failed(ssize_t wrote)
{
	if (wrote == 0)
		errno = EIO;
	return wrote == 0 || (wrote < 0 && errno != EINTR);
}

int os_pwrite_all(int fd, const void *data, size_t size, uint64_t offset)
{
	const char *at = data;

	while (size > 0) {
		ssize_t wrote = pwrite(fd, at, size, (off_t)offset);

		if (write_failed(wrote))
			return -1;
		if (wrote > 0) {
			at += wrote;
			size -= (size_t)wrote;
			offset += (uint64_t)wrote;
		}
	}
	return 0;
}

int os_write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		ssize_t wrote = write(fd, at, size);

		if (write_failed(wrote))
			return -1;
		if (wrote > 0) {
			at += wrote;
			size -= (size_t)wrote;
		}
	}
	return 0;
}

/* Add all of `fd`, and close it. */
static int read_and_close(int fd, size_t limit, struct buf *out)
{
	size_t before = out->size;
	int rc = -1;

	/* Until the end, not as far as the size says: files of /proc have none. */
	for (;;) {
		char piece[65536];
		ssize_t got = read(fd, piece, sizeof(piece));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			goto out;
		if ((size_t)got > limit - (out->size - before)) {
			errno = EFBIG;
			goto out;
		}
		buf_add(out, piece, (size_t)got);
		if (got == 0)
			break;
	}
	rc = 0;
out:
	if (rc < 0 && out->data != NULL) {
		out->size = before;
		out->data[before] = '\0';
	}
	os_close(fd);
	return rc;
}

int os_read_file(const char *path, size_t limit, struct buf *out)
{
	int fd = open_at(AT_FDCWD, path, O_RDONLY, 0);

	return fd < 0 ? -1 : read_and_close(fd, limit, out);
}

int os_read_regular(const char *path, size_t limit, struct buf *out)
{
	int fd = os_open_read(path);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return read_and_close(fd, limit, out);
	if (fd >= 0)
		errno = EINVAL;
	os_close(fd);
	return -1;
}

const void *os_map_unread(int fd, size_t size)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	return data != MAP_FAILED ? data : NULL;
}

int os_map_read(const void *part, size_t size)
{
	/* EFAULT: a look at one of the pages would raise SIGBUS. What else may fail is no more than advice. */
	if (madvise((void *)(uintptr_t)part, size, MADV_POPULATE_READ) == 0 || (errno != EFAULT && errno != EHWPOISON))
		return 0;
	errno = EIO;
	return -1;
}

void os_map_drop(const void *part, size_t size)
{
	madvise((void *)(uintptr_t)part, size, MADV_DONTNEED);
}

const void *os_map(int fd, size_t size)
{
	const void *data = os_map_unread(fd, size);

	if (data != NULL && os_map_read(data, size) < 0) {
		os_unmap(data, size);
		errno = EIO;
		return NULL;
	}
	return data;
}

void os_unmap(const void *data, size_t size)
{
	if (data != NULL)
		munmap((void *)(uintptr_t)data, size);
}

int os_view_open(struct os_view *view, const char *path)
{
	int fd = os_open_read(path), rc = -1;
	struct stat st;

	*view = (struct os_view){ NULL, 0 };
	if (fd < 0 || fstat(fd, &st) < 0)
		goto out;
	rc = 0;
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		goto out;
	errno = EFBIG;
	if ((uint64_t)st.st_size <= SIZE_MAX)
		view->data = os_map(fd, (size_t)st.st_size);
	if (view->data != NULL)
		view->size = (size_t)st.st_size;
	else
		rc = -1;
out:
	os_close(fd);
	return rc;
}

void os_view_close(struct os_view *view)
{
	os_unmap(view->data, view->size);
	*view = (struct os_view){ NULL, 0 };
}

int os_sync(int fd)
{
	int rc;

	do
		rc = fsync(fd);
	while (rc < 0 && errno == EINTR);
	return rc;
}

int os_sync_fs(int fd)
{
	return syncfs(fd);
}

/* Is syncfs() handed on to what writes to the disk? */
static bool sync_fs_reaches(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	switch ((uint32_t)fs.f_type) {
	case 0x65735546:	/* FUSE */
	case 0x6969:		/* NFS */
	case 0xff534d42:	/* CIFS */
	case 0xfe534d42:	/* SMB2 */
	case 0x01021997:	/* 9p */
		return false;
	default:
		return true;
	}
}

bool os_sync_fs_is_sure(int fd)
{
	unsigned major, minor;
	struct utsname name;

	return uname(&name) == 0 && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 5 || (major == 5 && minor >= 8)) && sync_fs_reaches(fd);
}

/* fsync() would flush the caches of the disk for each file again. */
int os_sync_after_fs(int fd)
{
	const unsigned all = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;

	return sync_fs_reaches(fd) ? sync_file_range(fd, 0, 0, all) : os_sync(fd);
}

int os_sync_parent(const char *path)
{
	char *dir = path_dir(path);
	int fd = os_open_dir(dir);
	int rc = fd < 0 ? -1 : os_sync(fd);

	/* EINVAL is the answer of a file system that has nothing to sync in a directory. */
	if (fd >= 0 && rc < 0 && errno == EINVAL)
		rc = 0;
	os_close(fd);
	free(dir);
	return rc;
}

int os_rename_durable(const char *from, const char *to)
{
	if (rename(from, to) < 0)
		return -1;
	return os_sync_parent(to);
}

int os_truncate(int fd, uint64_t size)
{
	int rc;

	do
		rc = ftruncate(fd, (off_t)size);
	while (rc < 0 && errno == EINTR);
	return rc;
}

static int allocate(int fd, int mode, uint64_t size, uint64_t more)
{
	int rc;

	if (more > INT64_MAX - size || size > INT64_MAX) {
		errno = EFBIG;
		return -1;
	}
	do
		rc = fallocate(fd, mode, (off_t)size, (off_t)more);
	while (rc < 0 && errno == EINTR);
	return rc;
}

int os_reserve(int fd, uint64_t size, uint64_t more)
{
	if (more == 0 || allocate(fd, FALLOC_FL_KEEP_SIZE, size, more) == 0)
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
}

int os_extend(int fd, uint64_t size, uint64_t more)
{
	int error;

	if (more == 0 || allocate(fd, 0, size, more) == 0)
		return 0;
	if (errno == EOPNOTSUPP || errno == ENOSYS)
		return os_truncate(fd, size + more);
	/* A full disk may have given a part: take that back, or the file stays longer than it was. */
	error = errno;
	os_truncate(fd, size);
	errno = error;
	return -1;
}

void os_write_behind(int fd, uint64_t offset, uint64_t size)
{
	sync_file_range(fd, (off_t)offset, (off_t)size, SYNC_FILE_RANGE_WRITE);
}

int os_set_times(int fd, const struct timespec *mtime)
{
	const struct timespec both[2] = { *mtime, *mtime };

	return futimens(fd, both);
}
