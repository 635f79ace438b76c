/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An empty directory for one test, which is also made the working directory, and what to fill it with. */
#ifndef UNIT_OS_SCRATCH_H
#define UNIT_OS_SCRATCH_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_path[64];

static inline int scratch_open(void **state)
{
	(void)state;
	strcpy(scratch_path, "/tmp/snapraid-unit-XXXXXX");
	return mkdtemp(scratch_path) != NULL && chdir(scratch_path) == 0 ? 0 : -1;
}

static inline int scratch_remove(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline int scratch_close(void **state)
{
	(void)state;
	umount2("mnt", MNT_DETACH);	/* left by a test that failed */
	if (chdir("/") < 0)
		return -1;
	return nftw(scratch_path, scratch_remove, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static inline void make_dir(const char *path)
{
	assert_int_equal(mkdir(path, 0755), 0);
}

static inline void make_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* A link counts, wherever it leads. */
static inline bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static inline int open_here(void)
{
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

#define in_scratch(test) cmocka_unit_test_setup_teardown(test, scratch_open, scratch_close)

#endif
