/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/parity.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "os/file.h"
#include "os/thread.h"

#define MARK_BYTES_MAX	100

struct split_file {
	int fd;			/* -1: the file is not there and has nothing to give */
	uint64_t length;	/* of the file now */
	uint64_t at_opening;	/* bytes that were there when it was opened */
	uint64_t written_end;	/* one past the highest byte written since; under the lock */
	uint64_t whole;		/* bytes of a short split that has its share; 0: it is not short */
	uint8_t *last;		/* ... and the last block of them, once it is known */
	bool created;		/* by this opening */
};

struct parity {
	struct level *level;
	uint32_t block_size;
	struct split_file file[SPLIT_MAX];
	bool as_written;	/* files grow by what is written, not before */
	bool too_small;		/* its splits do not reach as far as they should */
	mutex_t lock;		/* of written_end and at_opening: they are asked while a writer writes */
};

static uint64_t down_to_block(uint64_t bytes, uint32_t block_size)
{
	return bytes - bytes % block_size;
}

/* The part of the level that lies in this split. An unknown size is the length the file has. */
static uint64_t split_size(const struct parity *parity, unsigned s)
{
	uint64_t declared = parity->level->split[s].size_bytes;

	return declared == SPLIT_SIZE_UNKNOWN ? down_to_block(parity->file[s].at_opening, parity->block_size) : declared;
}

