/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/copies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/crc32c.h"
#include "base/le.h"
#include "os/file.h"
#include "os/thread.h"

#define CRC_BYTES	4
#define MAGIC		"SNAPCNT"
#define MAGIC_BYTES	7
#define HEADER_BYTES	12

char *copy_real_path(const char *path)
{
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
		return realpath(path, NULL);
	return mem_strdup(path);
}

static void copy_look(struct copy *copy)
{
	int fd = os_open_read(copy->path);
	uint8_t tail[CRC_BYTES] = { 0 };
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		goto fail;
	if (!S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		goto fail;
	}
	if (st.st_size >= CRC_BYTES &&
	    os_pread_all(fd, tail, sizeof(tail), (uint64_t)st.st_size - CRC_BYTES) < 0)
		goto fail;
	copy->state = COPY_PRESENT;
	copy->size = (uint64_t)st.st_size;
	copy->mtime = st.st_mtim;
	copy->tail = le32_load(tail);
	os_close(fd);
	return;
fail:
	copy->error = errno;
	copy->state = copy->error == ENOENT || copy->error == ENOTDIR ? COPY_MISSING : COPY_UNREADABLE;
	os_close(fd);
}

static void *look_main(void *copy)
{
	copy_look(copy);
	return NULL;
}

/* All at once: they lie on different disks, and each may have to seek. */
struct copy *copies_look(const char *const *path, unsigned count)
{
	struct copy *copy = mem_zalloc((count + 1) * sizeof(*copy));
	thread_t *thread = mem_alloc((count + 1) * sizeof(*thread));

	for (unsigned i = 0; i < count; i++) {
		copy[i].path = path[i];
		if (i > 0)
			thread_start(&thread[i], look_main, &copy[i]);
	}
	if (count > 0)
		copy_look(&copy[0]);
	for (unsigned i = 1; i < count; i++)
		thread_join(thread[i]);
	free(thread);
	return copy;
}

static int newer_first(const void *a, const void *b)
{
	const struct copy *x = *(struct copy *const *)a, *y = *(struct copy *const *)b;

	if (x->mtime.tv_sec != y->mtime.tv_sec)
		return x->mtime.tv_sec > y->mtime.tv_sec ? -1 : 1;
	if (x->mtime.tv_nsec != y->mtime.tv_nsec)
		return x->mtime.tv_nsec > y->mtime.tv_nsec ? -1 : 1;
	return x < y ? -1 : 1;
}

static bool same_content(const struct copy *a, const struct copy *b)
{
	return a->size == b->size && a->tail == b->tail;
}

struct copy **copies_by_age(struct copy *copy, unsigned count, unsigned *present)
{
	struct copy **list = mem_alloc((count + 1) * sizeof(struct copy *));

	*present = 0;
	for (unsigned i = 0; i < count; i++)
		if (copy[i].state == COPY_PRESENT)
			list[(*present)++] = &copy[i];
	qsort(list, *present, sizeof(struct copy *), newer_first);
	/* Copies of one save differ in time by how fast their disks are. Of those like the newest the first of the
	 * configuration comes first: it is often on the system disk, which answers at once. */
	for (unsigned i = 1; i < *present; i++)
		if (same_content(list[i], list[0]) && list[i] < list[0]) {
			struct copy *first = list[i];

			memmove(&list[1], &list[0], i * sizeof(struct copy *));
			list[0] = first;
		}
	return list;
}

/* The version is looked at before the checksum: a later format may have another one, and an older copy taken
 * instead would undo what the newer program recorded. */
static enum content_state content_prove(const struct content *content, char **why)
{
	const uint8_t *data = content->data;
	size_t size = content->size;

	if (data[0] != 'S') {
		*why = mem_strdup("it does not begin as a content file does");
		return CONTENT_DAMAGED;
	}
	if (size >= HEADER_BYTES && memcmp(data, MAGIC, MAGIC_BYTES) == 0 &&
	    (data[MAGIC_BYTES] < '1' || data[MAGIC_BYTES] > '4' ||
	     memcmp(data + MAGIC_BYTES + 1, "\n\3\0\0", HEADER_BYTES - MAGIC_BYTES - 1) != 0)) {
		*why = mem_strdup("its format is not one of 1 to 4");
		return CONTENT_NEWER;
	}
	if (size < HEADER_BYTES + CRC_BYTES ||
	    crc32c(0, data, size - CRC_BYTES) != le32_load(data + size - CRC_BYTES)) {
		*why = mem_strdup("it was cut short or some of its bytes changed (its checksum is wrong)");
		return CONTENT_DAMAGED;
	}
	return CONTENT_WHOLE;
}

enum content_state content_map(const char *path, struct content **content, char **why)
{
	int fd = os_open_read(path);
	enum content_state state = CONTENT_DAMAGED;
	struct content *c = mem_zalloc(sizeof(*c));
	struct stat st;
	void *data;

	*content = NULL;
	*why = NULL;
	if (fd < 0 || fstat(fd, &st) < 0) {
		*why = mem_printf("cannot be read: %s", strerror(errno));
		goto out;
	}
	if (st.st_size == 0) {
		*why = mem_strdup("it is empty");
		goto out;
	}
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (data == MAP_FAILED) {
		*why = mem_printf("cannot be read: %s", strerror(errno));
		goto out;
	}
	c->data = data;
	c->size = (size_t)st.st_size;
	c->mtime = st.st_mtim;
	state = content_prove(c, why);
	if (state == CONTENT_WHOLE) {
		*content = c;
		c = NULL;
	}
out:
	content_close(c);
	os_close(fd);
	return state;
}

const struct timespec *content_time(const struct content *content)
{
	return &content->mtime;
}

void content_close(struct content *content)
{
	if (content == NULL)
		return;
	if (content->data != NULL)
		munmap((void *)(uintptr_t)content->data, content->size);
	free(content);
}
