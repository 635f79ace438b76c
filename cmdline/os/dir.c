/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "os/file.h"
#include "os/recent.h"

#define READ_SIZE	65536

struct list {
	struct os_entry *entry;
	size_t count, room;
};

static bool is_self_or_parent(const char *name)
{
	return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/* Names and inodes of the directory. Large reads: with the 32 KiB of readdir() a directory of many files
 * takes twice the calls. */
static int read_names(int fd, struct arena *arena, struct list *list)
{
	char *piece = mem_alloc(READ_SIZE);
	ssize_t size;

	while ((size = getdents64(fd, (void *)piece, READ_SIZE)) > 0) {
		for (ssize_t at = 0; at < size;) {
			const struct dirent64 *d = (const struct dirent64 *)(piece + at);

			at += d->d_reclen;
			if (is_self_or_parent(d->d_name))
				continue;
			mem_grow(&list->entry, list->count, &list->room, sizeof(*list->entry));
			list->entry[list->count] = (struct os_entry){
				.name = arena_strdup(arena, d->d_name),
				.inode = d->d_ino,
				.size = list->count,	/* the place, until it is examined */
			};
			++list->count;
		}
	}
	free(piece);
	return size < 0 ? -1 : 0;
}

/* Hard links of one directory stay in the order of the OS: the first one becomes the file. */
static int compare_inode(const void *a, const void *b)
{
	const struct os_entry *x = a, *y = b;

	if (x->inode != y->inode)
		return x->inode < y->inode ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

static enum os_kind kind_of(unsigned mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return OS_FILE;
	case S_IFDIR:
		return OS_DIR;
	case S_IFLNK:
		return OS_SYMLINK;
	default:
		return OS_SPECIAL;
	}
}

/* Fill the entry whose name is known. A network file system need not be asked again what it told with the
 * names, and nothing is mounted by looking. */
static int examine(int fd, struct os_entry *entry)
{
	struct statx st;

	if (statx(fd, entry->name, AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT,
		  STATX_TYPE | STATX_INO | STATX_SIZE | STATX_MTIME | STATX_NLINK | STATX_MODE |
		  STATX_UID | STATX_GID | STATX_CTIME | STATX_BLOCKS, &st) < 0)
		return -1;
	entry->kind = kind_of(st.stx_mode);
	entry->inode = st.stx_ino;
	entry->device = makedev(st.stx_dev_major, st.stx_dev_minor);
	entry->size = st.stx_size;
	entry->mtime_sec = st.stx_mtime.tv_sec;
	entry->mtime_nsec = st.stx_mtime.tv_nsec;
	entry->link_count = st.stx_nlink;
	entry->mode = st.stx_mode & 07777;
	entry->uid = st.stx_uid;
	entry->gid = st.stx_gid;
	entry->ctime_sec = st.stx_ctime.tv_sec;
	entry->ctime_nsec = st.stx_ctime.tv_nsec;
	entry->is_short = st.stx_blocks < st.stx_size / 512;
	return 0;
}

/* Examine all, in order, which by inode is also that of the medium; drop what has vanished. */
static int examine_all(int fd, struct list *list, const char **bad)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; ++i) {
		struct os_entry *entry = &list->entry[i];

		if (examine(fd, entry) == 0) {
			list->entry[kept++] = *entry;
		} else if (errno != ENOENT) {
			*bad = entry->name;
			return -1;
		}
	}
	list->count = kept;
	return 0;
}

int os_dir_read(int dir_fd, const char *name, bool by_inode, struct arena *arena, int *fd,
		struct os_entry **entries, size_t *count, const char **bad)
{
	struct list list = { 0 };
	int rc = -1;

	*bad = NULL;
	*fd = os_open_beneath(dir_fd, name, O_RDONLY | O_DIRECTORY, 0);
	if (*fd < 0 || read_names(*fd, arena, &list) < 0)
		goto out;
	if (by_inode && list.count > 0)
		qsort(list.entry, list.count, sizeof(*list.entry), compare_inode);
	if (examine_all(*fd, &list, bad) < 0)
		goto out;
	*count = list.count;
	*entries = arena_alloc(arena, list.count * sizeof(**entries), _Alignof(struct os_entry));
	if (list.count > 0)
		memcpy(*entries, list.entry, list.count * sizeof(**entries));
	rc = 0;
out:
	if (rc < 0) {
		os_close(*fd);
		*fd = -1;
	}
	free(list.entry);
	return rc;
}

const char *os_read_link(int dir_fd, const char *name, struct arena *arena)
{
	char text[PATH_MAX + 1];
	const char *last;
	ssize_t size;
	int fd = os_open_parent(dir_fd, name, false, &last);

	if (fd < 0)
		return NULL;
	size = readlinkat(fd, last, text, sizeof(text));
	os_close(fd);
	if (size < 0)
		return NULL;
	if ((size_t)size == sizeof(text)) {	/* perhaps there is more of it */
		errno = ENAMETOOLONG;
		return NULL;
	}
	text[size] = '\0';
	return arena_strdup(arena, text);
}