static int open_split(struct parity *parity, unsigned s, int flags)
{
	struct split_file *file = &parity->file[s];
	struct stat st;

	do
		file->fd = open(parity->level->split[s].path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600);
	while (file->fd < 0 && errno == EINTR);
	if (file->fd < 0)
		return -1;
	if (fstat(file->fd, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	file->length = file->at_opening = (uint64_t)st.st_size;
	return 0;
}

/* A split that holds nothing yet need not exist. Its size is unknown in content files of format 2 and for a
 * level just added to the configuration. */
static bool may_be_absent(const struct parity *parity, unsigned s)
{
	uint64_t declared = parity->level->split[s].size_bytes;

	return declared == 0 || (declared == SPLIT_SIZE_UNKNOWN && s > 0);
}

static bool takes_parts(enum parity_mode mode)
{
	return mode == PARITY_READ_PARTS || mode == PARITY_MEND;
}

/* The others keep their addresses if its size is known. */
static bool may_be_missing(const struct parity *parity, unsigned s, enum parity_mode mode)
{
	return mode == PARITY_CREATE || may_be_absent(parity, s) ||
	       (takes_parts(mode) && parity->level->split[s].size_bytes != SPLIT_SIZE_UNKNOWN);
}

/* The first that should be there and is not; split_count: none. `*any`: is one of them there? */
static unsigned first_missing(const struct parity *parity, bool *any)
{
	unsigned first = parity->level->split_count;

	*any = false;
	for (unsigned s = parity->level->split_count; s-- > 0;)
		if (parity->file[s].fd >= 0)
			*any = true;
		else if (!may_be_absent(parity, s))
			first = s;
	return first;
}

struct parity *parity_open(struct level *level, uint32_t block_size, enum parity_mode mode, unsigned *split)
{
	struct parity *parity = mem_zalloc(sizeof(*parity));
	int access = mode == PARITY_READ || mode == PARITY_READ_PARTS ? O_RDONLY : O_RDWR;
	bool any;
	int error;
	unsigned s;

	parity->level = level;
	parity->block_size = block_size;
	mutex_init(&parity->lock);
	for (s = 0; s < SPLIT_MAX; ++s)
		parity->file[s].fd = -1;

	/* First what must exist, so that a refusal creates nothing. */
	for (s = 0; s < level->split_count; ++s) {
		if (open_split(parity, s, access) == 0)
			continue;
		if (errno != ENOENT || !may_be_missing(parity, s, mode))
			goto fail;
	}
	if (takes_parts(mode)) {
		*split = s = first_missing(parity, &any);
		errno = ENOENT;
		if (!any && s < level->split_count)
			goto fail;
	}
	for (s = 0; (mode == PARITY_WRITE || mode == PARITY_CREATE) && s < level->split_count; ++s) {
		if (parity->file[s].fd >= 0)
			continue;
		if (open_split(parity, s, access | O_CREAT) < 0)
			goto fail;
		parity->file[s].created = true;
	}
	return parity;
fail:
	error = errno;
	*split = s;
	parity_give_back(parity);
	parity_close(parity);
	errno = error;
	return NULL;
}

void parity_close(struct parity *parity)
{
	if (parity == NULL)
		return;
	for (unsigned s = 0; s < SPLIT_MAX; ++s) {
		os_close(parity->file[s].fd);
		free(parity->file[s].last);
	}
	mutex_done(&parity->lock);
	free(parity);
}

static char *mark_path(const struct level *level)
{
	return path_add_suffix(level->split[0].path, ".made");
}

int parity_mark_made(const struct level *level, const char *content)
{
	char *path = mark_path(level);
	int fd = unlink(path) == 0 || errno == ENOENT ? os_create_new(path, 0600) : -1;
	int rc = -1;

	if (fd >= 0 && os_write_all(fd, content, strlen(content)) == 0 && os_sync(fd) == 0)
		rc = os_sync_parent(path);
	os_close(fd);
	free(path);
	return rc;
}

int parity_unmark(const struct level *level)
{
	char *path = mark_path(level);
	int rc = unlink(path) == 0 ? os_sync_parent(path) : errno == ENOENT ? 0 : -1;

	free(path);
	return rc;
}

bool parity_is_made_for(const struct level *level, const char *content)
{
	char *path = mark_path(level);
	struct buf mark = { NULL, 0, 0 };
	bool is = os_read_regular(path, MARK_BYTES_MAX, &mark) == 0 && mark.size == strlen(content) &&
		  memcmp(mark.data, content, mark.size) == 0;

	buf_done(&mark);
	free(path);
	return is;
}

uint64_t parity_file_bytes(const struct parity *parity, unsigned split)
{
	return parity->file[split].length;
}

uint64_t parity_usable_bytes(const struct parity *parity)
{
	uint64_t total = 0;

	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		uint64_t size = split_size(parity, s);
		uint64_t there = down_to_block(parity->file[s].at_opening, parity->block_size);

		if (there < size)
			return total + there;
		total += size;
	}
	return total;
}

/* Extend the file towards `wanted` in steps of falling powers of two, so that a disk that fills up ends with
 * the largest multiple of the block size that fits (parity.md 11.2). Returns the length reached. */
static uint64_t grow(const struct parity *parity, unsigned s, uint64_t wanted, uint64_t limit, int *error)
{
	const struct split_file *file = &parity->file[s];
	uint64_t length = down_to_block(file->length, parity->block_size);
	uint64_t more = wanted - length;

	while (more > 0) {
		uint64_t step = UINT64_C(1) << (63 - __builtin_clzll(more));

		if (limit != 0 && length + step > limit) {
			*error = ENOSPC;
		} else if ((parity->as_written ? os_reserve : os_extend)(file->fd, length, step) == 0) {
			length += step;
			more -= step;
			continue;
		} else {
			*error = errno;
		}
		more = down_to_block(step - 1, parity->block_size);
	}
	return length;
}

/* The made-up room of a split for --test-parity-limit: different for each file, the same in each run. */
static uint64_t test_limit(uint64_t limit, unsigned split, level_t level)
{
	uint32_t spread = UINT32_C(123562341) + split * UINT32_C(634542351) + level * UINT32_C(983491341);

	return limit == 0 ? 0 : limit + spread % limit;
}

/* Bring one split to `wanted` bytes or as near as its disk allows. A longer file stays as it is for now. What is declared
 * of a `fixed` one stays, too, as the next one begins there. */
static int resize_split(struct parity *parity, unsigned s, bool fixed, uint64_t wanted, uint64_t limit, int *error)
{
	struct split_file *file = &parity->file[s];
	uint64_t reached = wanted;

	if (file->fd < 0 && wanted > 0) {
		errno = ENOENT;
		return -1;
	}
	if (file->length < wanted) {
		reached = grow(parity, s, wanted, limit, error);
		if (file->length < reached && !parity->as_written)
			file->length = reached;
	}
	if (fixed && reached < wanted) {
		errno = *error;
		return -1;
	}
	parity->level->split[s].size_bytes = reached;
	return 0;
}

int64_t parity_resize(struct parity *parity, stripe_t count, uint64_t limit, level_t level)
{
	struct level *l = parity->level;
	uint64_t left = count * parity->block_size;
	int error = 0;

	for (unsigned s = 0; s < l->split_count; ++s)
		if (l->split[s].size_bytes == SPLIT_SIZE_UNKNOWN)
			l->split[s].size_bytes = down_to_block(parity->file[s].length, parity->block_size);

	for (unsigned s = 0; s < l->split_count; ++s) {
		/* Only the last split in use may grow: what lies in a later one must keep its address. */
		bool fixed = s + 1 < l->split_count && l->split[s + 1].size_bytes != 0;
		uint64_t wanted = left;

		if (fixed && left > l->split[s].size_bytes)
			wanted = l->split[s].size_bytes;
		if (resize_split(parity, s, fixed, wanted, test_limit(limit, s, level), &error) < 0)
			return -1;
		left -= l->split[s].size_bytes;
	}
	errno = error;
	return (int64_t)(count - left / parity->block_size);
}

int64_t parity_reserve(struct parity *parity, stripe_t count, uint64_t limit, level_t level)
{
	parity->as_written = true;
	return parity_resize(parity, count, limit, level);
}

uint64_t parity_excess_bytes(const struct parity *parity)
{
	uint64_t excess = 0;

	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		const struct split_file *file = &parity->file[s];
		uint64_t size = split_size(parity, s);

		if (file->fd >= 0 && file->length > size)
			excess += file->length - size;
	}
	return excess;
}

