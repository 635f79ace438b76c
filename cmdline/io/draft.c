/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/draft.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/inodes.h"
#include "array/suffixed.h"
#include "base/mem.h"
#include "base/path.h"
#include "io/draft_inside.h"
#include "io/sparse.h"
#include "io/stamp.h"
#include "os/entry.h"
#include "os/file.h"
#include "tommyds/tommyhashdyn.h"

/* From that size on a file is written out while its next blocks come. Smaller ones go out together, when they are
 * synced. */
#define WRITE_BEHIND_BYTES (1u << 20)

/* Descriptors are few, and where many files of one time are lost each try costs a fraction of a millisecond. A file
 * whose path and inode tell of two files is looked at by the next sync. */
#define CLASHES_MAX 8

/* For names: two files of a disk with the same number would be taken for one. */
static uint64_t number_of(const char *path)
{
	return tommy_hash_bytes(path, strlen(path));
}

void draft_temporary_name(char name[DRAFT_TEMPORARY_MAX], const char *path)
{
	snprintf(name, DRAFT_TEMPORARY_MAX, ".snapraid-%016" PRIx64 ".tmp", number_of(path));
}

void draft_init(struct draft *draft, const struct draft_place *place, const struct draft_file *of)
{
	memset(draft, 0, sizeof *draft);
	draft->of = *of;
	if (place->elsewhere)
		draft->of.seen.what = SEEN_UNKNOWN;	/* it is of another place */
	if (!place->inodes_stay)
		draft->of.seen.inode = 0;
	draft_temporary_name(draft->temporary, of->path);
}

char *draft_unrecoverable_path(const struct suffixed *recorded, const char *path)
{
	const char *name = path_name(path);
	uint64_t number = number_of(path);
	char *beside = path_add_suffix(path, DRAFT_UNRECOVERABLE);

	while (strlen(path_name(beside)) > 255 || suffixed_has(recorded, beside)) {
		free(beside);
		beside = mem_printf("%.*ssnapraid-%016" PRIx64 DRAFT_UNRECOVERABLE, (int)(name - path), path, number++);
	}
	return beside;
}

enum draft_there draft_examine(const struct draft_place *place, const struct draft *draft, struct stat *st)
{
	if (os_stat_beneath(place->root_fd, draft->of.path, st) < 0) {
		if (errno == ENOENT)
			return THERE_NOTHING;
		return errno == ELOOP || errno == ENOTDIR ? THERE_NO_WAY : THERE_ERROR;
	}
	if (S_ISREG(st->st_mode))
		return THERE_FILE;
	errno = S_ISDIR(st->st_mode) ? EISDIR : S_ISLNK(st->st_mode) ? ELOOP : EEXIST;
	return THERE_OTHER;
}

static int check(const struct seen *seen, const struct seen *now)
{
	if (seen_same(seen, now))
		return 0;
	errno = DRAFT_RACED;
	return -1;
}

int draft_check_seen(const struct draft_place *place, struct draft *draft, enum draft_there there, const struct stat *st)
{
	struct seen now = { .what = there == THERE_ERROR ? SEEN_UNKNOWN : SEEN_NOTHING };

	if (there == THERE_FILE)
		now = seen_file(st);
	draft->there = now;
	if (!place->inodes_stay)
		draft->there.inode = 0;
	return check(&draft->of.seen, &now);
}

int draft_check_there(const struct draft *draft, const struct stat *st)
{
	const struct seen now = seen_file(st);

	return check(&draft->there, &now);
}

bool draft_is_file(int dir_fd, const char *name)
{
	struct stat st;

	return os_entry_stat(dir_fd, name, &st) == 0 && S_ISREG(st.st_mode);
}

/* Fill a new temporary file with the first bytes of a file of that directory. 0: no file, or a link or a directory
 * of that name: nothing to begin from. */
static int copy_from(int dir_fd, const char *name, int to_fd, uint64_t size)
{
	int fd, rc;

	if (!draft_is_file(dir_fd, name))
		return 0;
	fd = os_open_beneath(dir_fd, name, O_RDONLY, 0);
	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	rc = os_copy(fd, to_fd, size);
	os_close(fd);
	return rc < 0 ? -1 : 1;
}

