/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before the C library, this stands between a program and its file-changing system calls. It numbers
 * those that concern files below a folder, in the order they happen, and can do harm at one of them:
 *
 *	FAULT_ROOT=DIR		only calls on files below it count; without it nothing happens
 *	FAULT_TRACE=FILE	append a line for each call: number, name, path, details, result
 *	FAULT_AT=N		the call at which harm is done
 *	FAULT_DO=kill-before, kill-after	SIGKILL
 *		 cut		SIGKILL before the call, and what was not made durable is lost, see FAULT_CUT
 *		 EIO, ENOSPC	the call fails with it. An fsync that fails has lost the data for good, as
 *				the kernel drops it: a second fsync succeeds and proves nothing.
 *		 short		a write takes half of the bytes
 *	FAULT_STICKY=1		FAULT_DO at all calls from FAULT_AT on
 *	FAULT_CUT=all		data and names that were not synced are lost (the default)
 *		  names		names alone: new files, renames and removals of directories that were not synced
 *		  data		data alone: files have the length and bytes of their last fsync
 *		  NUMBER	each write is lost or not by chance; of the names of a directory, the last ones
 *		  torn		nothing, but for the second half of the last write
 *		  torn-alone	names and data, but for the first half of the last write
 *	FAULT_STATE=DIR		on the same file system, for what a cut brings back
 *
 * One lock makes all these calls follow one another. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim.h"

/* ---- the calls themselves, not through the functions that are replaced here */

#define real(name, ...)	(raw()(SYS_##name, __VA_ARGS__))

typedef long raw_call(long number, ...);

static raw_call *raw(void)
{
	static raw_call *call;

	if (call == NULL)
		call = (raw_call *)dlsym(RTLD_NEXT, "syscall");
	return call;
}

/* ---- what was done and is not durable yet, newest first */

enum undo_kind { UNDO_DATA, UNDO_SIZE, UNDO_CREATE, UNDO_REMOVE, UNDO_RENAME };

struct undo {
	struct undo *next;
	enum undo_kind kind;
	int fd;				/* of data: our own, for reading and writing */
	dev_t device;
	ino_t inode;
	off_t offset, old_size;
	size_t bytes;			/* that may have changed */
	size_t old_bytes;		/* of these, there were so many */
	char *old;			/* malloc */
	char path[PATH_MAX];		/* of a name */
	char other[PATH_MAX];		/* of a rename: where it came from */
	char saved[PATH_MAX];		/* what a name meant before, hard linked; "": nothing */
};

static struct undo *undo;
static unsigned saved_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static const char *state, *cut = "all";
static int trace_fd = -1;
static unsigned long count, harm_at;
static bool sticky;
static enum { NO_HARM, KILL_BEFORE, KILL_AFTER, CUT, FAIL, SHORT } harm;
static int harm_errno;

