/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files: whole reads and writes, durable renames, opens that never follow a link.
 *
 * All return -1 with errno set on failure unless said. EINTR is handled. Every descriptor is close-on-exec.
 * Thread safe. */
#ifndef OS_FILE_H
#define OS_FILE_H

#include <sys/stat.h>
#include <sys/types.h>
#include "base/buf.h"

int os_open_read(const char *path);			/* O_RDONLY; never waits for the writer of a pipe */
int os_create_new(const char *path, mode_t mode);	/* O_WRONLY, must not exist */
int os_open_dir(const char *path);			/* a directory, for the calls below */
void os_close(int fd);					/* -1 is fine; errno stays what it was */

/* Open `path` relative to `root_fd`; no component may be a symbolic link or leave the root
 * (ELOOP, EXDEV). "." is the root itself. O_NOATIME is tried for reads. A FIFO or a
 * device does not make it wait: where only a file will do, fstat tells. */
int os_open_beneath(int root_fd, const char *path, int flags, mode_t mode);
/* lstat below a root, same rule for the directories of `path`. */
int os_stat_beneath(int root_fd, const char *path, struct stat *st);
/* Open the directory that holds `path` ("" : the root itself), creating missing ones with mode 0755 if
 * `create`. Same rule. The last component is in `*name`, which points into `path`. */
int os_open_parent(int root_fd, const char *path, bool create, const char **name);

/* Short only at the end of the file. */
ssize_t os_pread_all(int fd, void *data, size_t size, uint64_t offset);
int os_pwrite_all(int fd, const void *data, size_t size, uint64_t offset);
int os_write_all(int fd, const void *data, size_t size);
/* The bytes are added to `out`. EFBIG if there are more than `limit`; on failure `out` is as before. */
int os_read_file(const char *path, size_t limit, struct buf *out);
/* The same, and EINVAL of what is no file: it never waits for the writer of a pipe. */
int os_read_regular(const char *path, size_t limit, struct buf *out);
/* The first `size` bytes, not 0, in memory, for reading; all are read now. NULL with errno: EIO if some cannot be. (A
 * kernel before 5.14 does not tell: see os_bus_error_install.) */
const void *os_map(int fd, size_t size);
/* The same without reading anything; then a part of it is read, -1 with errno as above; and one that is done with need
 * not count as memory of this process: looked at again it is mapped again. Parts begin at a page. */
const void *os_map_unread(int fd, size_t size);
int os_map_read(const void *part, size_t size);
void os_map_drop(const void *part, size_t size);
void os_unmap(const void *data, size_t size);		/* NULL is fine */
/* All of a file, by os_map; NULL and 0 of one that is empty or no regular file. -1 with errno, and the same: it cannot be
 * read. */
struct os_view {
	const uint8_t *data;
	size_t size;
};
int os_view_open(struct os_view *view, const char *path);
void os_view_close(struct os_view *view);
int os_sync(int fd);					/* data and size durable */
int os_sync_fs(int fd);					/* the whole file system of fd */
/* Does that reach the disk, and tell of what could not be written? Linux before 5.8 does not tell; FUSE and network file
 * systems are not asked to sync. */
bool os_sync_fs_is_sure(int fd);
int os_sync_after_fs(int fd);				/* what it has left to do, or to tell, of that file */
int os_sync_parent(const char *path);			/* the directory entry of path durable */
int os_rename_durable(const char *from, const char *to);	/* rename, then fsync of the directory */
int os_truncate(int fd, uint64_t size);
/* Extend the file from `size` by `more` bytes that read as zero, with space reserved where the file
 * system can; EOPNOTSUPP falls back to a sparse extension. On failure the file has `size` bytes again. */
int os_extend(int fd, uint64_t size, uint64_t more);
/* Only reserve that space, where the file system can; the size of the file stays. */
int os_reserve(int fd, uint64_t size, uint64_t more);

/* Start writing that range, do not wait. */
void os_write_behind(int fd, uint64_t offset, uint64_t size);

struct timespec;
int os_set_times(int fd, const struct timespec *mtime);	/* atime gets the same */

#endif
