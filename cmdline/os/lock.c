/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "os/file.h"

int os_lock(const char *path)
{
	int fd, rc;

	do
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	while (fd < 0 && errno == EINTR);
	/* Reading is enough to lock, where the file is there already and may not be written. */
	if (fd < 0 && (errno == EROFS || errno == EACCES)) {
		int error = errno;

		fd = open(path, O_RDONLY | O_CLOEXEC);
		errno = error;
	}
	if (fd < 0)
		return -1;
	do
		rc = flock(fd, LOCK_EX | LOCK_NB);
	while (rc < 0 && errno == EINTR);
	if (rc < 0) {
		os_close(fd);
		return -1;
	}
	return fd;
}