__attribute__((constructor)) static void begin(void)
{
	const char *value = getenv("FAULT_ROOT");

	if (value == NULL || realpath(value, root) == NULL)
		return;
	state = getenv("FAULT_STATE");
	if ((value = getenv("FAULT_CUT")) != NULL)
		cut = value;
	if ((value = getenv("FAULT_TRACE")) != NULL)
		trace_fd = (int)real(openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if ((value = getenv("FAULT_AT")) != NULL)
		harm_at = strtoul(value, NULL, 10);
	sticky = getenv("FAULT_STICKY") != NULL;
	value = getenv("FAULT_DO");
	if (value == NULL)
		return;
	harm = strcmp(value, "kill-before") == 0 ? KILL_BEFORE :
	       strcmp(value, "kill-after") == 0	 ? KILL_AFTER :
	       strcmp(value, "cut") == 0	 ? CUT :
	       strcmp(value, "short") == 0	 ? SHORT :
						   FAIL;
	harm_errno = strcmp(value, "ENOSPC") == 0 ? ENOSPC : EIO;
}

static bool is_below(const char *path)
{
	size_t size = strlen(root);

	return size > 0 && strncmp(path, root, size) == 0 && (path[size] == '/' || path[size] == '\0') &&
	       (state == NULL || strncmp(path, state, strlen(state)) != 0);
}

/* ---- remembering */

static struct undo *remember(enum undo_kind kind)
{
	struct undo *u = calloc(1, sizeof(*u));

	u->kind = kind;
	u->fd = -1;
	u->next = undo;
	undo = u;
	return u;
}

static void forget(struct undo **at)
{
	struct undo *u = *at;

	*at = u->next;
	if (u->fd >= 0)
		real(close, u->fd);
	if (u->saved[0] != '\0')
		real(unlinkat, AT_FDCWD, u->saved, 0);
	free(u->old);
	free(u);
}

/* The bytes from `offset` on may change, and the size. */
static void remember_data(int fd, off_t offset, size_t bytes, enum undo_kind kind)
{
	struct undo *u;
	struct stat st;
	char link[64];

	if (state == NULL || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	u = remember(kind);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	u->fd = (int)real(openat, AT_FDCWD, link, O_RDWR | O_CLOEXEC, 0);
	u->device = st.st_dev;
	u->inode = st.st_ino;
	u->old_size = st.st_size;
	u->offset = offset;
	u->bytes = bytes;
	if (offset < st.st_size && bytes > 0) {
		u->old = malloc(bytes);
		u->old_bytes = (size_t)(pread(u->fd, u->old, bytes, offset));
	}
}

/* A name comes, goes or changes. `path` may exist and be replaced. */
static void remember_name(enum undo_kind kind, const char *path, const char *other)
{
	struct undo *u;

	if (state == NULL)
		return;
	u = remember(kind);
	snprintf(u->path, PATH_MAX, "%s", path);
	snprintf(u->other, PATH_MAX, "%s", other);
	snprintf(u->saved, PATH_MAX, "%s/%u", state, ++saved_count);
	if (kind == UNDO_CREATE || real(linkat, AT_FDCWD, path, AT_FDCWD, u->saved, 0) < 0)
		u->saved[0] = '\0';
}

static bool is_data(const struct undo *u)
{
	return u->kind == UNDO_DATA || u->kind == UNDO_SIZE;
}

static void dir_of(const char *path, char dir[PATH_MAX])
{
	snprintf(dir, PATH_MAX, "%s", path);
	*strrchr(dir, '/') = '\0';
}

/* All below one file or directory is durable now. fd -1: everything is. */
static void forget_synced(int fd)
{
	char path[PATH_MAX], dir[PATH_MAX];
	struct stat st = { 0 };

	if (fd >= 0 && (fstat(fd, &st) < 0 || !path_of_fd(fd, path)))
		return;
	for (struct undo **at = &undo; *at != NULL;) {
		struct undo *u = *at;
		bool synced = fd < 0;

		if (!synced && is_data(u))
			synced = u->device == st.st_dev && u->inode == st.st_ino;
		else if (!synced)
			synced = (dir_of(u->path, dir), strcmp(dir, path) == 0);
		if (synced)
			forget(at);
		else
			at = &u->next;
	}
}

/* ---- losing */

/* Half of a write got to the disk: the other half is as it was. */
static void tear(const struct undo *u)
{
	const size_t half = u->bytes / 2;

	if (u->old_bytes > half &&
	    real(pwrite64, u->fd, u->old + half, u->old_bytes - half, u->offset + (off_t)half) < 0)
		abort();
	if (u->old_size < u->offset + (off_t)u->bytes)
		real(ftruncate, u->fd,
		     u->old_size > u->offset + (off_t)half ? u->old_size : u->offset + (off_t)half);
}

static void undo_one(const struct undo *u)
{
	switch (u->kind) {
	case UNDO_DATA:
	case UNDO_SIZE:
		if (u->old_bytes > 0 && real(pwrite64, u->fd, u->old, u->old_bytes, u->offset) < 0)
			abort();
		real(ftruncate, u->fd, u->old_size);
		break;
	case UNDO_CREATE:
		if (real(unlinkat, AT_FDCWD, u->path, 0) < 0)
			real(unlinkat, AT_FDCWD, u->path, AT_REMOVEDIR);
		break;
	case UNDO_REMOVE:
		if (u->saved[0] != '\0')
			real(linkat, AT_FDCWD, u->saved, AT_FDCWD, u->path, 0);
		break;
	case UNDO_RENAME:
		if (real(renameat2, AT_FDCWD, u->path, AT_FDCWD, u->other, 0) == 0 && u->saved[0] != '\0')
			real(linkat, AT_FDCWD, u->saved, AT_FDCWD, u->path, 0);
		break;
	}
}

/* One that was not synced: is it lost? Of the names of a directory all up to some moment are kept. */
static bool is_lost(const struct undo *u, struct undo *const *kept_dirs, unsigned kept_count)
{
	if (strcmp(cut, "all") == 0)
		return true;
	if (strcmp(cut, "names") == 0)
		return !is_data(u);
	if (strcmp(cut, "data") == 0)
		return is_data(u);
	if (!is_data(u)) {
		char dir[PATH_MAX], other[PATH_MAX];

		dir_of(u->path, dir);
		for (unsigned i = 0; i < kept_count; ++i)
			if (dir_of(kept_dirs[i]->path, other), strcmp(dir, other) == 0)
				return false;
	}
	return rand() % 2 == 0;
}

/* The newest write is half there; the others are, or are not. */
static void power_cut_torn(void)
{
	const bool alone = strcmp(cut, "torn-alone") == 0;
	bool torn = false;

	for (const struct undo *u = undo; u != NULL; u = u->next) {
		if (!torn && u->kind == UNDO_DATA && u->bytes > 1) {
			torn = true;
			tear(u);
		} else if (alone) {
			undo_one(u);
		}
	}
}

#define KEPT_MAX 64

static void power_cut(void)
{
	struct undo *kept[KEPT_MAX];
	unsigned kept_count = 0;

	if (strncmp(cut, "torn", 4) == 0) {
		power_cut_torn();
		return;
	}
	srand((unsigned)strtoul(cut, NULL, 10) + (unsigned)harm_at);
	for (struct undo *u = undo; u != NULL; u = u->next) {
		if (is_lost(u, kept, kept_count))
			undo_one(u);
		else if (!is_data(u) && kept_count < KEPT_MAX)
			kept[kept_count++] = u;
	}
}

/* The kernel could not write it: it is gone, and the next fsync says that all is well. */
static void lose_data_of(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return;
	for (struct undo **at = &undo; *at != NULL;) {
		struct undo *u = *at;

		if (is_data(u) && u->device == st.st_dev && u->inode == st.st_ino) {
			undo_one(u);
			forget(at);
		} else {
			at = &u->next;
		}
	}
}

static void die(void)
{
	real(kill, getpid(), SIGKILL);
	for (;;)
		pause();
}

/* ---- one call */

/* Begin a call that counts; holds the lock until leave(). true: it fails, with errno set. */
static bool enter(const char *name, const char *path, const char *details)
{
	bool now;

	++count;
	now = harm != NO_HARM && (sticky ? count >= harm_at : count == harm_at);
	if (trace_fd >= 0) {
		char line[3 * PATH_MAX];
		int size = snprintf(line, sizeof(line), "%lu %s %s %s%s\n", count, name, path, details,
				    now ? " HARM" : "");

		real(write, trace_fd, line, size);
	}
	if (!now)
		return false;
	if (harm == CUT)
		power_cut();
	if (harm == CUT || harm == KILL_BEFORE)
		die();
	if (harm != FAIL)
		return false;
	errno = harm_errno;
	return true;
}

static long leave(long result)
{
	int error = errno;

	if (harm == KILL_AFTER && count == harm_at)
		die();
	pthread_mutex_unlock(&lock);
	errno = error;
	return result;
}

/* Is the call ours? Then the lock is held. */
static bool concerns(const char *path)
{
	if (root[0] == '\0' || !is_below(path))
		return false;
	pthread_mutex_lock(&lock);
	return true;
}

static bool concerns_fd(int fd, char path[PATH_MAX])
{
	return root[0] != '\0' && path_of_fd(fd, path) && concerns(path);
}

static bool concerns_name(int dir_fd, const char *name, char path[PATH_MAX])
{
	return root[0] != '\0' && path_of_name(dir_fd, name, path) && concerns(path);
}

/* ---- opening */

/* A file that an opening creates or empties. */
static long do_open(int dir_fd, const char *name, int flags, mode_t mode, const struct open_how *how)
{
	char path[PATH_MAX];
	struct stat st;
	long fd;
	bool there;

	if (!(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE ||
	    !concerns_name(dir_fd, name, path))
		return how != NULL ? real(openat2, dir_fd, name, how, sizeof(*how)) :
				     real(openat, dir_fd, name, flags, mode);
	there = stat(path, &st) == 0;
	if (enter("create", path, there ? "exists" : "new"))
		return leave(-1);
	if (there && (flags & O_TRUNC)) {
		int old = (int)real(openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);

		remember_data(old, 0, (size_t)st.st_size, UNDO_SIZE);
		real(close, old);
	}
	fd = how != NULL ? real(openat2, dir_fd, name, how, sizeof(*how)) :
			   real(openat, dir_fd, name, flags, mode);
	if (fd >= 0 && !there)
		remember_name(UNDO_CREATE, path, "");
	return leave(fd);
}

#define OPEN(name)						\
int name(const char *path, int flags, ...)			\
{								\
	va_list args;						\
	mode_t mode;						\
								\
	va_start(args, flags);					\
	mode = mode_of(flags, args);				\
	va_end(args);						\
	return (int)do_open(AT_FDCWD, path, flags, mode, NULL);	\
}

#define OPENAT(name)						\
int name(int dir_fd, const char *path, int flags, ...)		\
{								\
	va_list args;						\
	mode_t mode;						\
								\
	va_start(args, flags);					\
	mode = mode_of(flags, args);				\
	va_end(args);						\
	return (int)do_open(dir_fd, path, flags, mode, NULL);	\
}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

long syscall(long number, ...)
{
	va_list args;
	long a[6];

	va_start(args, number);
	for (unsigned i = 0; i < 6; ++i)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_openat2) {
		const struct open_how *how = (const struct open_how *)a[2];

		return do_open((int)a[0], (const char *)a[1], (int)how->flags, (mode_t)how->mode, how);
	}
	return raw()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- data */

static off_t position(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	if (flags & O_APPEND)
		return fstat(fd, &st) == 0 ? st.st_size : 0;
	return lseek(fd, 0, SEEK_CUR);
}

static size_t shortened(size_t size)
{
	return harm == SHORT && (sticky ? count >= harm_at : count == harm_at) && size > 1 ? size / 2 : size;
}

static void range(char text[64], off_t offset, size_t size)
{
	snprintf(text, 64, "%lld+%zu", (long long)offset, size);
}

ssize_t write(int fd, const void *data, size_t size)
{
	char path[PATH_MAX], text[64];
	off_t at;

	if (!concerns_fd(fd, path))
		return real(write, fd, data, size);
	at = position(fd);
	range(text, at, size);
	if (enter("write", path, text))
		return leave(-1);
	remember_data(fd, at, size, UNDO_DATA);
	return leave(real(write, fd, data, shortened(size)));
}

#define PWRITE(name)								\
ssize_t name(int fd, const void *data, size_t size, off64_t at)			\
{										\
	char path[PATH_MAX], text[64];						\
										\
	if (!concerns_fd(fd, path))						\
		return real(pwrite64, fd, data, size, at);			\
	range(text, at, size);							\
	if (enter("write", path, text))						\
		return leave(-1);						\
	remember_data(fd, at, size, UNDO_DATA);					\
	return leave(real(pwrite64, fd, data, shortened(size), at));		\
}

PWRITE(pwrite)
PWRITE(pwrite64)

static size_t total(const struct iovec *piece, int pieces)
{
	size_t size = 0;

	for (int i = 0; i < pieces; ++i)
		size += piece[i].iov_len;
	return size;
}

ssize_t writev(int fd, const struct iovec *piece, int pieces)
{
	char path[PATH_MAX], text[64];
	off_t at;

	if (!concerns_fd(fd, path))
		return real(writev, fd, piece, pieces);
	at = position(fd);
	range(text, at, total(piece, pieces));
	if (enter("write", path, text))
		return leave(-1);
	remember_data(fd, at, total(piece, pieces), UNDO_DATA);
	return leave(real(writev, fd, piece, pieces));
}

#define PWRITEV(name)								\
ssize_t name(int fd, const struct iovec *piece, int pieces, off64_t at)		\
{										\
	char path[PATH_MAX], text[64];						\
										\
	if (!concerns_fd(fd, path))						\
		return real(pwritev, fd, piece, pieces, at, 0);			\
	range(text, at, total(piece, pieces));					\
	if (enter("write", path, text))						\
		return leave(-1);						\
	remember_data(fd, at, total(piece, pieces), UNDO_DATA);			\
	return leave(real(pwritev, fd, piece, pieces, at, 0));			\
}

PWRITEV(pwritev)
PWRITEV(pwritev64)

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags)
{
	char path[PATH_MAX], text[64];
	off_t at;
	struct stat st;

	if (!concerns_fd(to, path))
		return real(copy_file_range, from, from_at, to, to_at, size, flags);
	at = to_at != NULL ? *to_at : position(to);
	if (fstat(from, &st) == 0 && (off_t)size > st.st_size)
		size = (size_t)st.st_size;
	range(text, at, size);
	if (enter("copy", path, text))
		return leave(-1);
	remember_data(to, at, size, UNDO_DATA);
	return leave(real(copy_file_range, from, from_at, to, to_at, size, flags));
}

#define FTRUNCATE(name)									\
int name(int fd, off64_t size)								\
{											\
	char path[PATH_MAX], text[64];							\
	struct stat st;									\
											\
	if (!concerns_fd(fd, path))							\
		return (int)real(ftruncate, fd, size);					\
	range(text, size, 0);								\
	if (enter("truncate", path, text))						\
		return (int)leave(-1);							\
	if (fstat(fd, &st) == 0)							\
		remember_data(fd, size, size < st.st_size ? (size_t)(st.st_size - size) : 0,	\
			      UNDO_SIZE);						\
	return (int)leave(real(ftruncate, fd, size));					\
}

FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

#define FALLOCATE(name)								\
int name(int fd, int mode, off64_t at, off64_t size)				\
{										\
	char path[PATH_MAX], text[64];						\
										\
	if (!concerns_fd(fd, path))						\
		return (int)real(fallocate, fd, mode, at, size);		\
	range(text, at, (size_t)size);						\
	if (enter("allocate", path, text))					\
		return (int)leave(-1);						\
	remember_data(fd, at, 0, UNDO_SIZE);					\
	return (int)leave(real(fallocate, fd, mode, at, size));			\
}

FALLOCATE(fallocate)
FALLOCATE(fallocate64)

/* ---- durability */

static int do_sync(int fd, const char *name, long number, bool everything)
{
	char path[PATH_MAX];
	long rc;

	if (!concerns_fd(fd, path))
		return (int)raw()(number, fd);
	if (enter(name, path, "")) {
		if (everything)
			while (undo != NULL) {
				if (is_data(undo))
					undo_one(undo);
				forget(&undo);
			}
		else
			lose_data_of(fd);
		errno = harm_errno;
		return (int)leave(-1);
	}
	rc = raw()(number, fd);
	if (rc == 0)
		forget_synced(everything ? -1 : fd);
	return (int)leave(rc);
}

int fsync(int fd) { return do_sync(fd, "sync", SYS_fsync, false); }
int fdatasync(int fd) { return do_sync(fd, "sync", SYS_fdatasync, false); }
int syncfs(int fd) { return do_sync(fd, "syncfs", SYS_syncfs, true); }

/* ---- names */

static int do_rename(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
	char from_path[PATH_MAX], to_path[PATH_MAX];
	long rc;

	if (!concerns_name(from_fd, from, from_path))
		return (int)real(renameat2, from_fd, from, to_fd, to, flags);
	path_of_name(to_fd, to, to_path);
	if (enter("rename", from_path, to_path))
		return (int)leave(-1);
	remember_name(UNDO_RENAME, to_path, from_path);
	rc = real(renameat2, from_fd, from, to_fd, to, flags);
	if (rc < 0 && state != NULL) {
		int error = errno;

		forget(&undo);
		errno = error;
	}
	return (int)leave(rc);
}

int rename(const char *from, const char *to) { return do_rename(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	return do_rename(from_fd, from, to_fd, to, 0);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
	return do_rename(from_fd, from, to_fd, to, flags);
}

static int do_unlink(int dir_fd, const char *name, int flags)
{
	char path[PATH_MAX];
	long rc;

	if (!concerns_name(dir_fd, name, path))
		return (int)real(unlinkat, dir_fd, name, flags);
	if (enter("unlink", path, ""))
		return (int)leave(-1);
	remember_name(UNDO_REMOVE, path, "");
	rc = real(unlinkat, dir_fd, name, flags);
	if (rc < 0 && state != NULL) {
		int error = errno;

		forget(&undo);
		errno = error;
	}
	return (int)leave(rc);
}

int unlink(const char *path) { return do_unlink(AT_FDCWD, path, 0); }
int unlinkat(int dir_fd, const char *name, int flags) { return do_unlink(dir_fd, name, flags); }
int rmdir(const char *path) { return do_unlink(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path)
{
	int rc = do_unlink(AT_FDCWD, path, 0);

	return rc < 0 && errno == EISDIR ? do_unlink(AT_FDCWD, path, AT_REMOVEDIR) : rc;
}

static int named(const char *what, int dir_fd, const char *name, long rc_of_call(void *), void *argument)
{
	char path[PATH_MAX];
	long rc;

	if (!concerns_name(dir_fd, name, path))
		return (int)rc_of_call(argument);
	if (enter(what, path, ""))
		return (int)leave(-1);
	rc = rc_of_call(argument);
	if (rc == 0)
		remember_name(UNDO_CREATE, path, "");
	return (int)leave(rc);
}

struct making {
	int fd, from_fd, flags;
	const char *name, *from;
	mode_t mode;
};

static long make_dir(void *argument)
{
	const struct making *m = argument;

	return real(mkdirat, m->fd, m->name, m->mode);
}

static long make_symlink(void *argument)
{
	const struct making *m = argument;

	return real(symlinkat, m->from, m->fd, m->name);
}

static long make_link(void *argument)
{
	const struct making *m = argument;

	return real(linkat, m->from_fd, m->from, m->fd, m->name, m->flags);
}

int mkdirat(int dir_fd, const char *name, mode_t mode)
{
	struct making m = { .fd = dir_fd, .name = name, .mode = mode };

	return named("mkdir", dir_fd, name, make_dir, &m);
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int symlinkat(const char *text, int dir_fd, const char *name)
{
	struct making m = { .fd = dir_fd, .name = name, .from = text };

	return named("symlink", dir_fd, name, make_symlink, &m);
}

int symlink(const char *text, const char *path) { return symlinkat(text, AT_FDCWD, path); }

int linkat(int from_fd, const char *from, int dir_fd, const char *name, int flags)
{
	struct making m = { .fd = dir_fd, .from_fd = from_fd, .name = name, .from = from, .flags = flags };

	return named("link", dir_fd, name, make_link, &m);
}

int link(const char *from, const char *path) { return linkat(AT_FDCWD, from, AT_FDCWD, path, 0); }

/* ---- what is known of a file; a cut does not bring it back */

int utimensat(int dir_fd, const char *name, const struct timespec times[2], int flags)
{
	char path[PATH_MAX];

	if (!concerns_name(dir_fd, name, path))
		return (int)real(utimensat, dir_fd, name, times, flags);
	if (enter("times", path, ""))
		return (int)leave(-1);
	return (int)leave(real(utimensat, dir_fd, name, times, flags));
}

int futimens(int fd, const struct timespec times[2])
{
	char path[PATH_MAX];

	if (!concerns_fd(fd, path))
		return (int)real(utimensat, fd, NULL, times, 0);
	if (enter("times", path, ""))
		return (int)leave(-1);
	return (int)leave(real(utimensat, fd, NULL, times, 0));
}

int fchmod(int fd, mode_t mode)
{
	char path[PATH_MAX];

	if (!concerns_fd(fd, path))
		return (int)real(fchmod, fd, mode);
	if (enter("mode", path, ""))
		return (int)leave(-1);
	return (int)leave(real(fchmod, fd, mode));
}

int fchown(int fd, uid_t owner, gid_t group)
{
	char path[PATH_MAX];

	if (!concerns_fd(fd, path))
		return (int)real(fchown, fd, owner, group);
	if (enter("owner", path, ""))
		return (int)leave(-1);
	return (int)leave(real(fchown, fd, owner, group));
}
