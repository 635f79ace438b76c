/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "os/file.h"
#include "report/report.h"

static char *dir;
static pid_t owner;	/* a forked child leaves it to its parent */

void fuzz_begin(void)
{
	static bool begun;

	if (!begun)
		PROMISED(report_open(&(struct report_options){ .verbosity = 1, .log = "/dev/null" }) == 0);
	begun = true;
}

static void remove_dir(void)
{
	struct dirent *entry;
	DIR *list = getpid() == owner ? opendir(dir) : NULL;

	while (list != NULL && (entry = readdir(list)) != NULL)
		unlinkat(dirfd(list), entry->d_name, 0);
	if (list != NULL) {
		closedir(list);
		rmdir(dir);
	}
	free(dir);
	dir = NULL;
}

const char *fuzz_dir(void)
{
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

	if (dir != NULL)
		return dir;
	dir = path_join(base, "snapraid-fuzz-XXXXXX");
	PROMISED(mkdtemp(dir) != NULL);
	owner = getpid();
	atexit(remove_dir);
	return dir;
}

char *fuzz_file(const char *name, const void *data, size_t size)
{
	char *path = path_join(fuzz_dir(), name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	PROMISED(fd >= 0 && os_write_all(fd, data, size) == 0);
	os_close(fd);
	return path;
}
