/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/path.h"
#include "command/select.h"
#include "os/attr.h"
#include "os/entry.h"
#include "os/file.h"
#include "stripe/unset.h"
#include "tommyds/tommyhashdyn.h"

#define OWNER_ALL	0700u

enum need {
	NEED_NONE,
	NEED_SEEN,	/* something selected is in it, or it is selected itself */
	NEED_MISSING,	/* ... and it was not there */
};

/* The directories of one disk. */
struct folders {
	struct disk *disk;
	int root_fd;
	struct tommy_hashdyn table;
	struct tommy_hashdyn_node *node;
	enum need *need;	/* of each kept_dir */
	bool *is_object;	/* ... an empty one, which is to be restored itself */
};

struct metadata {
	struct session *session;
	struct folders *folders;
	unsigned count;
};

static int is_other_path(const void *path, const void *dir)
{
	return strcmp(path, ((const struct kept_dir *)dir)->path);
}

static uint64_t hash(const char *path)
{
	return tommy_hash_bytes(path, strlen(path));
}

static void index_dirs(struct folders *folders)
{
	const struct disk *disk = folders->disk;

	folders->node = mem_alloc(disk->kept_dir_count * sizeof(*folders->node));
	folders->is_object = mem_zalloc(disk->kept_dir_count * sizeof(*folders->is_object));
	folders->need = mem_zalloc(disk->kept_dir_count * sizeof(*folders->need));
	tommy_hashdyn_init(&folders->table);
	for (size_t i = 0; i < disk->kept_dir_count; i++)
		tommy_hashdyn_insert(&folders->table, &folders->node[i], &disk->kept_dir[i],
				     hash(disk->kept_dir[i].path));
}

/* Need a directory and all above it, as far as that was not done before. */
static void need_dir(struct folders *folders, const char *path)
{
	char *at = mem_strdup(path);

	for (;;) {
		const struct kept_dir *dir = tommy_hashdyn_search(&folders->table, is_other_path, at, hash(at));
		enum need *need = dir != NULL ? &folders->need[dir - folders->disk->kept_dir] : NULL;
		char *above;

		if (need != NULL && *need != NEED_NONE)
			break;
		if (need != NULL)
			*need = NEED_SEEN;
		if (at[0] == '\0')
			break;
		above = path_parent(at);
		free(at);
		at = above;
	}
	free(at);
}

static void need_empty(struct folders *folders, const char *path)
{
	const struct kept_dir *dir = tommy_hashdyn_search(&folders->table, is_other_path, path, hash(path));

	need_dir(folders, path);
	if (dir != NULL)
		folders->is_object[dir - folders->disk->kept_dir] = true;
}

static void need_parent(struct folders *folders, const char *path)
{
	char *dir = path_parent(path);

	need_dir(folders, dir);
	free(dir);
}

static void need_all(struct folders *folders)
{
	struct tommy_node *node;

	for (node = tommy_list_head(&folders->disk->files); node != NULL; node = node->next)
		if (((const struct file *)node->data)->mark != 0)
			need_parent(folders, ((const struct file *)node->data)->path);
	for (node = tommy_list_head(&folders->disk->links); node != NULL; node = node->next)
		if (((const struct link *)node->data)->mark != 0)
			need_parent(folders, ((const struct link *)node->data)->path);
	for (node = tommy_list_head(&folders->disk->dirs); node != NULL; node = node->next)
		if (((const struct dir *)node->data)->mark != 0)
			need_empty(folders, ((const struct dir *)node->data)->path);
}

static void set_open(struct session *session, const struct disk *disk, const char *path, int fd,
		     const struct meta *meta, uint32_t mode)
{
	const struct os_attr attr = { mode, meta->uid, meta->gid, meta->xattrs, meta->xattr_bytes };
	int error;
	unsigned unset = os_attr_set(fd, &attr, &error);

	unset_report(&session->unset_told, disk->name, path, unset, error);
}

static struct metadata *metadata_new(struct session *session, const int *root_fd)
{
	struct metadata *metadata = mem_zalloc(sizeof(*metadata));
	const struct array *array = session->array;

	metadata->session = session;
	metadata->folders = mem_zalloc(array->disk_count * sizeof(*metadata->folders));
	for (unsigned d = 0; d < array->disk_count; d++) {
		struct disk *disk = array->disk[d];
		struct folders *folders = &metadata->folders[metadata->count];

		if (root_fd[disk->column] < 0 || disk->kept_dir_count == 0)
			continue;
		*folders = (struct folders){ .disk = disk, .root_fd = root_fd[disk->column] };
		index_dirs(folders);
		need_all(folders);
		metadata->count++;
	}
	return metadata;
}

static void metadata_free(struct metadata *metadata)
{
	for (unsigned i = 0; i < metadata->count; i++) {
		tommy_hashdyn_done(&metadata->folders[i].table);
		free(metadata->folders[i].node);
		free(metadata->folders[i].need);
		free(metadata->folders[i].is_object);
	}
	free(metadata->folders);
	free(metadata);
}

/* A directory that holds things is made now; an empty one is itself to be restored, later. What fails is met again
 * when something is restored in it. */
static void make_dir(struct session *session, const struct folders *folders, const struct kept_dir *dir)
{
	const char *name;
	int dir_fd = os_open_parent(folders->root_fd, dir->path, true, &name);

	if (dir_fd >= 0 && os_entry_mkdir(dir_fd, name) == 0) {
		int fd = os_open_beneath(dir_fd, name, O_RDONLY | O_DIRECTORY, 0);

		if (fd >= 0)
			set_open(session, folders->disk, dir->path, fd, dir->meta, dir->meta->mode | OWNER_ALL);
		os_close(fd);
	}
	os_close(dir_fd);
}

