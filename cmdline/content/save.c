/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saving all copies. Each is written under a temporary name, made durable and read back; only when all have
 * proven good the first one takes its name. The rename is the commit of a copy: before it a reader sees the
 * previous file whole, after it the new one. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/path.h"
#include "content/journal.h"
#include "content/record.h"
#include "content/side.h"
#include "content/summary.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/thread.h"
#include "report/report.h"

#define READ_BYTES	((size_t)1 << 18)	/* it stays in the cache of a core */
#define NSEC		INT64_C(1000000000)

struct target {
	const char *path;	/* of the configuration */
	char *real;		/* the file behind it, if it is a symbolic link */
	char *fresh;		/* the temporary name, beside `real` */
	int fd;
	struct timespec time;	/* of the save, the same for all copies */
	bool created;		/* `fresh` exists, and is ours to remove */
	bool from_disk;		/* what is read back comes from the disk and not from memory */
	const struct buf *side;	/* the side file of the copy; see side.h */
	/* Of the thread that makes both durable and proves the content, then of the one that gives them their names: */
	thread_t thread;
	uint64_t size;
	uint32_t crc;
	const char *failed;	/* what did, NULL: nothing */
	bool side_failed;	/* ... with the side file */
	int error;
	uint64_t ms;
};

struct saving {
	const char *const *path;
	struct target *target;
	unsigned count;
	struct buf side;
};

static int target_fail(const struct target *target, const char *what, int error)
{
	const char *name = target->fresh != NULL && !target->side_failed ? target->fresh : target->path;
	char *tried = mem_printf("%s '%s%s'", what, name, target->side_failed ? ".side" : "");

	report(EV_CONTENT_UNSAVED, target->path, tried, strerror(error));
	free(tried);
	return -1;
}

/* A symbolic link stays one: the file it leads to is replaced, on the disk that the user chose for it. */
static int target_resolve(struct target *target)
{
	struct stat st;

	target->real = copy_real_path(target->path);
	if (target->real == NULL)
		return target_fail(target, "following the symbolic link", errno);
	/* Found out now and not when copies before it are replaced already. */
	if (stat(target->real, &st) == 0 && !S_ISREG(st.st_mode))
		return target_fail(target, "replacing", S_ISDIR(st.st_mode) ? EISDIR : EOPNOTSUPP);
	target->fresh = path_add_suffix(target->real, ".tmp");
	return 0;
}

static int target_create(struct target *target)
{
	if (target_resolve(target) < 0)
		return -1;
	/* Left over from a run that was killed: never a content file. */
	if (remove(target->fresh) < 0 && errno != ENOENT)
		return target_fail(target, "removing", errno);
	target->fd = os_create_new(target->fresh, 0600);
	if (target->fd < 0)
		return target_fail(target, "creating", errno);
	target->created = true;
	report(EV_CONTENT_SAVING, target->path);
	return 0;
}

static int write_all(struct target *target, unsigned count, struct array *array, struct binding *binding)
{
	int *fd = mem_alloc(count * sizeof(int));
	struct sink sink;
	int rc;

	for (unsigned i = 0; i < count; i++)
		fd[i] = target[i].fd;
	sink_init(&sink, fd, count);
	rc = record_encode(array, os_wall_seconds(), &sink);
	if (rc < 0)
		target_fail(&target[sink.failed], "writing", sink.error);
	for (unsigned i = 0; i < count; i++) {
		target[i].size = sink.size;
		target[i].crc = sink.crc;
	}
	*binding = (struct binding){ sink.tail, sink.size };
	sink_done(&sink);
	free(fd);
	return rc;
}

static void note(struct target *target, const char *what, int error)
{
	target->failed = what;
	target->error = error;
}

/* Read it to the end: what comes from the disk must be the bytes that were encoded. */
static void read_back(struct target *target, int fd)
{
	uint8_t *data = mem_alloc(READ_BYTES);
	uint64_t size = 0;
	uint32_t crc = 0;
	ssize_t got;

	/* It is durable by now, so that its pages can go; else the memory is proven, not the disk. */
	if (target->from_disk)
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	while ((got = os_pread_all(fd, data, READ_BYTES, size)) > 0) {
		crc = crc32c(crc, data, (size_t)got);
		size += (uint64_t)got;
	}
	if (got < 0)
		note(target, "reading back", errno);
	else if (size != target->size || crc != target->crc)
		note(target, "reading back other bytes than were written to", EIO);
	free(data);
}

static void *target_prove(void *argument)
{
	struct target *target = argument;
	uint64_t begin = os_monotonic_ms();
	const char *what;
	int fd = -1;

	/* Where it cannot be set the next start reads a little more. */
	os_set_times(target->fd, &target->time);
	target->side_failed = side_prepare(target->real, target->side, &what) < 0;
	if (target->side_failed)
		note(target, what, errno);
	else if (os_sync(target->fd) < 0)
		note(target, "making durable", errno);
	else if ((fd = os_open_read(target->fresh)) < 0)
		note(target, "opening again", errno);
	else
		read_back(target, fd);
	os_close(fd);
	target->ms = os_monotonic_ms() - begin;
	return NULL;
}

