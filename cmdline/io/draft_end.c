/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a draft ends: whole or not, with its size, attributes and time, and under its name. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "io/draft_inside.h"
#include "io/same.h"
#include "io/stamp.h"
#include "os/attr.h"
#include "os/entry.h"
#include "os/file.h"

/* A whole file that no block was written to: longer than recorded, or of another time. -1 with errno. */
static int prepare_untouched(const struct draft_place *place, struct draft *draft)
{
	struct stat st;
	enum draft_there there = draft_examine(place, draft, &st);
	int fd;

	draft->end = DRAFT_SAME;
	if ((there != THERE_ERROR && draft_check_seen(place, draft, there, &st) < 0) || there != THERE_FILE)
		return -1;
	if ((uint64_t)st.st_size == draft->of.stamp.size) {
		if (stamp_has_time(&draft->of.stamp, &st))
			return 0;
		draft->end = DRAFT_TIME;
		draft->how = HOW_PLACE;
		return 0;
	}
	draft->end = DRAFT_CUT;
	fd = draft_open(place, draft);
	os_close(fd);
	return fd < 0 ? -1 : 0;
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
static int complete(const struct draft_place *place, struct draft *draft)
{
	struct stat st, root;
	int fd = draft_reopen(place, draft);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0 || (draft->how == HOW_PLACE && draft_check_there(draft, &st) < 0))
		goto failed;
	if ((uint64_t)st.st_size != draft->of.stamp.size && draft->whole && os_truncate(fd, draft->of.stamp.size) < 0)
		goto failed;
	set_meta(draft, fd);
	if (draft->whole && draft_set_time(draft, fd) < 0)
		goto failed;
	draft->apart = fstat(place->root_fd, &root) < 0 || root.st_dev != st.st_dev;
	if (draft->apart && os_sync(fd) < 0)
		goto failed;
	return fd;
failed:
	os_close(fd);
	return -1;
}

int draft_complete(const struct draft_place *place, struct draft *draft)
{
	int fd = -1;

	if (draft->error != 0)
		return -1;
	if (draft->how != HOW_NONE)
		draft->end = DRAFT_WHOLE;
	else if (!draft->whole)
		return -1;
	else if (prepare_untouched(place, draft) < 0)
		draft->error = errno;
	if (draft->error == 0 && draft->how != HOW_NONE) {
		fd = complete(place, draft);
		if (fd < 0)
			draft->error = errno;
	}
	return fd;
}

/* Whatever came to that name meanwhile is not ours to replace. */
static int publish_fresh(int dir_fd, const char *name, struct draft *draft)
{
	if (draft->obstructed)
		aside_keep(dir_fd, name, strlen(draft->of.path), &draft->aside);
	return os_entry_rename_new(dir_fd, draft->temporary, name);
}

/* Is it another one by now than the copy was made of? */
static bool was_written(int dir_fd, const char *name, const struct draft *draft)
{
	struct stat st;

	return os_entry_stat(dir_fd, name, &st) == 0 &&
	       (!S_ISREG(st.st_mode) || draft_check_there(draft, &st) < 0);
}

static int publish_copy(int dir_fd, const char *name, struct draft *draft)
{
	if ((draft->loses || was_written(dir_fd, name, draft)) &&
	    aside_keep(dir_fd, name, strlen(draft->of.path), &draft->aside) < 0)
		return -1;
	return os_entry_rename(dir_fd, draft->temporary, name);
}

static int publish_whole(const struct draft_place *place, int dir_fd, const char *name, struct draft *draft)
{
	char *unrecoverable;
	int rc;

	if (draft->how == HOW_NONE || draft->how == HOW_PLACE)
		return 0;
	rc = draft->how == HOW_FRESH ? publish_fresh(dir_fd, name, draft) : publish_copy(dir_fd, name, draft);
	if (rc < 0)
		return -1;
	unrecoverable = draft_unrecoverable_path(place->beside, draft->of.path);
	if (draft_is_file(dir_fd, path_name(unrecoverable)))
		os_entry_unlink(dir_fd, path_name(unrecoverable));
	free(unrecoverable);
	return 0;
}

/* Is the file itself what could be recovered? There may be nothing to keep, or what is not of that version. */
static int check_damaged(const struct draft_place *place, struct draft *draft)
{
	struct stat st;
	enum draft_there there = draft_examine(place, draft, &st);

	if (there == THERE_FILE && draft->how == HOW_PLACE)
		return draft_check_there(draft, &st);
	if (there == THERE_FILE && stamp_has_time(&draft->of.stamp, &st))
		return draft_check_seen(place, draft, there, &st);
	draft->end = DRAFT_LEFT;
	return 0;
}

/* What has that name already may have more in it, unless this has it too. */
static int rename_damaged(int dir_fd, const char *from, const char *to, struct draft *draft)
{
	const char *name = path_name(to);
	struct stat st;

	if (!draft->continues && os_entry_stat(dir_fd, name, &st) == 0 && !S_ISDIR(st.st_mode) &&
	    !same_data(dir_fd, from, name) && aside_keep(dir_fd, name, strlen(to), &draft->earlier) < 0)
		return -1;
	return os_entry_rename(dir_fd, from, name);
}

static int publish_damaged(const struct draft_place *place, int dir_fd, const char *name, struct draft *draft)
{
	char *unrecoverable = draft_unrecoverable_path(place->beside, draft->of.path);
	const char *from = draft->temporary;
	int rc = 0;

	draft->end = DRAFT_KEPT;
	if (draft->how == HOW_NONE || draft->how == HOW_PLACE) {
		from = name;
		rc = check_damaged(place, draft);
	}
	if (rc == 0 && draft->end == DRAFT_KEPT)
		rc = rename_damaged(dir_fd, from, unrecoverable, draft);
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
		rc = draft->whole ? publish_whole(place, dir_fd, name, draft) : publish_damaged(place, dir_fd, name, draft);
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
	}
}