struct metadata *metadata_begin(struct session *session, const int *root_fd)
{
	struct metadata *metadata;

	if (!session->array->keep_metadata)
		return NULL;
	metadata = metadata_new(session, root_fd);
	for (unsigned i = 0; i < metadata->count; i++) {
		struct folders *folders = &metadata->folders[i];

		/* In the order of the walk: a directory comes before what is in it. */
		for (size_t k = 0; k < folders->disk->kept_dir_count; k++) {
			const struct kept_dir *dir = &folders->disk->kept_dir[k];
			struct stat st;

			if (folders->need[k] != NEED_SEEN)
				continue;
			if (dir->path[0] == '\0') {
				/* Always there, but on a new disk as it was formatted. */
				if (folders->disk->replaced)
					folders->need[k] = NEED_MISSING;
				continue;
			}
			if (os_stat_beneath(folders->root_fd, dir->path, &st) == 0 || errno != ENOENT)
				continue;
			folders->need[k] = NEED_MISSING;
			if (!folders->is_object[k])
				make_dir(session, folders, dir);
		}
	}
	return metadata;
}

/* false: it is not there. */
static bool set_dir(struct session *session, const struct folders *folders, const struct kept_dir *dir)
{
	const struct timespec time = { (time_t)dir->mtime_sec, (long)dir->mtime_nsec };
	int fd = os_open_beneath(folders->root_fd, dir->path, O_RDONLY | O_DIRECTORY, 0);

	if (fd < 0)
		return false;
	set_open(session, folders->disk, dir->path, fd, dir->meta, dir->meta->mode);
	if (dir->has_time && os_set_times(fd, &time) < 0)
		unset_report(&session->unset_told, folders->disk->name, dir->path, UNSET_MODE, errno);
	os_close(fd);
	return true;
}

/* From the inside out, as setting one may close the way to those in it. Returns how many. */
static uint64_t set_dirs(struct session *session, const struct folders *folders, enum need least)
{
	uint64_t count = 0;

	for (size_t k = folders->disk->kept_dir_count; k-- > 0;)
		if (folders->need[k] >= least)
			count += set_dir(session, folders, &folders->disk->kept_dir[k]);
	return count;
}

void metadata_end(struct metadata *metadata)
{
	if (metadata == NULL)
		return;
	for (unsigned i = 0; i < metadata->count; i++)
		set_dirs(metadata->session, &metadata->folders[i], NEED_MISSING);
	metadata_free(metadata);
}

void metadata_set_file(struct session *session, const struct disk *disk, int root_fd, const struct file *file)
{
	int fd = file->kept.meta == NULL ? -1 : os_open_beneath(root_fd, file->path, O_RDONLY, 0);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		set_open(session, disk, file->path, fd, file->kept.meta, file->kept.meta->mode);
	os_close(fd);
}

void metadata_set_link(struct session *session, const struct disk *disk, int root_fd, const struct link *link)
{
	const struct kept *kept = &link->kept;
	const char *name;
	int dir_fd = kept->meta == NULL ? -1 : os_open_parent(root_fd, link->path, false, &name);

	if (dir_fd < 0)
		return;
	if (os_link_owner(dir_fd, name, kept->meta->uid, kept->meta->gid) < 0)
		unset_report(&session->unset_told, disk->name, link->path, UNSET_OWNER, errno);
	os_link_time(dir_fd, name, kept->time_sec, kept->time_nsec);
	os_close(dir_fd);
}

static bool is_there(int root_fd, const char *path, mode_t type)
{
	struct stat st;

	return os_stat_beneath(root_fd, path, &st) == 0 && (st.st_mode & S_IFMT) == type;
}

static uint64_t put_back_files(struct session *session, const struct folders *folders)
{
	uint64_t count = 0;

	for (struct tommy_node *i = tommy_list_head(&folders->disk->files); i != NULL; i = i->next) {
		const struct file *file = i->data;

		if (file->mark == 0 || file->kept.meta == NULL || !is_there(folders->root_fd, file->path, S_IFREG))
			continue;
		metadata_set_file(session, folders->disk, folders->root_fd, file);
		count++;
	}
	return count;
}

static uint64_t put_back_links(struct session *session, const struct folders *folders)
{
	uint64_t count = 0;

	for (struct tommy_node *i = tommy_list_head(&folders->disk->links); i != NULL; i = i->next) {
		const struct link *link = i->data;

		if (link->hard || link->mark == 0 || link->kept.meta == NULL ||
		    !is_there(folders->root_fd, link->path, S_IFLNK))
			continue;
		metadata_set_link(session, folders->disk, folders->root_fd, link);
		count++;
	}
	return count;
}

int metadata_put_back(struct session *session)
{
	struct selection selection;
	struct metadata *metadata;
	uint64_t files = 0, others = 0;

	if (select_all(session, true, &selection) < 0) {
		select_done(&selection);
		return EXIT_FAILURE;
	}
	select_done(&selection);
	metadata = metadata_new(session, session->root_fd);
	if (metadata->count == 0) {
		report(EV_META_ONLY_UNKNOWN);
		metadata_free(metadata);
		return EXIT_FAILURE;
	}
	for (unsigned i = 0; i < metadata->count; i++) {
		files += put_back_files(session, &metadata->folders[i]);
		others += put_back_links(session, &metadata->folders[i]);
		others += set_dirs(session, &metadata->folders[i], NEED_SEEN);
	}
	metadata_free(metadata);
	report(EV_META_ONLY_END, files, others);
	return session->unset_told == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
