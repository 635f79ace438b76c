/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/metadata.h"
#include "io/object.h"
#include "os/file.h"
#include "stripe/outcome.h"

/* One disk at work. */
struct tour {
	struct session *session;
	const struct objects_job *job;
	const struct disk *disk;
	int root_fd;
	bool changed;		/* something was made, or set */
	struct aside aside;	/* of the last thing that was made */
};

static const char *why_wrong(enum object_state state, int error)
{
	switch (state) {
	case OBJECT_MISSING:
		return "Missing";
	case OBJECT_ERROR:
		return strerror(error);
	default:
		return "Not as recorded";
	}
}

static char *full_path(const struct tour *tour, const char *path)
{
	return outcome_path(tour->job->elsewhere, tour->disk, path);
}

static void tell(const struct tour *tour, enum event event, const char *path)
{
	char *full = full_path(tour, path);

	report(event, tour->disk->name, path, full);
	free(full);
}

/* It was not made. */
static void tell_failed(const struct tour *tour, const char *path, int error)
{
	static const char no_target[] = "what it is a hard link of is not there";
	const char *disk = tour->disk->name;
	char *full = full_path(tour, path);

	tour->session->errors.unrecoverable++;
	if (error == ENOENT) {
		outcome_add(tour->job->outcomes, OUTCOME_LOST, no_target, disk, path);
		report(EV_FIX_FAILED, disk, path, full, no_target);
	} else {
		outcome_failed(tour->job->outcomes, disk, path, full, error);
	}
	report(EV_FIX_IS_UNRECOVERABLE, disk, path);
	free(full);
}

/* Could it be looked at? If not, it is told and stays as it is: it may well be right. Elsewhere all is made anew. */
static bool is_seen(const struct tour *tour, enum object_state state, const char *path, int error)
{
	char *full;

	if (state != OBJECT_ERROR || tour->job->elsewhere != NULL)
		return true;
	if (tour->job->writing) {
		tell_failed(tour, path, error);
		return false;
	}
	full = full_path(tour, path);
	report(EV_FIX_READ, tour->disk->name, path, full, strerror(error));
	free(full);
	return false;
}

/* Is anything to be done, or told? Elsewhere nothing is expected to be there. */
static bool is_right(const struct tour *tour, enum object_state state, const char *path)
{
	if (state == OBJECT_RIGHT || state == OBJECT_TIME) {
		if (report_verbose())
			report(EV_FIX_IS_CORRECT, tour->disk->name, path);
		return true;
	}
	tour->session->errors.soft += tour->job->elsewhere == NULL || state != OBJECT_MISSING;
	return false;
}

static struct object_place place_of(struct tour *tour)
{
	return (struct object_place){ tour->root_fd, tour->job->rule, &tour->aside };
}

/* It is not: what becomes of it. `rc` is that of making it, `error` its errno. */
static void settle(struct tour *tour, const char *path, enum event fixed, int rc, int error)
{
	const char *disk = tour->disk->name;

	if (!tour->job->writing) {
		report(EV_FIX_IS_RECOVERABLE, disk, path);
		return;
	}
	outcome_report_aside(disk, path, &tour->aside);
	if (rc == 0) {
		tour->changed = true;
		tour->session->errors.recovered += tour->job->elsewhere == NULL;
		outcome_add(tour->job->outcomes, OUTCOME_RECOVERED, NULL, disk, path);
		report(fixed, disk, path);
		report(EV_FIX_IS_RECOVERED, disk, path);
	} else if (tour->job->skip_changed && outcome_is_obstacle(error)) {
		outcome_add(tour->job->outcomes, OUTCOME_SKIPPED, OUTCOME_CHANGED, disk, path);
		tell(tour, EV_FIX_LEFT_ALONE, path);
	} else {
		tell_failed(tour, path, error);
	}
}

