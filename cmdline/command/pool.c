/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool: one tree of symbolic links to the files and links of all disks.
 *
 * The pool holds nothing else that is ours: in three passes the links that are right are kept and all others
 * removed; the missing ones are made; the directories left empty are removed. What is no symbolic link is
 * never touched, and none is ever followed. A data disk inside the pool, or another file system, is not the
 * pool: a pool of "/mnt" must not cost the links of the disks in it. */
#include "command/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/mem.h"
#include "base/path.h"
#include "os/attr.h"
#include "os/dir.h"
#include "os/entry.h"
#include "os/file.h"
#include "tommyds/tommyarray.h"
#include "tommyds/tommyhashdyn.h"

/* A directory, whatever its name. */
struct place_id {
	uint64_t device, inode;
};

/* A link that shall be there. */
struct wanted {
	struct tommy_hashdyn_node node;
	const char *path;
	const struct disk *disk;
	struct timespec mtime;
	bool has_mtime;		/* of a file; of a link none is recorded */
	bool is_there;
};

struct pool {
	const char *dir;
	const char *share;		/* NULL: links to the directories of the disks */
	int fd;				/* its root */
	struct place_id root;
	struct place_id *disk;		/* roots of the data disks that are there */
	unsigned disk_count;
	struct arena *arena;
	struct tommy_hashdyn by_path;
	struct tommy_array wanted;	/* in the order of the disks */
	struct tommy_array dirs;	/* paths, each after the one that holds it */
};

static int same_path(const void *arg, const void *data)
{
	const struct wanted *wanted = data;

	return strcmp(arg, wanted->path);
}

static struct wanted *find(const struct pool *pool, const char *path)
{
	return tommy_hashdyn_search(&pool->by_path, same_path, path, tommy_hash_bytes(path, strlen(path)));
}

/* NULL: a disk before has that path; said. */
static struct wanted *want(struct pool *pool, const struct disk *disk, const char *path)
{
	struct wanted *wanted = find(pool, path);

	if (wanted != NULL) {
		report(EV_POOL_DOUBLE, path, wanted->disk->name, disk->name);
		return NULL;
	}
	wanted = arena_alloc(pool->arena, sizeof(*wanted), _Alignof(struct wanted));
	*wanted = (struct wanted){ .path = path, .disk = disk };
	tommy_hashdyn_insert(&pool->by_path, &wanted->node, wanted, tommy_hash_bytes(path, strlen(path)));
	tommy_array_insert(&pool->wanted, wanted);
	return wanted;
}

static void want_disk(struct pool *pool, const struct disk *disk)
{
	const struct tommy_node *node;

	for (node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
		const struct file *file = node->data;
		struct wanted *wanted = want(pool, disk, file->path);

		if (wanted == NULL)
			continue;
		wanted->has_mtime = true;
		wanted->mtime.tv_sec = (time_t)file->stamp.mtime_sec;
		if (file->stamp.mtime_nsec != NSEC_UNKNOWN)
			wanted->mtime.tv_nsec = (long)file->stamp.mtime_nsec;
	}
	for (node = tommy_list_head(&disk->links); node != NULL; node = node->next) {
		const struct link *link = node->data;

		want(pool, disk, link->path);
	}
}

/* Where the link points to; the caller's to free. */
static char *target_of(const struct pool *pool, const struct wanted *wanted)
{
	if (pool->share != NULL) {
		char *share = path_with_slash(pool->share);
		char *target = mem_printf("%s%s/%s", share, wanted->disk->name, wanted->path);

		free(share);
		return target;
	}
	return mem_printf("%s%s", wanted->disk->dir, wanted->path);
}

static bool is_right(const struct pool *pool, const struct wanted *wanted, const struct os_entry *entry,
		     const char *text)
{
	char *target = target_of(pool, wanted);
	bool right = strcmp(text, target) == 0;

	free(target);
	if (!wanted->has_mtime)
		return right;
	return right && entry->mtime_sec == wanted->mtime.tv_sec &&
	       (long)entry->mtime_nsec == wanted->mtime.tv_nsec;
}

/* Keep the link or remove it. -1: said. */
static int read_link(struct pool *pool, int dir_fd, const struct os_entry *entry, const char *path)
{
	struct wanted *wanted = find(pool, path);
	const char *text = os_read_link(dir_fd, entry->name, pool->arena);

	if (wanted != NULL && text != NULL && is_right(pool, wanted, entry, text)) {
		wanted->is_there = true;
		return 0;
	}
	if (os_entry_unlink(dir_fd, entry->name) < 0 && errno != ENOENT) {
		report(EV_POOL_REMOVE, path, strerror(errno));
		return -1;
	}
	return 0;
}

static bool same_place(const struct place_id *a, const struct place_id *b)
{
	return a->device == b->device && a->inode == b->inode;
}

static bool is_disk(const struct pool *pool, const struct place_id *place)
{
	unsigned d;

	for (d = 0; d < pool->disk_count; ++d) {
		if (same_place(&pool->disk[d], place))
			return true;
	}
	return false;
}

static bool is_of_pool(const struct pool *pool, const struct os_entry *entry)
{
	struct place_id place = { entry->device, entry->inode };

	return entry->device == pool->root.device && !is_disk(pool, &place);
}

