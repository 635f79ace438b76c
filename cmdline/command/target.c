/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/path.h"
#include "io/stamp.h"
#include "os/entry.h"
#include "os/file.h"
#include "stripe/outcome.h"
#include "tommyds/tommyhashdyn.h"

struct target {
	const char *dir;
	int fd;
	int root_fd[COLUMN_MAX];
};

static bool same_place(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Is `dir` that directory, or one below it? */
static bool is_inside(const char *dir, const struct stat *root)
{
	char *at = mem_strdup(dir);
	struct stat st, above;
	bool inside = false;

	for (bool more = stat(at, &st) == 0; more && !inside;) {
		char *up = path_join(at, "..");

		inside = same_place(&st, root);
		more = stat(up, &above) == 0 && !same_place(&st, &above);
		if (more)
			st = above;
		free(at);
		at = up;
	}
	free(at);
	return inside;
}

/* Of a disk that is not there, too: its directory may be where it is mounted. */
static int refuse_inside(const struct session *session, const char *dir)
{
	struct stat st;

	for (unsigned i = 0; i < session->array->disk_count; i++) {
		const struct disk *disk = session->array->disk[i];
		int root_fd = session->root_fd[disk->column];

		if ((root_fd < 0 ? stat(disk->dir, &st) : fstat(root_fd, &st)) < 0 || !is_inside(dir, &st))
			continue;
		report(EV_TO_INSIDE, dir, disk->name);
		return -1;
	}
	return 0;
}

struct target *target_open(const struct session *session, const char *dir)
{
	struct target *target;
	int fd = os_open_dir(dir);

	if (fd < 0) {
		report(EV_TO_DIR, dir, strerror(errno));
		return NULL;
	}
	if (refuse_inside(session, dir) < 0) {
		os_close(fd);
		return NULL;
	}
	target = mem_alloc(sizeof *target);
	target->dir = dir;
	target->fd = fd;
	for (column_t i = 0; i < COLUMN_MAX; i++)
		target->root_fd[i] = -1;
	return target;
}

void target_close(struct target *target)
{
	if (target == NULL)
		return;
	for (column_t i = 0; i < COLUMN_MAX; i++)
		os_close(target->root_fd[i]);
	os_close(target->fd);
	free(target);
}

const int *target_roots(const struct target *target)
{
	return target->root_fd;
}

static int is_other_path(const void *path, const void *file)
{
	return strcmp(path, ((const struct file *)file)->path);
}

static uint64_t hash(const char *path)
{
	return tommy_hash_bytes(path, strlen(path));
}

static bool any_hardlink(const struct disk *disk)
{
	for (const struct tommy_node *node = tommy_list_head(&disk->links); node != NULL; node = node->next) {
		const struct link *link = node->data;

		if (link->hard && link->mark != 0)
			return true;
	}
	return false;
}

/* The files that selected hard links are names of. */
static void mark_linked_files(const struct disk *disk)
{
	struct tommy_hashdyn_node *entry = mem_alloc((disk->file_count + 1) * sizeof *entry);
	struct tommy_hashdyn table;
	size_t count = 0;

	tommy_hashdyn_init(&table);
	for (const struct tommy_node *node = tommy_list_head(&disk->files); node != NULL; node = node->next)
		tommy_hashdyn_insert(&table, &entry[count++], node->data, hash(((struct file *)node->data)->path));
	for (const struct tommy_node *node = tommy_list_head(&disk->links); node != NULL; node = node->next) {
		const struct link *link = node->data;
		struct file *file;

		if (!link->hard || link->mark == 0)
			continue;
		file = tommy_hashdyn_search(&table, is_other_path, link->target, hash(link->target));
		if (file != NULL)
			file->mark = 1;
	}
	tommy_hashdyn_done(&table);
	free(entry);
}

static bool any_selected(const struct disk *disk)
{
	const struct tommy_node *node;

	for (node = tommy_list_head(&disk->files); node != NULL; node = node->next)
		if (((const struct file *)node->data)->mark != 0)
			return true;
	for (node = tommy_list_head(&disk->links); node != NULL; node = node->next)
		if (((const struct link *)node->data)->mark != 0)
			return true;
	for (node = tommy_list_head(&disk->dirs); node != NULL; node = node->next)
		if (((const struct dir *)node->data)->mark != 0)
			return true;
	return false;
}

/* The directory of the disk, without following a link of its name. */
static int open_root(const struct target *target, const char *disk)
{
	if (os_entry_mkdir(target->fd, disk) < 0 && errno != EEXIST)
		return -1;
	return os_open_beneath(target->fd, disk, O_RDONLY | O_DIRECTORY, 0);
}

static bool is_of_stamp(const struct stat *st, const struct stamp *stamp)
{
	return S_ISREG(st->st_mode) && (uint64_t)st->st_size == stamp->size && stamp_has_time(stamp, st);
}

/* Where DIR is above the array, its directory of a disk may be that disk. */
static int refuse_root(const struct target *target, const struct session *session, const struct disk *disk)
{
	char *root = path_join(target->dir, disk->name);
	int rc = refuse_inside(session, root);

	free(root);
	return rc;
}

/* Take the mark of files that are there. Those without blocks are looked at when they are made. */
static void drop_present(const struct target *target, struct session *session, const struct disk *disk,
			 struct outcomes *outcomes)
{
	for (struct tommy_node *node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
		struct file *file = node->data;
		struct stat st;
		char *path;

		if (file->mark == 0 || file->stamp.size == 0 ||
		    os_stat_beneath(target->root_fd[disk->column], file->path, &st) < 0)
			continue;
		file->mark = 0;
		path = outcome_path(target->dir, disk, file->path);
		if (is_of_stamp(&st, &file->stamp)) {
			report(EV_TO_THERE, disk->name, file->path, path);
		} else {
			session->errors.soft++;
			session->errors.unrecoverable++;
			outcome_add(outcomes, OUTCOME_SKIPPED, "something else has its name", disk->name, file->path);
			report(EV_TO_OTHER, disk->name, file->path, path);
		}
		free(path);
	}
}

int target_prepare(struct target *target, struct session *session, struct outcomes *outcomes)
{
	for (unsigned i = 0; i < session->array->disk_count; i++) {
		const struct disk *disk = session->array->disk[i];

		if (any_hardlink(disk))
			mark_linked_files(disk);
		if (!any_selected(disk))
			continue;
		target->root_fd[disk->column] = open_root(target, disk->name);
		if (target->root_fd[disk->column] < 0) {
			report(EV_TO_DISK_DIR, target->dir, disk->name, strerror(errno));
			return -1;
		}
		if (refuse_root(target, session, disk) < 0)
			return -1;
		drop_present(target, session, disk, outcomes);
	}
	return 0;
}
