/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As shim.c, for calls that read: loaded before the C library, this numbers those that concern files below a folder,
 * in the order they happen, and lets one of them fail.
 *
 *	FAULT_ROOT=DIR		only calls on files below it count; without it nothing happens
 *	FAULT_TRACE=FILE	append a line for each call: number, name, path, details; that of the one that is harmed
 *				ends with HARM, what was done and, if it can meet nothing else, `last`
 *	FAULT_AT=N		the call that fails
 *	FAULT_DO=K		with the K-th of the errors that such a call may meet, from 0; past the last one it
 *				is left alone. `short`, half of the bytes, is one of those of a read.
 *	FAULT_STICKY=1		all calls from FAULT_AT on fail, as on a disk that dies. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "shim.h"

#define NEXT(name)	((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define SHORT		(-1)
#define ERRORS_MAX	5	/* with the 0 */

/* What a call may meet. EINTR and `short` are no failures: it is asked again. */
struct kind {
	const char *name;
	int error[ERRORS_MAX];	/* 0 after the last */
};

static const struct kind
	opening = { "open", { EIO, EACCES, EINTR, ENOMEM } },
	reading = { "read", { EIO, EINTR, SHORT } },
	asking = { "stat", { EIO, EACCES } },
	listing = { "list", { EIO, ENOMEM } },
	mapping = { "map", { ENOMEM } },
	following = { "readlink", { EIO } },
	resolving = { "resolve", { EIO, EACCES } },
	attributes = { "xattr", { EIO } },
	space = { "space", { EIO } },
	place = { "place", { EIO } },
	locking = { "lock", { ENOLCK, EINTR } },
	copying = { "copy", { EIO, EINTR, SHORT } };

static char root[PATH_MAX];
static int trace_fd = -1;
static atomic_ulong count;
static unsigned long harm_at;
static unsigned harm_turn;
static bool sticky;

