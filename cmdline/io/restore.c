/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/restore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "os/file.h"
#include "os/thread.h"
#include "tommyds/tommyhashdyn.h"

/* One commit syncs the file system twice: enough files to make that cheap, few enough to lose little. */
#define BATCH_FILES 1024
#define BATCH_BYTES (1ull << 30)
/* Where that is not sure, each file is asked for besides. Descriptors are few. */
#define SURE_FILES 64

/* A file on its way. */
struct job {
	struct tommy_hashdyn_node node;
	struct job *next;		/* in a batch or among the results */
	struct draft draft;
	uint64_t serial;		/* never the same for two jobs, as their addresses may be */
	bool finished;
};

struct queue {
	struct job *head, **tail;
	size_t count;
	uint64_t bytes;
};

struct restore {
	struct draft_place place;
	bool sure;			/* see os_sync_fs_is_sure */
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
	queue->bytes += job->draft.of.stamp.size;
}

struct restore *restore_new(const struct draft_place *place)
{
	struct restore *restore = mem_zalloc(sizeof *restore);

	restore->place = *place;
	restore->sure = os_sync_fs_is_sure(place->root_fd);
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
	return ((const struct job *)job)->draft.of.key != key;
}

static struct job *find_job(struct restore *restore, const struct file *key)
{
	struct job *job;

	mutex_lock(&restore->lock);
	job = tommy_hashdyn_search(&restore->table, is_key, key, key_hash(key));
	mutex_unlock(&restore->lock);
	return job;
}

static struct job *find_or_add_job(struct restore *restore, const struct draft_file *of)
{
	struct job *job = find_job(restore, of->key);

	if (job != NULL)
		return job;
	job = mem_zalloc(sizeof *job);
	draft_init(&job->draft, &restore->place, of);
	mutex_lock(&restore->lock);
	job->serial = ++restore->last_serial;
	tommy_hashdyn_insert(&restore->table, &job->node, job, key_hash(of->key));
	mutex_unlock(&restore->lock);
	return job;
}

/* The descriptor of the writer is that of `job`. 0 or errno. */
static int open_job(struct restore *restore, struct job *job)
{
	if (job->draft.error != 0 || restore->open == job->serial)
		return job->draft.error;
	os_close(restore->open_fd);
	restore->open = 0;
	restore->open_fd = draft_open(&restore->place, &job->draft);
	if (restore->open_fd < 0)
		return job->draft.error;
	restore->open = job->serial;
	return 0;
}

int restore_write(struct restore *restore, const struct draft_file *of, const struct draft_block *block)
{
	struct job *job = find_or_add_job(restore, of);
	int error = open_job(restore, job);

	return error != 0 ? error : draft_write(&job->draft, restore->open_fd, block);
}

uint64_t restore_inode(struct restore *restore, const struct file *key)
{
	const struct job *job = find_job(restore, key);

	return job == NULL ? 0 : job->draft.inode;
}

int restore_open(struct restore *restore, const struct file *key)
{
	const struct job *job = find_job(restore, key);

	if (job != NULL)
		return draft_reopen(&restore->place, &job->draft);
	errno = ENOENT;
	return -1;
}

/* All but the names, of the next files. The first one that is left. */
static struct job *complete_some(struct restore *restore, struct job *job)
{
	struct job *done[SURE_FILES];
	int fd[SURE_FILES];
	unsigned count = 0;
	int error = 0;

	for (; job != NULL && count < SURE_FILES; job = job->next) {
		done[count] = job;
		fd[count++] = draft_complete(&restore->place, &job->draft);
	}
	if (count > 1 && os_sync_fs(restore->place.root_fd) < 0)
		error = errno;
	for (unsigned i = 0; i < count; i++) {
		if (fd[i] >= 0 && error != 0)
			done[i]->draft.error = error;
		else if (fd[i] >= 0 && (count > 1 ? os_sync_after_fs : os_sync)(fd[i]) < 0)
			done[i]->draft.error = errno;
		os_close(fd[i]);
	}
	return job;
}

/* All but the names. 0 or errno. */
static int complete_all(struct restore *restore)
{
	struct job *job = restore->commit.head;

	if (!restore->sure || restore->commit.count == 1) {
		while (job != NULL)
			job = complete_some(restore, job);
		return 0;
	}
	for (; job != NULL; job = job->next)
		os_close(draft_complete(&restore->place, &job->draft));
	return os_sync_fs(restore->place.root_fd) < 0 ? errno : 0;
}

/* All is written and durable before the first name changes. */
static void *commit(void *argument)
{
	struct restore *restore = argument;
	bool alone = restore->commit.count == 1;
	struct job *job, *next;
	int error = complete_all(restore);

	for (job = restore->commit.head; job != NULL; job = job->next) {
		if (job->draft.error == 0)
			job->draft.error = error;
		draft_publish(&restore->place, &job->draft, alone);
	}
	if (!alone && os_sync_fs(restore->place.root_fd) < 0)
		error = errno;

	mutex_lock(&restore->lock);
	for (job = restore->commit.head; job != NULL; job = next) {
		next = job->next;
		if (job->draft.error == 0)
			job->draft.error = error;
		if (job->draft.error != 0)
			job->draft.end = DRAFT_FAILED;
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

void restore_finish(struct restore *restore, const struct draft_file *of, enum restore_as as)
{
	struct job *job = find_or_add_job(restore, of);

	job->finished = true;
	job->draft.whole = as == RESTORE_WHOLE;
	if (job->draft.error == 0 && (as == RESTORE_RACED || !seen_same(&job->draft.of.seen, &of->seen)))
		job->draft.error = DRAFT_RACED;
	queue_add(&restore->batch, job);
	if (restore->batch.count >= BATCH_FILES || restore->batch.bytes >= BATCH_BYTES)
		start_commit(restore);
}

bool restore_result(struct restore *restore, bool all, struct draft *result)
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
	*result = job->draft;
	free(job);
	return true;
}

static void free_job(void *argument, void *object)
{
	const struct restore *restore = argument;
	struct job *job = object;

	if (!job->finished)
		draft_discard(&restore->place, &job->draft);
	free(job);
}

void restore_free(struct restore *restore)
{
	if (restore == NULL)
		return;
	start_commit(restore);
	wait_commit(restore);
	os_close(restore->open_fd);
	tommy_hashdyn_foreach(&restore->table, free_job, restore);
	tommy_hashdyn_done(&restore->table);
	mutex_done(&restore->lock);
	free(restore);
}
