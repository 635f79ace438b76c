/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touch: give a sub-second time to the files that have none, on disk and in the content file.
 *
 * With whole seconds only, a change within the second of the last one cannot be told from no change, and a
 * copy keeps looking like an original. A file that is not as it was recorded is left alone: a new time on it
 * would hide its change from the next sync. */
#include "command/touch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/usage.h"
#include "os/clock.h"
#include "os/file.h"

/* File systems keep times in steps of up to a millisecond, or of whole seconds. */
#define STEP 1000000u

/* At least one step, so that it does not become zero again; and not the same for all. */
static uint32_t random_nsec(void)
{
	uint32_t random;

	os_random(&random, sizeof(random));
	return STEP + random % (1000000000 - STEP);
}

/* Is the file what was recorded, up to the part of the time that is missing there? */
static bool is_as_recorded(const struct stat *st, const struct stamp *stamp)
{
	return S_ISREG(st->st_mode) && (uint64_t)st->st_size == stamp->size && st->st_mtime == stamp->mtime_sec &&
	       (stamp->mtime_nsec == NSEC_UNKNOWN || st->st_mtim.tv_nsec == (long)stamp->mtime_nsec);
}

static bool has_recorded_ctime(const struct stat *st, const struct kept *kept)
{
	return st->st_ctim.tv_sec == kept->time_sec && st->st_ctim.tv_nsec == (long)kept->time_nsec;
}

/* Of those left alone and those that failed it is said why. */
enum touched { TOUCH_DONE, TOUCH_LEFT, TOUCH_FAILED };

/* With `fd` the open file. */
static enum touched touch_open_file(const struct disk *disk, struct file *file, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0) {
		report(EV_TOUCH_FAILED, disk->name, file->path, strerror(errno));
		return TOUCH_FAILED;
	}
	if (!is_as_recorded(&st, &file->stamp)) {
		report(EV_TOUCH_CHANGED, disk->name, file->path);
		return TOUCH_LEFT;
	}
	/* One recorded without that part may well have it on disk: then it is only taken over. */
	if (st.st_mtim.tv_nsec == 0) {
		struct timespec mtime = { .tv_sec = st.st_mtime, .tv_nsec = random_nsec() };
		bool same = has_recorded_ctime(&st, &file->kept);

		if (os_set_times(fd, &mtime) < 0 || fstat(fd, &st) < 0) {
			report(EV_TOUCH_FAILED, disk->name, file->path, strerror(errno));
			return TOUCH_FAILED;
		}
		/* This change of the ctime is ours: the sync need not look at the data for it. */
		if (same) {
			file->kept.time_sec = st.st_ctim.tv_sec;
			file->kept.time_nsec = (uint32_t)st.st_ctim.tv_nsec;
		}
	}
	if (st.st_mtim.tv_nsec == 0 || st.st_mtime != file->stamp.mtime_sec) {
		report(EV_TOUCH_COARSE, disk->name, file->path);
		return TOUCH_LEFT;
	}
	file->stamp.mtime_nsec = (uint32_t)st.st_mtim.tv_nsec;
	return TOUCH_DONE;
}

static enum touched touch_file(const struct disk *disk, int root_fd, struct file *file)
{
	int fd = os_open_beneath(root_fd, file->path, O_RDONLY | O_NONBLOCK, 0);
	enum touched touched;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) {
		report(EV_TOUCH_MISSING, disk->name, file->path);
		return TOUCH_LEFT;
	}
	if (fd < 0) {
		report(EV_TOUCH_FAILED, disk->name, file->path, strerror(errno));
		return TOUCH_FAILED;
	}
	touched = touch_open_file(disk, file, fd);
	os_close(fd);
	if (touched == TOUCH_DONE)
		report(EV_TOUCH_FILE, file->path, disk->name, file->stamp.mtime_sec, file->stamp.mtime_nsec);
	return touched;
}

int touch_files(struct session *session)
{
	struct array *array = session->array;
	uint64_t count[3] = { 0 };	/* by enum touched */
	unsigned d;

	report(EV_TOUCH_BEGIN);
	for (d = 0; d < array->disk_count; ++d) {
		struct disk *disk = array->disk[d];
		const struct tommy_node *node;

		for (node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
			struct file *file = node->data;

			if (file_lacks_subsecond(file))
				count[touch_file(disk, session->root_fd[disk->column], file)]++;
		}
	}
	report(EV_TOUCH_END, count[TOUCH_DONE]);
	if (count[TOUCH_DONE] > 0)
		array->changed = true;
	if (array->changed && session_save(session) < 0)
		return -1;
	return count[TOUCH_FAILED] > 0 ? -1 : 0;
}

int command_touch(struct session *session)
{
	return touch_files(session) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
