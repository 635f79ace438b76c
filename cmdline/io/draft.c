/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/inodes.h"
#include "base/mem.h"
#include "base/path.h"
#include "io/sparse.h"
#include "os/attr.h"
#include "os/entry.h"
#include "os/file.h"
#include "tommyds/tommyhashdyn.h"

/* From that size on a file is written out while its next blocks come. Smaller ones go out together, when they are
 * synced. */
#define WRITE_BEHIND_BYTES (1u << 20)

#define UNRECOVERABLE ".unrecoverable"

void draft_init(struct draft *draft, const struct draft_file *of)
{
	memset(draft, 0, sizeof *draft);
	draft->of = *of;
	snprintf(draft->temporary, sizeof draft->temporary, ".snapraid-%08x.tmp",
		 (unsigned)(tommy_hash_bytes(of->path, strlen(of->path)) & UINT32_MAX));
}

static bool time_is_recorded(const struct draft *draft, const struct stat *st)
{
	return st->st_mtim.tv_sec == draft->of.stamp.mtime_sec &&
	       (draft->of.stamp.mtime_nsec == NSEC_UNKNOWN || (uint32_t)st->st_mtim.tv_nsec == draft->of.stamp.mtime_nsec);
}

/* PATH.unrecoverable, or a short name where that is too long for a name. */
static char *unrecoverable_name(const struct draft *draft)
{
	const char *name = path_name(draft->of.path);

	if (strlen(name) + strlen(UNRECOVERABLE) <= 255)
		return path_add_suffix(name, UNRECOVERABLE);
	return mem_printf("%.*s" UNRECOVERABLE, 18, draft->temporary + 1);
}

enum there { THERE_NOTHING, THERE_FILE, THERE_OTHER, THERE_NO_WAY, THERE_ERROR };

/* What has the name of the draft. But for a file errno says what is wrong with it. */
static enum there examine(const struct draft_place *place, const struct draft *draft, struct stat *st)
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

static bool is_file(int dir_fd, const char *name)
{
	struct stat st;

	return os_entry_stat(dir_fd, name, &st) == 0 && S_ISREG(st.st_mode);
}

/* Fill a new temporary file with the first bytes of a file of that directory. No file, or a link or a directory
 * of that name: nothing to begin from. */
static int copy_from(int dir_fd, const char *name, int to_fd, uint64_t size)
{
	int fd, rc;

	if (!is_file(dir_fd, name))
		return 0;
	fd = os_open_beneath(dir_fd, name, O_RDONLY, 0);
	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	rc = os_copy(fd, to_fd, size);
	os_close(fd);
	return rc;
}

/* Create the temporary file of a draft with an inode that is not taken for another file's. One that clashes is
 * kept open until another inode was given. */
static int create_apart(const struct draft_place *place, const struct draft *draft, int dir_fd)
{
	struct stat st;
	int clash = os_entry_create(dir_fd, draft->temporary);
	int fd;

	if (clash < 0 || os_stat(clash, &st) < 0 ||
	    place->recorded == NULL || !inodes_clash(place->recorded, st.st_ino, &draft->of.stamp, draft->of.key))
		return clash;
	fd = create_apart(place, draft, dir_fd);
	os_close(clash);
	return fd;
}

/* Make the temporary file of a draft, with the data to begin from. The descriptor, or -1 with errno. */
static int make_temporary(const struct draft_place *place, struct draft *draft, const char *from)
{
	const char *name;
	struct stat st;
	int dir_fd = os_open_parent(place->root_fd, draft->of.path, true, &name);
	int fd = -1;
	int error;

	if (dir_fd < 0)
		return -1;
	fd = create_apart(place, draft, dir_fd);
	if (fd < 0)
		goto out;
	if (os_stat(fd, &st) < 0 || copy_from(dir_fd, from, fd, draft->of.stamp.size) < 0) {
		error = errno;
		os_entry_unlink(dir_fd, draft->temporary);
		os_close(fd);
		fd = -1;
		errno = error;
		goto out;
	}
	draft->inode = st.st_ino;
out:
	error = errno;
	os_close(dir_fd);
	errno = error;
	return fd;
}

/* A file that is not there: its temporary file begins with what an earlier run could save. */
static int begin_fresh(const struct draft_place *place, struct draft *draft)
{
	char *from = unrecoverable_name(draft);
	int fd = make_temporary(place, draft, from);

	free(from);
	if (fd >= 0)
		draft->how = HOW_FRESH;
	return fd;
}

