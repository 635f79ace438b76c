/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/inodes.h"
#include "base/mem.h"
#include "base/path.h"
#include "io/aside.h"
#include "os/attr.h"
#include "os/entry.h"
#include "os/file.h"
#include "os/thread.h"
#include "tommyds/tommyhashdyn.h"

/* One commit syncs the file system twice: enough files to make that cheap, few enough to lose little. */
#define BATCH_FILES 256
#define BATCH_BYTES (1ull << 30)

#define PAGE_BYTES 4096u	/* the least that file systems leave out */

#define UNRECOVERABLE ".unrecoverable"

enum how {
	HOW_NONE,	/* not touched yet */
	HOW_PLACE,	/* the file itself */
	HOW_FRESH,	/* a temporary file; there was none */
	HOW_COPY,	/* a temporary copy of a file written to since */
};

/* A file on its way. */
struct job {
	struct tommy_hashdyn_node node;
	struct job *next;		/* in a batch or among the results */
	const struct file *key;
	const char *path;
	struct stamp stamp;
	const struct meta *meta;
	enum how how;
	char temporary[32];
	uint64_t inode;			/* of the temporary file; 0: none */
	uint64_t there;			/* HOW_COPY: size of the file that is there */
	bool loses;			/* HOW_COPY: that file has data which the restored one has not */
	uint64_t serial;		/* never the same for two jobs, as their addresses may be */
	int error;
	/* set when finished */
	bool finished, whole;
	enum restore_end end;
	unsigned unset;
	int unset_error;
	char kept[ASIDE_MAX];
};

struct queue {
	struct job *head, **tail;
	size_t count;
	uint64_t bytes;
};

struct restore {
	int root_fd;
	const struct inodes *recorded;
	mutex_t lock;			/* of table, last_serial and done */
	struct tommy_hashdyn table;
	uint64_t last_serial;
	/* of the writer */
	uint64_t open;			/* serial of the job that open_fd belongs to; 0: none */
	int open_fd;
	/* of the coordinator */
	struct queue batch;
	thread_t thread;
	bool running;
	/* of the commit thread while it runs */
	struct queue commit;
	struct queue done;
};

static void queue_init(struct queue *queue)
{
	*queue = (struct queue){ NULL, NULL, 0, 0 };
	queue->tail = NULL;
}

static void queue_add(struct queue *queue, struct job *job)
{
	job->next = NULL;
	if (queue->head == NULL)
		queue->head = job;
	else
		*queue->tail = job;
	queue->tail = &job->next;
	queue->count++;
	queue->bytes += job->stamp.size;
}

struct restore *restore_new(int root_fd, const struct inodes *recorded)
{
	struct restore *restore = mem_zalloc(sizeof *restore);

	restore->root_fd = root_fd;
	restore->recorded = recorded;
	restore->open_fd = -1;
	mutex_init(&restore->lock);
	tommy_hashdyn_init(&restore->table);
	queue_init(&restore->batch);
	queue_init(&restore->commit);
	queue_init(&restore->done);
	return restore;
}

static uint64_t key_hash(const struct file *key)
{
	return tommy_hash_u64((uintptr_t)key);
}

static int is_key(const void *key, const void *job)
{
	return ((const struct job *)job)->key != key;
}

static struct job *find_job(struct restore *restore, const struct file *key)
{
	struct job *job;

	mutex_lock(&restore->lock);
	job = tommy_hashdyn_search(&restore->table, is_key, key, key_hash(key));
	mutex_unlock(&restore->lock);
	return job;
}

static struct job *find_or_add_job(struct restore *restore, const struct file *key, const char *path,
				   const struct stamp *stamp, const struct meta *meta)
{
	struct job *job = find_job(restore, key);

	if (job != NULL)
		return job;
	job = mem_zalloc(sizeof *job);
	job->key = key;
	job->path = path;
	job->stamp = *stamp;
	job->meta = meta;
	snprintf(job->temporary, sizeof job->temporary, ".snapraid-%08x.tmp",
		 (unsigned)(tommy_hash_bytes(path, strlen(path)) & UINT32_MAX));
	mutex_lock(&restore->lock);
	job->serial = ++restore->last_serial;
	tommy_hashdyn_insert(&restore->table, &job->node, job, key_hash(key));
	mutex_unlock(&restore->lock);
	return job;
}