static void visit_empty(struct tour *tour, const struct file *file)
{
	enum object_state state = object_check_empty(tour->root_fd, file->path, &file->stamp);
	struct object_place place = place_of(tour);
	int error = errno, rc = 0;

	if (state == OBJECT_TIME && tour->job->writing && !tour->job->skip_changed && tour->job->elsewhere == NULL &&
	    object_set_time(tour->root_fd, file->path, &file->stamp) == 0) {
		tour->changed = true;
		report(EV_FIX_TIME, tour->disk->name, file->path);
		return;
	}
	if (is_right(tour, state, file->path))
		return;
	if (state == OBJECT_MISSING && tour->job->elsewhere == NULL)
		tell(tour, EV_FIX_MISSING, file->path);
	if (tour->job->elsewhere == NULL)
		report(EV_FIX_EMPTY_ERROR, tour->disk->name, file->path, why_wrong(state, error));
	if (!is_seen(tour, state, file->path, error))
		return;
	if (tour->job->writing)
		rc = object_make_empty(&place, file->path, &file->stamp);
	error = errno;
	if (tour->job->writing && rc == 0)
		metadata_set_file(tour->session, tour->disk, tour->root_fd, file);
	settle(tour, file->path, EV_FIX_EMPTY_FIXED, rc, error);
}

static void visit_hardlink(struct tour *tour, const struct link *link)
{
	enum object_state state = object_check_hardlink(tour->root_fd, link->path, link->target);
	struct object_place place = place_of(tour);
	int error = errno, rc = 0;

	if (is_right(tour, state, link->path))
		return;
	if (tour->job->elsewhere == NULL)
		report(EV_FIX_HARDLINK_ERROR, tour->disk->name, link->path, link->target, why_wrong(state, error));
	if (!is_seen(tour, state, link->path, error))
		return;
	if (tour->job->writing)
		rc = object_make_hardlink(&place, link->path, link->target);
	settle(tour, link->path, EV_FIX_HARDLINK_FIXED, rc, errno);
}

static void visit_symlink(struct tour *tour, const struct link *link)
{
	enum object_state state = object_check_symlink(tour->root_fd, link->path, link->target);
	struct object_place place = place_of(tour);
	int error = errno, rc = 0;

	if (is_right(tour, state, link->path))
		return;
	if (tour->job->elsewhere == NULL)
		report(EV_FIX_SYMLINK_ERROR, tour->disk->name, link->path, why_wrong(state, error));
	if (!is_seen(tour, state, link->path, error))
		return;
	if (tour->job->writing)
		rc = object_make_symlink(&place, link->path, link->target);
	error = errno;
	if (tour->job->writing && rc == 0)
		metadata_set_link(tour->session, tour->disk, tour->root_fd, link);
	settle(tour, link->path, EV_FIX_SYMLINK_FIXED, rc, error);
}

static void visit_dir(struct tour *tour, const struct dir *dir)
{
	enum object_state state = object_check_dir(tour->root_fd, dir->path);
	struct object_place place = place_of(tour);
	int error = errno, rc = 0;

	if (is_right(tour, state, dir->path))
		return;
	if (tour->job->elsewhere == NULL)
		report(EV_FIX_DIR_ERROR, tour->disk->name, dir->path, why_wrong(state, error));
	if (!is_seen(tour, state, dir->path, error))
		return;
	if (tour->job->writing)
		rc = object_make_dir(&place, dir->path);
	settle(tour, dir->path, EV_FIX_DIR_FIXED, rc, errno);
}

static void visit_disk(struct tour *tour)
{
	struct tommy_node *node;

	for (node = tommy_list_head(&tour->disk->files); node != NULL; node = node->next) {
		const struct file *file = node->data;

		if (file->mark != 0 && file->stamp.size == 0)
			visit_empty(tour, file);
	}
	for (node = tommy_list_head(&tour->disk->links); node != NULL; node = node->next) {
		const struct link *link = node->data;

		if (link->mark == 0)
			continue;
		if (link->hard)
			visit_hardlink(tour, link);
		else
			visit_symlink(tour, link);
	}
	for (node = tommy_list_head(&tour->disk->dirs); node != NULL; node = node->next) {
		const struct dir *dir = node->data;

		if (dir->mark != 0)
			visit_dir(tour, dir);
	}
}

void objects_run(struct session *session, const struct objects_job *job)
{
	for (unsigned i = 0; i < session->array->disk_count; i++) {
		struct tour tour = { .session = session, .job = job, .disk = session->array->disk[i] };

		tour.root_fd = job->root_fd[tour.disk->column];
		if (job->writing && tour.root_fd < 0)
			continue;
		visit_disk(&tour);
		if (tour.changed && os_sync_fs(tour.root_fd) < 0) {
			session->errors.io++;
			session->errors.unrecoverable++;
			report(EV_FIX_DISK_SYNC, tour.disk->name, strerror(errno));
		}
	}
}