/* A file that was written to since: the right blocks of it are copied. */
static int begin_copy(const struct draft_place *place, struct draft *draft, const struct stat *st)
{
	int fd = make_temporary(place, draft, path_name(draft->of.path));

	if (fd < 0)
		return -1;
	os_set_owner(fd, st);	/* as good as it can be done */
	draft->how = HOW_COPY;
	draft->there = (uint64_t)st->st_size;
	draft->loses = draft->there > draft->of.stamp.size;
	return fd;
}

/* Decide how the file is restored and open what is written to. -1 with errno. */
static int begin(const struct draft_place *place, struct draft *draft)
{
	struct stat st;
	int fd;

	switch (examine(place, draft, &st)) {
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
		if (!time_is_recorded(draft, &st))
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

	if (block->offset >= draft->there)
		return false;
	if (bytes > draft->there - block->offset)
		bytes = (uint32_t)(draft->there - block->offset);
	old = mem_alloc(bytes);
	got = os_pread_all(fd, old, bytes, block->offset);
	differs = got != (ssize_t)bytes || memcmp(old, block->data, bytes) != 0;
	free(old);
	return differs;
}

static int write_block(int fd, const struct draft *draft, const struct draft_block *block)
{
	if (draft->how != HOW_PLACE && draft->of.meta != NULL && draft->of.meta->sparse && block->offset % SPARSE_PAGE == 0)
		return sparse_write(fd, block->data, block->bytes, block->offset);
	return os_pwrite_all(fd, block->data, block->bytes, block->offset);
}

int draft_write(struct draft *draft, int fd, const struct draft_block *block)
{
	if (!block->proven && draft->how == HOW_PLACE)
		return 0;	/* nothing doubtful into a file of the user */
	if (draft->how == HOW_COPY && !draft->loses)
		draft->loses = overwrites(fd, draft, block);
	if (write_block(fd, draft, block) < 0) {
		draft->error = errno;
		if (draft->how != HOW_PLACE)
			os_truncate(fd, 0);	/* on a full disk the next file needs the room */
		return draft->error;
	}
	if (draft->of.stamp.size >= WRITE_BEHIND_BYTES)
		os_write_behind(fd, block->offset, block->bytes);
	return 0;
}

/* A whole file that no block was written to: longer than recorded, or of another time. -1 with errno. */
static int prepare_untouched(const struct draft_place *place, struct draft *draft)
{
	struct stat st;
	int fd;

	draft->end = DRAFT_SAME;
	if (examine(place, draft, &st) != THERE_FILE)
		return -1;
	if ((uint64_t)st.st_size == draft->of.stamp.size) {
		if (time_is_recorded(draft, &st))
			return 0;
		draft->end = DRAFT_TIME;
		draft->how = HOW_PLACE;
		return 0;
	}
	draft->end = DRAFT_CUT;
	fd = begin(place, draft);
	os_close(fd);
	return fd < 0 ? -1 : 0;
}

static int set_recorded_time(const struct draft *draft, int fd)
{
	struct timespec time = { (time_t)draft->of.stamp.mtime_sec, (long)draft->of.stamp.mtime_nsec };

	if (draft->of.stamp.mtime_nsec == NSEC_UNKNOWN)
		time.tv_nsec = 0;
	return os_set_times(fd, &time);
}

/* Mode, owner and attributes of a new file. What cannot be set is no failure. */
static void set_meta(struct draft *draft, int fd)
{
	const struct meta *meta = draft->of.meta;
	struct os_attr attr;

	if (meta == NULL || !draft->whole || draft->how == HOW_PLACE)
		return;
	attr = (struct os_attr){ meta->mode, meta->uid, meta->gid, meta->xattrs, meta->xattr_bytes };
	draft->unset = os_attr_set(fd, &attr, &draft->unset_error);
}

/* Bring size, attributes and time to what is recorded. -1 with errno. */
static int complete(const struct draft_place *place, struct draft *draft, bool sync)
{
	struct stat st, root;
	int fd = reopen(place, draft);
	int rc = -1;
	int error;

	if (fd < 0)
		return -1;
	if (os_stat(fd, &st) < 0)
		goto out;
	if ((uint64_t)st.st_size != draft->of.stamp.size && draft->whole && os_truncate(fd, draft->of.stamp.size) < 0)
		goto out;
	set_meta(draft, fd);
	if (draft->whole && set_recorded_time(draft, fd) < 0)
		goto out;
	draft->apart = os_stat(place->root_fd, &root) < 0 || root.st_dev != st.st_dev;
	if ((sync || draft->apart) && os_sync(fd) < 0)
		goto out;
	rc = 0;
out:
	error = errno;
	os_close(fd);
	errno = error;
	return rc;
}

void draft_complete(const struct draft_place *place, struct draft *draft, bool sync)
{
	if (draft->error != 0)
		return;
	if (draft->how != HOW_NONE)
		draft->end = DRAFT_WHOLE;
	else if (!draft->whole)
		return;
	else if (prepare_untouched(place, draft) < 0)
		draft->error = errno;
	if (draft->error == 0 && draft->how != HOW_NONE && complete(place, draft, sync) < 0)
		draft->error = errno;
}

/* Whatever came to that name meanwhile is not ours to replace. */
static int publish_fresh(int dir_fd, const char *name, struct draft *draft)
{
	if (draft->obstructed && aside_keep(dir_fd, name, draft->aside.name) == 0)
		draft->aside.length = strlen(draft->of.path);
	return os_entry_rename_new(dir_fd, draft->temporary, name);
}

static int publish_copy(int dir_fd, const char *name, struct draft *draft)
{
	if (draft->loses) {
		if (aside_keep(dir_fd, name, draft->aside.name) < 0)
			return -1;
		draft->aside.length = strlen(draft->of.path);
	}
	return os_entry_rename(dir_fd, draft->temporary, name);
}

static int publish_whole(int dir_fd, const char *name, struct draft *draft)
{
	char *unrecoverable;
	int rc;

	if (draft->how == HOW_NONE || draft->how == HOW_PLACE)
		return 0;
	rc = draft->how == HOW_FRESH ? publish_fresh(dir_fd, name, draft) : publish_copy(dir_fd, name, draft);
	if (rc < 0)
		return -1;
	unrecoverable = unrecoverable_name(draft);
	if (is_file(dir_fd, unrecoverable))
		os_entry_unlink(dir_fd, unrecoverable);
	free(unrecoverable);
	return 0;
}

static int publish_damaged(const struct draft_place *place, int dir_fd, const char *name, struct draft *draft)
{
	char *unrecoverable = unrecoverable_name(draft);
	const char *from = draft->temporary;
	struct stat st;
	int rc = 0;

	draft->end = DRAFT_KEPT;
	if (draft->how == HOW_NONE && (examine(place, draft, &st) != THERE_FILE || !time_is_recorded(draft, &st)))
		draft->end = DRAFT_LEFT;	/* there was nothing to keep, or it is not of that version */
	if (draft->how == HOW_NONE || draft->how == HOW_PLACE)
		from = name;
	if (rc == 0 && draft->end == DRAFT_KEPT)
		rc = os_entry_rename(dir_fd, from, unrecoverable);
	free(unrecoverable);
	return rc;
}

void draft_publish(const struct draft_place *place, struct draft *draft, bool sync)
{
	const char *name;
	int dir_fd = os_open_parent(place->root_fd, draft->of.path, false, &name);
	int rc = -1;

	if (dir_fd < 0) {
		/* Not even the directory is there: nothing was written, nothing can be kept. */
		if (draft->error == 0 && !draft->whole && draft->how == HOW_NONE)
			draft->end = DRAFT_LEFT;
		else if (draft->error == 0)
			draft->error = errno;
		return;
	}
	if (draft->error == 0) {
		rc = draft->whole ? publish_whole(dir_fd, name, draft) : publish_damaged(place, dir_fd, name, draft);
		if (rc < 0 || ((sync || draft->apart) && os_sync(dir_fd) < 0))
			draft->error = errno;
	}
	if (draft->error != 0 && (draft->how == HOW_FRESH || draft->how == HOW_COPY))
		os_entry_unlink(dir_fd, draft->temporary);
	os_close(dir_fd);
}

void draft_discard(const struct draft_place *place, const struct draft *draft)
{
	const char *name;

	if (draft->how == HOW_FRESH || draft->how == HOW_COPY) {
		int dir_fd = os_open_parent(place->root_fd, draft->of.path, false, &name);

		if (dir_fd >= 0)
			os_entry_unlink(dir_fd, draft->temporary);
		os_close(dir_fd);
	} else if (draft->how == HOW_PLACE) {
		int fd = reopen(place, draft);

		if (fd >= 0)
			set_recorded_time(draft, fd);
		os_close(fd);
	}
}
