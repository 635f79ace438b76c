/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/copies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/le.h"
#include "content/side.h"
#include "os/file.h"
#include "os/signal.h"
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

static void fail(struct copy *copy)
{
	copy->error = errno;
	copy->state = copy->error == ENOENT || copy->error == ENOTDIR ? COPY_MISSING : COPY_UNREADABLE;
}

static void *look_main(void *argument)
{
	struct copy *copy = argument;
	int fd = os_open_read(copy->path);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		fail(copy);
	} else if (!S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		fail(copy);
	} else {
		copy->state = COPY_PRESENT;
		copy->size = (uint64_t)st.st_size;
		copy->mtime = st.st_mtim;
		copy->settled = side_is_settled(copy->path);
	}
	os_close(fd);
	return NULL;
}

static void *tail_main(void *argument)
{
	struct copy *copy = argument;
	uint8_t tail[CRC_BYTES] = { 0 };
	int fd = -1;

	if (copy->state != COPY_PRESENT)
		return NULL;
	fd = os_open_read(copy->path);
	if (fd < 0 || (copy->size >= CRC_BYTES && os_pread_all(fd, tail, sizeof(tail), copy->size - CRC_BYTES) < 0))
		fail(copy);
	copy->tail = le32_load(tail);
	copy->tail_known = true;
	os_close(fd);
	return NULL;
}

/* All at once: they lie on different disks, and each may have to seek. */
static void for_all(struct copy *copy, unsigned count, void *(*look)(void *))
{
	thread_t *thread = mem_alloc((count + 1) * sizeof(*thread));

	for (unsigned i = 1; i < count; i++)
		thread_start(&thread[i], look, &copy[i]);
	if (count > 0)
		look(&copy[0]);
	for (unsigned i = 1; i < count; i++)
		thread_join(thread[i]);
	free(thread);
}

bool copy_same_save(const struct copy *a, const struct copy *b)
{
	return a->size == b->size && a->mtime.tv_sec == b->mtime.tv_sec && a->mtime.tv_nsec == b->mtime.tv_nsec;
}

static bool are_of_one_save(const struct copy *copy, unsigned count)
{
	const struct copy *first = NULL;

	for (unsigned i = 0; i < count; i++) {
		if (copy[i].state != COPY_PRESENT)
			continue;
		if (first == NULL)
			first = &copy[i];
		if (first->mtime.tv_nsec == 0 || !copy_same_save(first, &copy[i]))
			return false;
	}
	return true;
}

struct copy *copies_look(const char *const *path, unsigned count)
{
	struct copy *copy = mem_zalloc((count + 1) * sizeof(*copy));

	for (unsigned i = 0; i < count; i++)
		copy[i].path = path[i];
	for_all(copy, count, look_main);
	/* Of one save they are alike, and the disk of each need not seek to its end. */
	if (!are_of_one_save(copy, count))
		for_all(copy, count, tail_main);
	return copy;
}

bool copy_ending(const char *path, uint32_t *tail, uint64_t *size)
{
	struct copy copy = { .path = path };

	look_main(&copy);
	tail_main(&copy);
	*tail = copy.tail;
	*size = copy.size;
	return copy.state == COPY_PRESENT;
}

void copies_loaded(struct copy *copy, unsigned count, struct copy *used, const struct content *content)
{
	used->tail = le32_load(content->data + content->size - CRC_BYTES);
	for (unsigned i = 0; i < count; i++)
		if (!copy[i].tail_known && copy_same_save(&copy[i], used))
			copy[i].tail = used->tail;
}

static char *unreadable(void)
{
	return mem_printf("cannot be read: %s", strerror(errno));
}

/* -1 with errno: some of it cannot be read. */
static int crc_of(const uint8_t *data, size_t size, uint32_t *crc)
{
	*crc = 0;
	for (size_t at = 0; at < size; at += CONTENT_WINDOW) {
		size_t some = size - at < CONTENT_WINDOW ? size - at : CONTENT_WINDOW;

		if (os_map_read(data + at, some) < 0)
			return -1;
		*crc = crc32c(*crc, data + at, some);
		if (size > CONTENT_WINDOW)
			os_map_drop(data + at, some);
	}
	return 0;
}

/* The version is looked at before the checksum: a later format may have another one, and an older copy taken
 * instead would undo what the newer program recorded. */
static enum content_state content_prove(const struct content *content, char **why)
{
	const uint8_t *data = content->data;
	size_t size = content->size;
	uint32_t crc;

	if (os_map_read(data, size < CONTENT_WINDOW ? size : CONTENT_WINDOW) < 0) {
		*why = unreadable();
		return CONTENT_DAMAGED;
	}
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
	if (size >= CRC_BYTES && crc_of(data, size - CRC_BYTES, &crc) < 0) {
		*why = unreadable();
		return CONTENT_DAMAGED;
	}
	if (size < HEADER_BYTES + CRC_BYTES || crc != le32_load(data + size - CRC_BYTES)) {
		*why = mem_strdup("it was cut short or some of its bytes changed (its checksum is wrong)");
		return CONTENT_DAMAGED;
	}
	return CONTENT_WHOLE;
}

/* Hashes are read from the mapping whenever they are needed. */
static const char bus_words[] =
	"\nThe content file cannot be read any more: its disk failed, or it was overwritten in place. The run ends here, "
	"as if it had been killed: what was saved before is safe, and nothing else was changed. Look at that disk "
	"('dmesg', 'snapraid smart'), then run the command again: it takes another copy of the content file. If it ends "
	"like this once more, move the copy that it loads away.\n";

enum content_state content_map(const char *path, struct content **content, char **why)
{
	int fd = os_open_read(path);
	enum content_state state = CONTENT_DAMAGED;
	struct content *c = mem_zalloc(sizeof(*c));
	struct stat st;
	const void *data;

	*content = NULL;
	*why = NULL;
	if (fd < 0 || fstat(fd, &st) < 0) {
		*why = unreadable();
		goto out;
	}
	if (st.st_size == 0) {
		*why = mem_strdup("it is empty");
		goto out;
	}
	data = os_map_unread(fd, (size_t)st.st_size);
	if (data == NULL) {
		*why = unreadable();
		goto out;
	}
	os_bus_error_install(bus_words);
	c->data = data;
	c->size = (size_t)st.st_size;
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

char *content_name(const struct content *content)
{
	return mem_printf("%08x-%zu\n", (unsigned)le32_load(content->data + content->size - CRC_BYTES), content->size);
}

void content_close(struct content *content)
{
	if (content == NULL)
		return;
	proving_stop(content->proving);
	os_unmap(content->data, content->size);
	free(content);
}
