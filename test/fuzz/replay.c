/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main function of a target without libFuzzer: every file of its corpus is tried, whole, cut at each length, and
 * with each byte changed. A poor search, but each compiler, each sanitizer and each CPU can do it.
 *
 *	fuzz_content			test/fuzz/corpus/content, and the places that corpus/content.more lists
 *	fuzz_content FILE...		these
 *
 * Each file has a process of its own. What the target dies of is left in fuzz_content.crash. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "fuzz.h"
#include "os/file.h"

#define INPUT_MAX	((size_t)1 << 20)
#define CHANGES_MAX	150	/* of each kind for one file; a longer one has them spread over it */
#define MEMORY_MAX	((rlim_t)1 << 30)
#define SECONDS_MAX	120

/* Of a sanitizer, if there is one: where it writes to. */
extern void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

/* What is being tried, for the parent to see. */
struct trial {
	size_t size;
	uint64_t count;
	uint8_t data[INPUT_MAX];
};

static struct trial *trial;

static void try(const uint8_t *data, size_t size)
{
	/* Of its exact size, so that a sanitizer sees a read over its end. */
	uint8_t *copy = mem_dup(data, size);

	memcpy(trial->data, data, size);
	trial->size = size;
	trial->count++;
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void try_all(uint8_t *data, size_t size)
{
	size_t step = size / CHANGES_MAX + 1;

	try(data, size);
	for (size_t i = 0; i < size; i += step)
		try(data, i);
	for (size_t i = 0; i < size; i += step) {
		static const uint8_t changes[] = { 0x01, 0x80, 0xff };
		uint8_t change = changes[i % sizeof(changes)];

		data[i] ^= change;
		try(data, size);
		data[i] ^= change;
	}
}

/* What the target says goes nowhere, what a sanitizer says does not. Memory and time have their bounds: a sanitizer
 * takes much of both. */
static void be_child(void)
{
	struct rlimit memory = { MEMORY_MAX, MEMORY_MAX }, seconds = { SECONDS_MAX, SECONDS_MAX };
	int nowhere = open("/dev/null", O_WRONLY);
	int speaking = dup(STDERR_FILENO);

	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	if (__sanitizer_set_report_fd != NULL)
		__sanitizer_set_report_fd((void *)(intptr_t)speaking);
	else
		setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_CPU, &seconds);
}

static int run_child(const char *path)
{
	struct buf file = { 0 };

	be_child();
	if (os_read_file(path, INPUT_MAX, &file) < 0)
		return 2;
	buf_str(&file, "");	/* there is memory even if it is empty */
	try_all((uint8_t *)file.data, file.size);
	buf_done(&file);
	return 0;
}

static void keep_crash(const char *program)
{
	char *path = path_add_suffix(path_name(program), ".crash");
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd >= 0 && os_write_all(fd, trial->data, trial->size) == 0)
		printf("    what it was given (%zu bytes) is in %s\n", trial->size, path);
	os_close(fd);
	free(path);
}

/* Returns the number of failures: 0 or 1. */
static unsigned run(const char *program, const char *path)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0)
		exit(run_child(path));
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFSIGNALED(status))
		printf("%s: died of signal %d\n", path, WTERMSIG(status));
	else
		printf("%s: failed\n", path);
	keep_crash(program);
	return 1;
}

struct tally {
	unsigned files, failures;
};

/* A file, or all files of a directory. */
static void run_all(const char *program, const char *path, struct tally *tally)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (dir == NULL) {
		tally->files++;
		tally->failures += run(program, path);
		return;
	}
	while ((entry = readdir(dir)) != NULL) {
		char *file = path_join(path, entry->d_name);
		struct stat st;

		if (entry->d_name[0] != '.' && stat(file, &st) == 0 && S_ISREG(st.st_mode)) {
			tally->files++;
			tally->failures += run(program, file);
		}
		free(file);
	}
	closedir(dir);
}

/* The corpus of the target: its own directory, and what its list names, from the top of the sources. */
static void run_corpus(const char *program, struct tally *tally)
{
	const char *top = getenv("srcdir") != NULL ? getenv("srcdir") : ".";
	char *own = mem_printf("%s/test/fuzz/corpus/%s", top, path_name(program) + strlen("fuzz_"));
	char *list = path_add_suffix(own, ".more"), *place, *rest = NULL;
	struct buf more = { 0 };

	run_all(program, own, tally);
	if (os_read_file(list, INPUT_MAX, &more) == 0 && more.size > 0)
		for (place = strtok_r(more.data, "\n", &rest); place != NULL; place = strtok_r(NULL, "\n", &rest)) {
			char *path = path_join(top, place);

			run_all(program, path, tally);
			free(path);
		}
	buf_done(&more);
	free(list);
	free(own);
}

int main(int argc, char *argv[])
{
	struct tally tally = { 0, 0 };

	trial = mmap(NULL, sizeof(*trial), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	PROMISED(trial != MAP_FAILED);
	if (argc == 1)
		run_corpus(argv[0], &tally);
	for (int i = 1; i < argc; i++)
		run_all(argv[0], argv[i], &tally);
	printf("%u files, %llu executions, %u failures\n", tally.files, (unsigned long long)trial->count,
	       tally.failures);
	return tally.files == 0 || tally.failures > 0;
}