int parity_trim(struct parity *parity)
{
	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		struct split_file *file = &parity->file[s];
		uint64_t size = parity->level->split[s].size_bytes;

		if (file->fd < 0 || file->length == size)
			continue;
		if (os_truncate(file->fd, size) < 0)
			return -1;
		file->length = size;
		mutex_lock(&parity->lock);
		if (file->at_opening > size)
			file->at_opening = size;
		mutex_unlock(&parity->lock);
	}
	return 0;
}

/* The split with the block and the offset in it; NULL: beyond the end of the level. */
static struct split_file *locate(struct parity *parity, stripe_t at, uint64_t *offset)
{
	*offset = at * parity->block_size;
	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		uint64_t size = split_size(parity, s);

		if (*offset < size)
			return &parity->file[s];
		*offset -= size;
	}
	return NULL;
}

int parity_read(struct parity *parity, stripe_t at, void *data)
{
	uint64_t offset;
	const struct split_file *file = locate(parity, at, &offset);
	uint64_t end = offset + parity->block_size;
	bool there;
	ssize_t got;

	if (file == NULL || file->fd < 0) {
		errno = ENODATA;
		return -1;
	}
	mutex_lock(&parity->lock);
	there = end <= file->at_opening || end <= file->written_end;
	mutex_unlock(&parity->lock);
	if (!there) {
		errno = ENODATA;
		return -1;
	}
	got = os_pread_all(file->fd, data, parity->block_size, offset);
	if (got >= 0 && (size_t)got < parity->block_size)
		errno = ENODATA;
	return got == (ssize_t)parity->block_size ? 0 : -1;
}

int parity_write(struct parity *parity, stripe_t at, const void *data)
{
	uint64_t offset;
	struct split_file *file = locate(parity, at, &offset);

	if (file == NULL || file->fd < 0) {
		errno = ENOSPC;
		return -1;
	}
	if (offset + parity->block_size == file->whole) {
		if (file->last == NULL)
			file->last = mem_alloc(parity->block_size);
		memcpy(file->last, data, parity->block_size);
		return 0;
	}
	if (os_pwrite_all(file->fd, data, parity->block_size, offset) < 0)
		return -1;
	os_write_behind(file->fd, offset, parity->block_size);
	mutex_lock(&parity->lock);
	if (file->written_end < offset + parity->block_size)
		file->written_end = offset + parity->block_size;
	mutex_unlock(&parity->lock);
	return 0;
}

void parity_give_back(struct parity *parity)
{
	if (parity == NULL)
		return;
	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		struct split_file *file = &parity->file[s];
		const char *path = parity->level->split[s].path;
		struct stat st;

		/* It may have been made through a symbolic link, which is not ours. */
		if (file->created && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			unlink(path);
		else if (file->fd >= 0 && file->length > file->at_opening)
			os_truncate(file->fd, file->at_opening);
	}
}

int parity_sync(struct parity *parity)
{
	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		if (parity->file[s].fd < 0)
			continue;
		/* A file just created needs its name on disk too. */
		if (os_sync(parity->file[s].fd) < 0 || os_sync_parent(parity->level->split[s].path) < 0)
			return -1;
	}
	return 0;
}

void parity_hold(struct parity *parity, stripe_t count)
{
	uint64_t left = count * parity->block_size;

	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		struct split_file *file = &parity->file[s];
		uint64_t share = split_size(parity, s) < left ? split_size(parity, s) : left;

		file->whole = file->at_opening < share ? share : 0;
		left -= share;
	}
	parity->too_small = left > 0;
}

bool parity_is_short(const struct parity *parity)
{
	for (unsigned s = 0; s < parity->level->split_count; ++s)
		if (parity->file[s].whole != 0)
			return true;
	return parity->too_small;
}

int parity_release(struct parity *parity)
{
	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		struct split_file *file = &parity->file[s];

		if (file->whole == 0)
			continue;
		if (file->last == NULL ? os_truncate(file->fd, file->whole) < 0 :
		    os_pwrite_all(file->fd, file->last, parity->block_size, file->whole - parity->block_size) < 0)
			return -1;
		file->written_end = file->whole;
		file->whole = 0;
	}
	return 0;
}

int parity_cut_to_valid(struct parity *parity)
{
	for (unsigned s = 0; s < parity->level->split_count; ++s) {
		struct split_file *file = &parity->file[s];
		uint64_t valid = down_to_block(file->at_opening, parity->block_size);

		if (valid < file->written_end)
			valid = file->written_end;
		if (file->fd >= 0 && valid < file->length && os_truncate(file->fd, valid) < 0)
			return -1;
	}
	return 0;
}
