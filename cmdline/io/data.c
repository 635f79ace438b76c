/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/stamp.h"
#include "os/file.h"

struct data_reader {
	int root_fd;
	const struct file *key;		/* of the file that is open, or that failed to open; NULL: none yet */
	int fd;				/* -1: it could not be opened */
	enum data_result opened;	/* how the opening went */
	bool changed;
	struct seen seen;
	int error;
};

struct data_reader *data_reader_new(int root_fd)
{
	struct data_reader *reader = mem_zalloc(sizeof(*reader));

	reader->root_fd = root_fd;
	reader->fd = -1;
	return reader;
}

void data_reader_free(struct data_reader *reader)
{
	if (reader == NULL)
		return;
	os_close(reader->fd);
	free(reader);
}

bool data_error_is_hardware(int error)
{
	switch (error) {
	case EIO:
	case EREMOTEIO:
	case ENXIO:
	case ENODEV:
	case ENOMEDIUM:
	case EUCLEAN:
	case EBADMSG:
	case EILSEQ:
	case ETIMEDOUT:
	case EHWPOISON:
		return true;
	default:
		return false;
	}
}

static enum data_result result_of(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case ELOOP:	/* a link where a file or a directory should be: it is not our file */
	case EXDEV:
	case ENAMETOOLONG:
		return DATA_MISSING;
	case EACCES:
	case EPERM:
		return DATA_DENIED;
	default:
		return data_error_is_hardware(error) ? DATA_IO : DATA_ERROR;
	}
}

static bool stamp_differs(const struct stat *st, const struct data_want *want)
{
	return (uint64_t)st->st_size != want->stamp.size || !stamp_has_time(&want->stamp, st) ||
	       (want->inode != 0 && st->st_ino != want->inode);
}

static void fail(struct data_reader *reader, int error)
{
	os_close(reader->fd);
	reader->fd = -1;
	reader->error = error;
	reader->opened = result_of(error);
	reader->seen.what = reader->opened == DATA_MISSING ? SEEN_NOTHING : SEEN_UNKNOWN;
}

/* Make the file of `want` the open one. The outcome, good or bad, is kept until another file is wanted, so
 * that a missing file of many blocks costs one look-up. */
static void switch_to(struct data_reader *reader, const struct data_want *want)
{
	struct stat st;

	os_close(reader->fd);
	reader->key = want->key;
	reader->opened = DATA_OK;
	reader->changed = false;
	reader->error = 0;
	reader->fd = -1;
	if (reader->root_fd < 0) {
		fail(reader, ENOENT);
		return;
	}
	/* O_NONBLOCK: a fifo in place of the file must not hang the run. */
	reader->fd = os_open_beneath(reader->root_fd, want->path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	if (reader->fd < 0 || fstat(reader->fd, &st) < 0) {
		fail(reader, errno);
		return;
	}
	if (!S_ISREG(st.st_mode)) {
		fail(reader, ENOENT);
		return;
	}
	reader->changed = stamp_differs(&st, want);
	reader->seen = seen_file(&st);
}

enum data_result data_read(struct data_reader *reader, const struct data_want *want, uint64_t offset,
			   uint32_t bytes, uint32_t padded, void *data, bool *changed, int *error)
{
	ssize_t got;

	if (reader->key != want->key)
		switch_to(reader, want);
	*changed = reader->changed;
	*error = reader->error;
	if (reader->opened != DATA_OK)
		return reader->opened;
	if (reader->changed && want->same_stamp)
		return DATA_CHANGED;

	/* No advice on read-ahead: a window twice as long made the small files of slow-disks.sh 5% slower. */
	got = os_pread_all(reader->fd, data, bytes, offset);
	if (got < 0) {
		*error = errno;
		return result_of(*error);
	}
	if ((size_t)got < bytes) {
		*changed = true;
		return want->same_stamp ? DATA_CHANGED : DATA_SHORT;
	}
	memset((char *)data + bytes, 0, padded - bytes);
	return DATA_OK;
}

struct seen data_reader_seen(const struct data_reader *reader)
{
	return reader->seen;
}

bool data_is_there(int root_fd, const struct data_want *want)
{
	struct stat st;

	return os_stat_beneath(root_fd, want->path, &st) == 0 && S_ISREG(st.st_mode) && !stamp_differs(&st, want);
}