/* One directory of the pool; those in it are added to the list. -1: said. */
static int read_dir(struct pool *pool, const char *dir)
{
	struct os_entry *entries;
	const char *bad;
	size_t count, i;
	int dir_fd = -1;
	int rc = 0;

	if (os_dir_read(pool->fd, dir[0] == '\0' ? "." : dir, false, pool->arena, &dir_fd, &entries, &count,
			&bad) < 0) {
		int error = errno;
		char *within = path_join(pool->dir, dir);
		char *path = bad == NULL ? mem_strdup(within) : path_join(within, bad);

		report(EV_POOL_DIR, path, strerror(error));
		free(path);
		free(within);
		return -1;
	}
	for (i = 0; i < count && rc == 0; ++i) {
		char *path = path_join(dir, entries[i].name);

		if (entries[i].kind == OS_SYMLINK)
			rc = read_link(pool, dir_fd, &entries[i], path);
		else if (entries[i].kind == OS_DIR && is_of_pool(pool, &entries[i]))
			tommy_array_insert(&pool->dirs, arena_strdup(pool->arena, path));
		free(path);
	}
	os_close(dir_fd);
	return rc;
}

/* By list and not by recursion: the tree may be as deep as a path is long. */
static int read_tree(struct pool *pool)
{
	size_t i;

	if (read_dir(pool, "") < 0)
		return -1;
	for (i = 0; i < tommy_array_count(&pool->dirs); ++i) {
		if (read_dir(pool, tommy_array_get(&pool->dirs, i)) < 0)
			return -1;
	}
	return 0;
}

/* Make the link. -1: it cannot be made; said. */
static int write_link(const struct pool *pool, const struct wanted *wanted)
{
	char *target = target_of(pool, wanted);
	const char *name;
	int dir_fd = os_open_parent(pool->fd, wanted->path, true, &name);
	int rc = 0;

	if (dir_fd < 0 || os_entry_symlink(target, dir_fd, name) < 0) {
		/* A foreign file or directory, or the link of a file where another disk has a directory. */
		if (errno == EEXIST || errno == ENOTDIR || errno == ELOOP) {
			report(EV_POOL_IN_THE_WAY, wanted->path);
		} else {
			report(EV_POOL_FAILED, wanted->path, strerror(errno));
			rc = -1;
		}
	} else if (wanted->has_mtime) {
		/* Not every file system keeps the time of a link. */
		os_link_time(dir_fd, name, wanted->mtime.tv_sec, (uint32_t)wanted->mtime.tv_nsec);
	}
	free(target);
	os_close(dir_fd);
	return rc;
}

static int write_links(const struct pool *pool)
{
	size_t i;

	for (i = 0; i < tommy_array_count(&pool->wanted); ++i) {
		const struct wanted *wanted = tommy_array_get(&pool->wanted, i);

		if (!wanted->is_there && write_link(pool, wanted) < 0)
			return -1;
	}
	return 0;
}

/* From the leaves up. One that is not empty refuses to go, as it should. */
static void remove_empty_dirs(const struct pool *pool)
{
	size_t i;

	for (i = tommy_array_count(&pool->dirs); i-- > 0;) {
		const char *name;
		int dir_fd = os_open_parent(pool->fd, tommy_array_get(&pool->dirs, i), false, &name);

		if (dir_fd >= 0)
			os_entry_rmdir(dir_fd, name);
		os_close(dir_fd);
	}
}

static int make_pool(struct pool *pool)
{
	report(EV_POOL_READ);
	if (read_tree(pool) < 0)
		return -1;
	report(EV_POOL_WRITE);
	if (write_links(pool) < 0)
		return -1;
	report(EV_POOL_CLEAN);
	remove_empty_dirs(pool);
	return 0;
}

/* -1: said. */
static int open_root(struct pool *pool, const struct config *config)
{
	struct stat st;
	unsigned d;

	pool->fd = os_open_dir(config->pool);
	if (pool->fd < 0 || fstat(pool->fd, &st) < 0) {
		report(EV_POOL_DIR, config->pool, strerror(errno));
		return -1;
	}
	pool->root = (struct place_id){ st.st_dev, st.st_ino };
	pool->disk = mem_alloc(config->disk_count * sizeof(*pool->disk));
	for (d = 0; d < config->disk_count; ++d) {
		const char *dir = config->disk[d].dir;

		if (strncmp(config->pool, dir, strlen(dir)) == 0) {
			report(EV_POOL_IN_DISK, config->pool, dir);
			return -1;
		}
		if (stat(dir, &st) == 0)
			pool->disk[pool->disk_count++] = (struct place_id){ st.st_dev, st.st_ino };
	}
	if (is_disk(pool, &pool->root)) {
		report(EV_POOL_IN_DISK, config->pool, "a data disk");
		return -1;
	}
	return 0;
}

int command_pool(struct session *session)
{
	const struct config *config = session->config;
	struct pool pool = { .dir = config->pool, .share = config->share, .fd = -1 };
	unsigned d;
	int rc;

	if (config->pool == NULL) {
		report(EV_POOL_NONE);
		return 1;
	}
	pool.arena = arena_new();
	tommy_hashdyn_init(&pool.by_path);
	tommy_array_init(&pool.wanted);
	tommy_array_init(&pool.dirs);
	for (d = 0; d < session->array->disk_count; ++d)
		want_disk(&pool, session->array->disk[d]);

	rc = open_root(&pool, config);
	if (rc == 0)
		rc = make_pool(&pool);
	if (rc == 0 && tommy_array_count(&pool.wanted) > 0)
		report(EV_POOL_END, tommy_array_count(&pool.wanted));
	else if (rc == 0)
		report(EV_POOL_EMPTY);

	tommy_array_done(&pool.dirs);
	tommy_array_done(&pool.wanted);
	tommy_hashdyn_done(&pool.by_path);
	arena_free(pool.arena);
	free(pool.disk);
	os_close(pool.fd);
	return rc < 0 ? 1 : 0;
}