static bool time_is_recorded(const struct job *job, const struct stat *st)
{
	return st->st_mtim.tv_sec == job->stamp.mtime_sec &&
	       (job->stamp.mtime_nsec == NSEC_UNKNOWN || (uint32_t)st->st_mtim.tv_nsec == job->stamp.mtime_nsec);
}

/* PATH.unrecoverable, or a short name where that is too long for a name. */
static char *unrecoverable_name(const struct job *job)
{
	const char *name = path_name(job->path);

	if (strlen(name) + strlen(UNRECOVERABLE) <= 255)
		return path_add_suffix(name, UNRECOVERABLE);
	return mem_printf("%.*s" UNRECOVERABLE, 18, job->temporary + 1);
}

/* The file at `path`; *missing if there is nothing. -1 with errno if anything but a file has that name. */
static int examine(const struct restore *restore, const char *path, struct stat *st, bool *missing)
{
	*missing = false;
	if (os_stat_beneath(restore->root_fd, path, st) < 0) {
		*missing = errno == ENOENT;
		return *missing ? 0 : -1;
	}
	if (S_ISREG(st->st_mode))
		return 0;
	errno = S_ISDIR(st->st_mode) ? EISDIR : S_ISLNK(st->st_mode) ? ELOOP : EEXIST;
	return -1;
}