static bool on_several_disks(const struct target *target, unsigned count)
{
	struct stat first, st;

	for (unsigned i = 1; i < count; i++)
		if (fstat(target[0].fd, &first) == 0 && fstat(target[i].fd, &st) == 0 && first.st_dev != st.st_dev)
			return true;
	return false;
}

static void prove_begin(struct target *target, unsigned count, bool for_now)
{
	bool from_disk = !for_now || !on_several_disks(target, count);

	report(EV_CONTENT_VERIFYING);
	for (unsigned i = 0; i < count; i++) {
		target[i].from_disk = from_disk;
		thread_start(&target[i].thread, target_prove, &target[i]);
	}
}

static int prove_end(struct target *target, unsigned count)
{
	int rc = 0;

	for (unsigned i = 0; i < count; i++) {
		thread_join(target[i].thread);
		if (target[i].failed != NULL)
			rc = target_fail(&target[i], target[i].failed, target[i].error);
		else
			report(EV_CONTENT_VERIFIED, target[i].path, target[i].ms / 1000);
	}
	return rc;
}

static void *target_replace(void *argument)
{
	struct target *target = argument;

	if (os_rename_durable(target->fresh, target->real) < 0)
		note(target, "renaming", errno);
	/* Perhaps only the directory cannot be made durable: then it has its name, and needs its side file. */
	if (target->failed == NULL || access(target->fresh, F_OK) < 0) {
		target->created = false;
		side_commit(target->real, target->side);
	}
	return NULL;
}

static int replace_end(const struct target *target)
{
	if (target->failed == NULL)
		return 0;
	report(EV_CONTENT_HALF_SAVED, target->path, strerror(target->error));
	return -1;
}

/* All are proven, and the side file of each is there before it has its name. The first copy goes first, so that it is never
 * older than another one; the others each wait for their own disk only, and a kill may leave any of them behind. */
static int replace_all(struct target *target, unsigned count)
{
	int rc;

	target_replace(&target[0]);
	rc = replace_end(&target[0]);
	if (rc < 0)
		return rc;
	for (unsigned i = 1; i < count; i++)
		thread_start(&target[i].thread, target_replace, &target[i]);
	for (unsigned i = 1; i < count; i++) {
		thread_join(target[i].thread);
		if (replace_end(&target[i]) < 0)
			rc = -1;
	}
	return rc;
}

/* What has not got its name goes. */
static void saving_free(struct saving *saving)
{
	for (unsigned i = 0; i < saving->count; i++) {
		struct target *target = &saving->target[i];

		os_close(target->fd);
		if (target->created) {
			unlink(target->fresh);
			side_discard(target->real);
		}
		free(target->real);
		free(target->fresh);
	}
	free(saving->target);
	buf_done(&saving->side);
	free(saving);
}

/* The clock may have been set back: a later save is a later one all the same. Two saves in one tick of the clock get
 * different times, too, so that copies of the one are not taken for those of the other. */
static void note_time(struct array *array, struct timespec *now)
{
	int64_t saved = (int64_t)now->tv_sec * NSEC + now->tv_nsec;

	array->saved = saved > array->saved ? saved : array->saved + 1;
	if (array->saved - saved < NSEC)
		*now = (struct timespec){ array->saved / NSEC, array->saved % NSEC };
}

static struct saving *save_begin(const char *const *path, unsigned count, struct array *array, bool for_now)
{
	struct saving *saving = mem_zalloc(sizeof(*saving));
	struct target *target = mem_zalloc(count * sizeof(*target));
	struct binding binding;
	struct timespec now;

	os_wall_tick(&now);
	note_time(array, &now);
	*saving = (struct saving){ path, target, count, { NULL, 0, 0 } };
	for (unsigned i = 0; i < count; i++)
		target[i] = (struct target){ .path = path[i], .fd = -1, .time = now, .side = &saving->side };
	array_forget_unused(array);
	for (unsigned i = 0; i < count; i++)
		if (target_create(&target[i]) < 0)
			goto fail;
	if (write_all(target, count, array, &binding) < 0)
		goto fail;
	side_encode(array, &binding, &saving->side);
	summary_report(array, false);
	array->changed = false;
	prove_begin(target, count, for_now);
	return saving;
fail:
	saving_free(saving);
	return NULL;
}

struct saving *content_save_begin(const char *const *path, unsigned count, struct array *array)
{
	return save_begin(path, count, array, true);
}

int content_save_end(struct saving *saving)
{
	int rc = -1;

	if (prove_end(saving->target, saving->count) == 0 &&
	    replace_all(saving->target, saving->count) == 0) {
		journal_remove(saving->path, saving->count);
		report(EV_CONTENT_WRITE_TIME, os_wall_seconds());
		rc = 0;
	}
	saving_free(saving);
	return rc;
}

int content_save(const char *const *path, unsigned count, struct array *array)
{
	struct saving *saving = save_begin(path, count, array, false);

	if (saving != NULL && content_save_end(saving) == 0)
		return 0;
	array->changed = true;
	return -1;
}