static bool clashes(const struct draft_place *place, const struct draft *draft, int fd)
{
	struct stat st;

	return place->recorded != NULL && fstat(fd, &st) == 0 &&
	       inodes_clash(place->recorded, st.st_ino, &draft->of.stamp, draft->of.key);
}

/* Create the temporary file of a draft with an inode that is not taken for another file's. Those that clash are
 * kept open until another inode was given; after so many the next one will do. */
static int create_apart(const struct draft_place *place, const struct draft *draft, int dir_fd)
{
	int clash[CLASHES_MAX];
	unsigned count = 0;
	int fd = os_entry_create(dir_fd, draft->temporary);

	while (fd >= 0 && count < CLASHES_MAX && clashes(place, draft, fd)) {
		clash[count++] = fd;
		fd = os_entry_create(dir_fd, draft->temporary);
	}
	while (count > 0)
		os_close(clash[--count]);
	return fd;
}

/* Make the temporary file of a draft, with the data to begin from, if there is any. The descriptor, or -1 with errno. */
static int make_temporary(const struct draft_place *place, struct draft *draft, const char *from, bool *copied)
{
	const char *name;
	struct stat st;
	int dir_fd = os_open_parent(place->root_fd, draft->of.path, true, &name);
	int fd = -1, rc = 0;

	if (dir_fd < 0)
		return -1;
	fd = create_apart(place, draft, dir_fd);
	if (fd < 0)
		goto out;
	if (fstat(fd, &st) < 0 || (rc = copy_from(dir_fd, from, fd, draft->of.stamp.size)) < 0) {
		int error = errno;

		os_entry_unlink(dir_fd, draft->temporary);
		os_close(fd);
		fd = -1;
		errno = error;
		goto out;
	}
	draft->inode = st.st_ino;
	*copied = rc > 0;
out:
	os_close(dir_fd);
	return fd;
}

/* A file that is not there: its temporary file begins with what an earlier run could save. */
static int begin_fresh(const struct draft_place *place, struct draft *draft)
{
	char *from = draft_unrecoverable_path(place->beside, draft->of.path);
	bool copied;
	int fd = make_temporary(place, draft, path_name(from), &copied);

	free(from);
	if (fd >= 0) {
		draft->how = HOW_FRESH;
		draft->continues = copied;
	}
	return fd;
}

/* A file that was written to since: the right blocks of it are copied. */
static int begin_copy(const struct draft_place *place, struct draft *draft, const struct stat *st)
{
	bool copied;
	int fd = make_temporary(place, draft, path_name(draft->of.path), &copied);

	if (fd < 0)
		return -1;
	os_set_owner(fd, st);	/* as good as it can be done */
	draft->how = HOW_COPY;
	draft->loses = draft->there.size > draft->of.stamp.size;
	return fd;
}

/* Decide how the file is restored and open what is written to. -1 with errno. */
static int begin(const struct draft_place *place, struct draft *draft)
{
	struct stat st;
	enum draft_there there = draft_examine(place, draft, &st);
	int fd;

	if (there != THERE_ERROR && draft_check_seen(place, draft, there, &st) < 0)
		return -1;
	switch (there) {
	case THERE_ERROR:
		break;
	case THERE_NO_WAY:
		if (place->rule < ASIDE_WAY || aside_clear_way(place->root_fd, draft->of.path, &draft->aside) < 0)
			break;
		return begin_fresh(place, draft);
	case THERE_OTHER:
		if (place->rule < ASIDE_NAME)
			break;
		draft->obstructed = true;
		return begin_fresh(place, draft);
	case THERE_NOTHING:
		return begin_fresh(place, draft);
	case THERE_FILE:
		if (place->elsewhere) {
			errno = EEXIST;
			break;
		}
		if (!stamp_has_time(&draft->of.stamp, &st))
			return begin_copy(place, draft, &st);
		fd = os_open_beneath(place->root_fd, draft->of.path, O_RDWR, 0);
		if (fd >= 0)
			draft->how = HOW_PLACE;
		return fd;
	}
	return -1;
}