static bool is_file(int dir_fd, const char *name)
{
	struct stat st;

	return os_stat_beneath(dir_fd, name, &st) == 0 && S_ISREG(st.st_mode);
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

/* Create the temporary file of a job with an inode that is not taken for another file's. One that clashes is
 * kept open until another inode was given. */
static int create_apart(const struct restore *restore, const struct job *job, int dir_fd)
{
	struct stat st;
	int clash = os_entry_create(dir_fd, job->temporary);
	int fd;

	if (clash < 0 || os_stat(clash, &st) < 0 ||
	    !inodes_clash(restore->recorded, st.st_ino, &job->stamp, job->key))
		return clash;
	fd = create_apart(restore, job, dir_fd);
	os_close(clash);
	return fd;
}

/* Make the temporary file of a job, with the data to begin from. The descriptor, or -1 with errno. */
static int make_temporary(const struct restore *restore, struct job *job, const char *from)
{
	const char *name;
	struct stat st;
	int dir_fd = os_open_parent(restore->root_fd, job->path, true, &name);
	int fd = -1;
	int error;

	if (dir_fd < 0)
		return -1;
	fd = create_apart(restore, job, dir_fd);
	if (fd < 0)
		goto out;
	if (os_stat(fd, &st) < 0 || copy_from(dir_fd, from, fd, job->stamp.size) < 0) {
		error = errno;
		os_entry_unlink(dir_fd, job->temporary);
		os_close(fd);
		fd = -1;
		errno = error;
		goto out;
	}
	job->inode = st.st_ino;
out:
	error = errno;
	os_close(dir_fd);
	errno = error;
	return fd;
}

/* Decide how the file is restored and open what is written to. -1 with errno. */
static int begin(const struct restore *restore, struct job *job)
{
	struct stat st;
	bool missing;
	int fd;

	if (examine(restore, job->path, &st, &missing) < 0)
		return -1;
	if (missing) {
		char *from = unrecoverable_name(job);

		fd = make_temporary(restore, job, from);
		free(from);
		if (fd >= 0)
			job->how = HOW_FRESH;
		return fd;
	}
	if (time_is_recorded(job, &st)) {
		fd = os_open_beneath(restore->root_fd, job->path, O_RDWR, 0);
		if (fd >= 0)
			job->how = HOW_PLACE;
		return fd;
	}
	fd = make_temporary(restore, job, path_name(job->path));
	if (fd < 0)
		return -1;
	os_set_owner(fd, &st);	/* as good as it can be done */
	job->how = HOW_COPY;
	job->there = (uint64_t)st.st_size;
	job->loses = job->there > job->stamp.size;
	return fd;
}

static char *temporary_path(const struct job *job)
{
	char *dir = path_parent(job->path);
	char *path = path_join(dir, job->temporary);

	free(dir);
	return path;
}

/* Open again what begin() made. */
static int reopen(const struct restore *restore, const struct job *job)
{
	char *path = job->how == HOW_PLACE ? mem_strdup(job->path) : temporary_path(job);
	int fd = os_open_beneath(restore->root_fd, path, O_RDWR, 0);

	free(path);
	return fd;
}

/* The descriptor of the writer is that of `job`. 0 or errno. */
static int open_job(struct restore *restore, struct job *job)
{
	if (job->error != 0 || restore->open == job->serial)
		return job->error;
	os_close(restore->open_fd);
	restore->open = 0;
	restore->open_fd = job->how == HOW_NONE ? begin(restore, job) : reopen(restore, job);
	if (restore->open_fd < 0)
		return job->error = errno;
	restore->open = job->serial;
	return 0;
}

/* Is any byte of the file that is there replaced by another one? */
static bool overwrites(int fd, const struct job *job, const struct restore_block *block)
{
	uint32_t bytes = block->bytes;
	ssize_t got;
	char *old;
	bool differs;

	if (block->offset >= job->there)
		return false;
	if (bytes > job->there - block->offset)
		bytes = (uint32_t)(job->there - block->offset);
	old = mem_alloc(bytes);
	got = os_pread_all(fd, old, bytes, block->offset);
	differs = got != (ssize_t)bytes || memcmp(old, block->data, bytes) != 0;
	free(old);
	return differs;
}

static bool is_zero(const uint8_t *data, size_t size)
{
	return size == 0 || (data[0] == 0 && memcmp(data, data + 1, size - 1) == 0);
}

/* A part of a file that had holes: pages of zeros are left out. A hole at the end appears when the file gets its
 * size. -1 with errno. */
static int write_sparse(int fd, const struct restore_block *block)
{
	const uint8_t *data = block->data;
	uint32_t end;

	for (uint32_t at = 0; at < block->bytes; at = end) {
		bool hole = block->bytes - at >= PAGE_BYTES && is_zero(data + at, PAGE_BYTES);

		for (end = at; block->bytes - end >= PAGE_BYTES && is_zero(data + end, PAGE_BYTES) == hole;)
			end += PAGE_BYTES;
		if (!hole && block->bytes - end < PAGE_BYTES)
			end = block->bytes;
		if ((!hole || os_punch(fd, block->offset + at, end - at) < 0) &&
		    os_pwrite_all(fd, data + at, end - at, block->offset + at) < 0)
			return -1;
	}
	return 0;
}

static int write_block(int fd, const struct job *job, const struct restore_block *block)
{
	if (job->how != HOW_PLACE && job->meta != NULL && job->meta->sparse && block->offset % PAGE_BYTES == 0)
		return write_sparse(fd, block);
	return os_pwrite_all(fd, block->data, block->bytes, block->offset);
}

int restore_write(struct restore *restore, const struct restore_block *block)
{
	struct job *job = find_or_add_job(restore, block->key, block->path, &block->stamp, block->meta);

	if (open_job(restore, job) != 0)
		return job->error;
	if (!block->proven && job->how == HOW_PLACE)
		return 0;	/* nothing doubtful into a file of the user */
	if (job->how == HOW_COPY && !job->loses)
		job->loses = overwrites(restore->open_fd, job, block);
	if (write_block(restore->open_fd, job, block) < 0) {
		job->error = errno;
		if (job->how != HOW_PLACE)
			os_truncate(restore->open_fd, 0);	/* on a full disk the next file needs the room */
		return job->error;
	}
	os_write_behind(restore->open_fd, block->offset, block->bytes);
	return 0;
}

uint64_t restore_inode(struct restore *restore, const struct file *key)
{
	const struct job *job = find_job(restore, key);

	return job == NULL ? 0 : job->inode;
}

int restore_open(struct restore *restore, const struct file *key)
{
	const struct job *job = find_job(restore, key);

	if (job != NULL && job->error == 0 && job->how != HOW_NONE)
		return reopen(restore, job);
	errno = ENOENT;
	return -1;
}

/* A whole file that no block was written to: longer than recorded, or of another time. -1 with errno. */
static int prepare_untouched(const struct restore *restore, struct job *job)
{
	struct stat st;
	bool missing;
	int fd;

	job->end = RESTORE_SAME;
	if (examine(restore, job->path, &st, &missing) < 0)
		return -1;
	if (missing) {
		errno = ENOENT;
		return -1;
	}
	if ((uint64_t)st.st_size == job->stamp.size) {
		if (time_is_recorded(job, &st))
			return 0;
		job->end = RESTORE_TIME;
		job->how = HOW_PLACE;
		return 0;
	}
	job->end = RESTORE_CUT;
	fd = begin(restore, job);
	os_close(fd);
	return fd < 0 ? -1 : 0;
}

static int set_recorded_time(const struct job *job, int fd)
{
	struct timespec time = { (time_t)job->stamp.mtime_sec, (long)job->stamp.mtime_nsec };

	if (job->stamp.mtime_nsec == NSEC_UNKNOWN)
		time.tv_nsec = 0;
	return os_set_times(fd, &time);
}

/* Mode, owner and attributes of a new file. What cannot be set is no failure. */
static void set_meta(struct job *job, int fd)
{
	const struct meta *meta = job->meta;
	struct os_attr attr;

	if (meta == NULL || !job->whole || job->how == HOW_PLACE)
		return;
	attr = (struct os_attr){ meta->mode, meta->uid, meta->gid, meta->xattrs, meta->xattr_bytes };
	job->unset = os_attr_set(fd, &attr, &job->unset_error);
}

/* Bring size, attributes and time to what is recorded. -1 with errno. */
static int complete(const struct restore *restore, struct job *job, bool sync)
{
	struct stat st;
	int fd = reopen(restore, job);
	int rc = -1;
	int error;

	if (fd < 0)
		return -1;
	if (os_stat(fd, &st) < 0)
		goto out;
	if ((uint64_t)st.st_size != job->stamp.size && job->whole && os_truncate(fd, job->stamp.size) < 0)
		goto out;
	set_meta(job, fd);
	if (job->whole && set_recorded_time(job, fd) < 0)
		goto out;
	if (sync && os_sync(fd) < 0)
		goto out;
	rc = 0;
out:
	error = errno;
	os_close(fd);
	errno = error;
	return rc;
}

/* First half of a commit: all that is written, before any name changes. */
static void prepare(const struct restore *restore, struct job *job, bool sync)
{
	if (job->error != 0)
		return;
	if (job->how != HOW_NONE)
		job->end = RESTORE_WHOLE;
	else if (!job->whole)
		return;
	else if (prepare_untouched(restore, job) < 0)
		job->error = errno;
	if (job->error == 0 && job->how != HOW_NONE && complete(restore, job, sync) < 0)
		job->error = errno;
}

static int publish_whole(int dir_fd, const char *name, struct job *job)
{
	char *unrecoverable;

	if (job->how == HOW_NONE || job->how == HOW_PLACE)
		return 0;
	if (job->how == HOW_COPY && job->loses && aside_keep(dir_fd, name, job->kept) < 0)
		return -1;
	if (job->how == HOW_FRESH) {
		/* Whatever came to that name meanwhile is not ours to replace. */
		if (os_entry_rename_new(dir_fd, job->temporary, name) < 0)
			return -1;
	} else if (os_entry_rename(dir_fd, job->temporary, name) < 0) {
		return -1;
	}
	unrecoverable = unrecoverable_name(job);
	if (is_file(dir_fd, unrecoverable))
		os_entry_unlink(dir_fd, unrecoverable);
	free(unrecoverable);
	return 0;
}

static int publish_damaged(const struct restore *restore, int dir_fd, const char *name, struct job *job)
{
	char *unrecoverable = unrecoverable_name(job);
	const char *from = job->temporary;
	struct stat st;
	bool missing;
	int rc = 0;

	job->end = RESTORE_KEPT;
	if (job->how == HOW_NONE) {
		rc = examine(restore, job->path, &st, &missing);
		if (rc == 0 && (missing || !time_is_recorded(job, &st)))
			job->end = RESTORE_LEFT;
	}
	if (job->how == HOW_NONE || job->how == HOW_PLACE)
		from = name;
	if (rc == 0 && job->end == RESTORE_KEPT)
		rc = os_entry_rename(dir_fd, from, unrecoverable);
	free(unrecoverable);
	return rc;
}

/* Second half: the names. */
static void publish(const struct restore *restore, struct job *job, bool sync)
{
	const char *name;
	int dir_fd = os_open_parent(restore->root_fd, job->path, false, &name);
	int rc = -1;

	if (dir_fd < 0) {
		/* Not even the directory is there: nothing was written, nothing can be kept. */
		if (job->error == 0 && !job->whole && errno == ENOENT)
			job->end = RESTORE_LEFT;
		else if (job->error == 0)
			job->error = errno;
		return;
	}
	if (job->error == 0) {
		rc = job->whole ? publish_whole(dir_fd, name, job) : publish_damaged(restore, dir_fd, name, job);
		if (rc < 0 || (sync && os_sync(dir_fd) < 0))
			job->error = errno;
	}
	if (job->error != 0 && (job->how == HOW_FRESH || job->how == HOW_COPY))
		os_entry_unlink(dir_fd, job->temporary);
	os_close(dir_fd);
}

/* The file systems that a batch touched hold all of it, whether they were mounted inside the disk or not. */
static void *commit(void *argument)
{
	struct restore *restore = argument;
	bool alone = restore->commit.count == 1;
	struct job *job, *next;
	int error = 0;

	for (job = restore->commit.head; job != NULL; job = job->next)
		prepare(restore, job, alone);
	if (!alone && os_sync_fs(restore->root_fd) < 0)
		error = errno;
	for (job = restore->commit.head; job != NULL; job = job->next) {
		if (job->error == 0)
			job->error = error;
		publish(restore, job, alone);
	}
	if (!alone && os_sync_fs(restore->root_fd) < 0)
		error = errno;

	mutex_lock(&restore->lock);
	for (job = restore->commit.head; job != NULL; job = next) {
		next = job->next;
		if (job->error == 0)
			job->error = error;
		if (job->error != 0)
			job->end = RESTORE_FAILED;
		queue_add(&restore->done, job);
	}
	mutex_unlock(&restore->lock);
	return NULL;
}

static void wait_commit(struct restore *restore)
{
	if (restore->running)
		thread_join(restore->thread);
	restore->running = false;
}

static void start_commit(struct restore *restore)
{
	wait_commit(restore);
	if (restore->batch.count == 0)
		return;
	restore->commit = restore->batch;
	queue_init(&restore->batch);
	restore->running = true;
	thread_start(&restore->thread, commit, restore);
}

void restore_finish(struct restore *restore, const struct restore_finish *finish)
{
	struct job *job = find_or_add_job(restore, finish->key, finish->path, &finish->stamp, finish->meta);

	job->finished = true;
	job->whole = finish->whole;
	queue_add(&restore->batch, job);
	if (restore->batch.count >= BATCH_FILES || restore->batch.bytes >= BATCH_BYTES)
		start_commit(restore);
}

bool restore_result(struct restore *restore, bool all, struct restore_result *result)
{
	struct job *job;

	if (all) {
		start_commit(restore);
		wait_commit(restore);
	}
	mutex_lock(&restore->lock);
	job = restore->done.head;
	if (job != NULL) {
		restore->done.head = job->next;
		tommy_hashdyn_remove(&restore->table, &job->node);
	}
	mutex_unlock(&restore->lock);
	if (job == NULL)
		return false;
	result->key = job->key;
	result->end = job->end;
	result->error = job->error;
	result->unset = job->unset;
	result->unset_error = job->unset_error;
	memcpy(result->kept, job->kept, sizeof result->kept);
	free(job);
	return true;
}

/* A file that never got its last block. One in place keeps what was written, which is right, and its time:
 * the next run must not take it for one that the user wrote to. */
static void discard(void *argument, void *object)
{
	const struct restore *restore = argument;
	struct job *job = object;
	const char *name;

	if (!job->finished && (job->how == HOW_FRESH || job->how == HOW_COPY)) {
		int dir_fd = os_open_parent(restore->root_fd, job->path, false, &name);

		if (dir_fd >= 0)
			os_entry_unlink(dir_fd, job->temporary);
		os_close(dir_fd);
	} else if (!job->finished && job->how == HOW_PLACE) {
		int fd = reopen(restore, job);

		if (fd >= 0)
			set_recorded_time(job, fd);
		os_close(fd);
	}
	free(job);
}

void restore_free(struct restore *restore)
{
	if (restore == NULL)
		return;
	start_commit(restore);
	wait_commit(restore);
	os_close(restore->open_fd);
	tommy_hashdyn_foreach(&restore->table, discard, restore);
	tommy_hashdyn_done(&restore->table);
	mutex_done(&restore->lock);
	free(restore);
}