__attribute__((constructor)) static void begin(void)
{
	const char *value = getenv("FAULT_ROOT");

	if (value == NULL || NEXT(realpath)(value, root) == NULL)
		return;
	if ((value = getenv("FAULT_TRACE")) != NULL)
		trace_fd = NEXT(open)(value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if ((value = getenv("FAULT_AT")) != NULL)
		harm_at = strtoul(value, NULL, 10);
	if ((value = getenv("FAULT_DO")) != NULL)
		harm_turn = (unsigned)strtoul(value, NULL, 10);
	sticky = getenv("FAULT_STICKY") != NULL;
}

/* ---- one call: what becomes of it? 0, SHORT or an errno */

static int harm_path(const struct kind *kind, const char *path, const char *details)
{
	size_t size = strlen(root);
	unsigned long number;
	int harm = 0;

	if (size == 0 || strncmp(path, root, size) != 0 || (path[size] != '/' && path[size] != '\0'))
		return 0;
	number = atomic_fetch_add(&count, 1) + 1;
	if (harm_at > 0 && (sticky ? number >= harm_at : number == harm_at) && harm_turn < ERRORS_MAX)
		harm = kind->error[harm_turn];
	if (trace_fd >= 0 && harm == 0)
		dprintf(trace_fd, "%lu %s %s %s\n", number, kind->name, path, details);
	else if (trace_fd >= 0)
		dprintf(trace_fd, "%lu %s %s %s HARM %s%s\n", number, kind->name, path, details,
			harm == SHORT ? "short" : strerrorname_np(harm),
			kind->error[harm_turn + 1] == 0 ? " last" : "");
	return harm;
}

static int harm_fd(const struct kind *kind, int fd, const char *details)
{
	char path[PATH_MAX];

	return root[0] != '\0' && path_of_fd(fd, path) ? harm_path(kind, path, details) : 0;
}

static int harm_name(const struct kind *kind, int dir_fd, const char *name, const char *details)
{
	char path[PATH_MAX];

	return root[0] != '\0' && path_of_name(dir_fd, name, path) ? harm_path(kind, path, details) : 0;
}

static bool fails(int harm)
{
	if (harm > 0)
		errno = harm;
	return harm > 0;
}

#define ON_NAME(result, name, kind, dir_fd, path, parameters, ...)	\
result name parameters							\
{									\
	if (fails(harm_name(&kind, dir_fd, path, #name)))		\
		return (result)-1;					\
	return NEXT(name)(__VA_ARGS__);					\
}

#define ON_FD(result, name, kind, fd, parameters, ...)			\
result name parameters							\
{									\
	if (fails(harm_fd(&kind, fd, #name)))				\
		return (result)-1;					\
	return NEXT(name)(__VA_ARGS__);					\
}

/* ---- opening; what makes a file or empties it is of shim.c */

static bool is_reading(int flags)
{
	return !(flags & (O_CREAT | O_TRUNC)) && (flags & O_TMPFILE) != O_TMPFILE;
}

#define OPEN(name, dir, parameters, ...)						\
int name parameters									\
{											\
	va_list args;									\
	mode_t mode;									\
											\
	va_start(args, flags);								\
	mode = mode_of(flags, args);							\
	va_end(args);									\
	if (is_reading(flags) && fails(harm_name(&opening, dir, path, #name)))		\
		return -1;								\
	return NEXT(name)(__VA_ARGS__, mode);						\
}

OPEN(open, AT_FDCWD, (const char *path, int flags, ...), path, flags)
OPEN(open64, AT_FDCWD, (const char *path, int flags, ...), path, flags)
OPEN(openat, dir_fd, (int dir_fd, const char *path, int flags, ...), dir_fd, path, flags)
OPEN(openat64, dir_fd, (int dir_fd, const char *path, int flags, ...), dir_fd, path, flags)

long syscall(long number, ...)
{
	va_list args;
	long a[6];

	va_start(args, number);
	for (unsigned i = 0; i < 6; ++i)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_openat2 && is_reading((int)((const struct open_how *)a[2])->flags) &&
	    fails(harm_name(&opening, (int)a[0], (const char *)a[1], "openat2")))
		return -1;
	return NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- data */

static int harm_read(int fd, long long at, size_t size)
{
	char text[64];

	snprintf(text, sizeof(text), "%lld+%zu", at, size);
	return harm_fd(&reading, fd, text);
}

static ssize_t shortened(int harm, ssize_t got)
{
	return harm == SHORT && got > 1 ? got / 2 : got;
}

ssize_t read(int fd, void *data, size_t size)
{
	int harm = harm_read(fd, -1, size);
	ssize_t got, left;

	if (fails(harm))
		return -1;
	got = NEXT(read)(fd, data, size);
	left = shortened(harm, got);
	if (left < got)
		lseek(fd, left - got, SEEK_CUR);
	return left;
}

#define PREAD(name)								\
ssize_t name(int fd, void *data, size_t size, off64_t at)			\
{										\
	int harm = harm_read(fd, at, size);					\
										\
	return fails(harm) ? -1 : shortened(harm, NEXT(name)(fd, data, size, at));	\
}

PREAD(pread)
PREAD(pread64)

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags)
{
	int harm = harm_fd(&copying, from, "");
	struct stat st;

	if (fails(harm))
		return -1;
	if (harm == SHORT && NEXT(fstat)(from, &st) == 0 && st.st_size > 1)
		size = (size_t)st.st_size / 2;
	return NEXT(copy_file_range)(from, from_at, to, to_at, size, flags);
}

ON_FD(void *, mmap, mapping, fd, (void *at, size_t size, int how, int flags, int fd, off_t offset),
      at, size, how, flags, fd, offset)
ON_FD(void *, mmap64, mapping, fd, (void *at, size_t size, int how, int flags, int fd, off64_t offset),
      at, size, how, flags, fd, offset)

/* ---- names */

ON_FD(ssize_t, getdents64, listing, fd, (int fd, void *data, size_t size), fd, data, size)
ON_NAME(ssize_t, readlinkat, following, dir_fd, path, (int dir_fd, const char *path, char *text, size_t size),
	dir_fd, path, text, size)

char *realpath(const char *path, char *real)
{
	return fails(harm_name(&resolving, AT_FDCWD, path, "")) ? NULL : NEXT(realpath)(path, real);
}

/* ---- what is known of a file */

ON_NAME(int, stat, asking, AT_FDCWD, path, (const char *path, struct stat *st), path, st)
ON_NAME(int, stat64, asking, AT_FDCWD, path, (const char *path, struct stat64 *st), path, st)
ON_NAME(int, lstat, asking, AT_FDCWD, path, (const char *path, struct stat *st), path, st)
ON_NAME(int, lstat64, asking, AT_FDCWD, path, (const char *path, struct stat64 *st), path, st)
ON_NAME(int, fstatat, asking, dir_fd, path, (int dir_fd, const char *path, struct stat *st, int flags),
	dir_fd, path, st, flags)
ON_NAME(int, fstatat64, asking, dir_fd, path, (int dir_fd, const char *path, struct stat64 *st, int flags),
	dir_fd, path, st, flags)
ON_NAME(int, statx, asking, dir_fd, path,
	(int dir_fd, const char *path, int flags, unsigned mask, struct statx *st), dir_fd, path, flags, mask, st)
ON_NAME(int, access, asking, AT_FDCWD, path, (const char *path, int mode), path, mode)
ON_FD(int, fstat, asking, fd, (int fd, struct stat *st), fd, st)
ON_FD(int, fstat64, asking, fd, (int fd, struct stat64 *st), fd, st)

ON_FD(ssize_t, flistxattr, attributes, fd, (int fd, char *list, size_t size), fd, list, size)
ON_FD(ssize_t, fgetxattr, attributes, fd, (int fd, const char *name, void *value, size_t size), fd, name, value, size)

ON_NAME(int, statvfs, space, AT_FDCWD, path, (const char *path, struct statvfs *fs), path, fs)
ON_NAME(int, statvfs64, space, AT_FDCWD, path, (const char *path, struct statvfs64 *fs), path, fs)
ON_NAME(int, statfs, space, AT_FDCWD, path, (const char *path, struct statfs *fs), path, fs)
ON_NAME(int, statfs64, space, AT_FDCWD, path, (const char *path, struct statfs64 *fs), path, fs)

ON_FD(int, flock, locking, fd, (int fd, int how), fd, how)

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	return fails(harm_fd(&place, fd, "ioctl")) ? -1 : NEXT(ioctl)(fd, request, argument);
}