static char *temporary_path(const struct draft *draft)
{
	char *dir = path_parent(draft->of.path);
	char *path = path_join(dir, draft->temporary);

	free(dir);
	return path;
}

/* Open again what begin() made. */
static int reopen(const struct draft_place *place, const struct draft *draft)
{
	char *path = draft->how == HOW_PLACE ? mem_strdup(draft->of.path) : temporary_path(draft);
	int fd = os_open_beneath(place->root_fd, path, O_RDWR, 0);

	if (fd < 0 && draft->how == HOW_PLACE &&
	    (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EISDIR))
		errno = DRAFT_RACED;
	free(path);
	return fd;
}

int draft_reopen(const struct draft_place *place, const struct draft *draft)
{
	if (draft->error == 0 && draft->how != HOW_NONE)
		return reopen(place, draft);
	errno = ENOENT;
	return -1;
}

int draft_open(const struct draft_place *place, struct draft *draft)
{
	int fd;

	if (draft->error != 0)
		return -1;
	fd = draft->how == HOW_NONE ? begin(place, draft) : reopen(place, draft);
	if (fd < 0)
		draft->error = errno;
	return fd;
}

/* Is any byte of the file that is there replaced by another one? */
static bool overwrites(int fd, const struct draft *draft, const struct draft_block *block)
{
	uint32_t bytes = block->bytes;
	ssize_t got;
	char *old;
	bool differs;

	if (block->offset >= draft->there.size)
		return false;
	if (bytes > draft->there.size - block->offset)
		bytes = (uint32_t)(draft->there.size - block->offset);
	old = mem_alloc(bytes);
	got = os_pread_all(fd, old, bytes, block->offset);
	differs = got != (ssize_t)bytes || memcmp(old, block->data, bytes) != 0;
	free(old);
	return differs;
}

static int write_anew(struct draft *draft, int fd, const struct draft_block *block)
{
	const struct meta *meta = draft->of.meta;

	if (meta != NULL && meta->sparse && block->offset % SPARSE_PAGE == 0)
		return sparse_write(fd, block->data, block->bytes, block->offset);
	return os_pwrite_all(fd, block->data, block->bytes, block->offset);
}

int draft_set_time(const struct draft *draft, int fd)
{
	const struct timespec time = stamp_time(&draft->of.stamp);

	return os_set_times(fd, &time);
}

/* Each block at once leaves the file with its recorded time. If the run dies between two of them the next sync would take
 * a file with another time for a new version, and the blocks that are still bad for its data. What its owner writes between
 * the look and the time that is set cannot be told from what is written here. */
static int write_in_place(struct draft *draft, int fd, const struct draft_block *block)
{
	struct stat st;
	int rc, error;

	if (!block->proven)
		return 0;	/* nothing doubtful into a file of the user */
	if (fstat(fd, &st) < 0 || draft_check_there(draft, &st) < 0)
		return -1;
	rc = os_pwrite_all(fd, block->data, block->bytes, block->offset);
	error = errno;
	draft_set_time(draft, fd);	/* if it cannot be set, draft_complete meets that too */
	if (fstat(fd, &st) == 0) {
		draft->there.size = (uint64_t)st.st_size;
		draft->there.time = st.st_mtim;
	}
	errno = error;
	return rc;
}

int draft_write(struct draft *draft, int fd, const struct draft_block *block)
{
	int rc;

	if (draft->how == HOW_COPY && !draft->loses)
		draft->loses = overwrites(fd, draft, block);
	rc = (draft->how == HOW_PLACE ? write_in_place : write_anew)(draft, fd, block);
	if (rc < 0) {
		draft->error = errno;
		if (draft->how != HOW_PLACE)
			os_truncate(fd, 0);	/* on a full disk the next file needs the room */
		return draft->error;
	}
	if (draft->of.stamp.size >= WRITE_BEHIND_BYTES)
		os_write_behind(fd, block->offset, block->bytes);
	return 0;
}
