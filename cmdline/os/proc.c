/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "os/clock.h"
#include "os/file.h"

#define KILL_WAIT_MS	1000	/* a killed process that is not gone by then waits in the kernel */

extern char **environ;

/* argv[0] is run as `program`. 0 or an errno. */
static int spawn(pid_t *pid, const char *program, const char *const argv[], int output_fd)
{
	static const int defaults[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t set;
	int rc;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, output_fd, STDOUT_FILENO);

	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&attributes, 0);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(&attributes, &set);
	for (unsigned i = 0; i < sizeof(defaults) / sizeof(defaults[0]); ++i)
		sigaddset(&set, defaults[i]);
	posix_spawnattr_setsigdefault(&attributes, &set);

	rc = posix_spawnp(pid, program, &files, &attributes, (char *const *)(uintptr_t)argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

static int find_and_spawn(pid_t *pid, const char *const argv[], int output_fd)
{
	static const char *const more[] = { "/usr/local/sbin", "/usr/sbin", "/sbin" };
	int rc = spawn(pid, argv[0], argv, output_fd);

	if (strchr(argv[0], '/') != NULL)
		return rc;
	for (unsigned i = 0; i < sizeof(more) / sizeof(more[0]) && rc == ENOENT; ++i) {
		char *program = path_join(more[i], argv[0]);

		rc = spawn(pid, program, argv, output_fd);
		free(program);
	}
	return rc;
}

/* PROC_EXITED: it has closed its output. */
static enum os_proc_end read_output(int fd, uint64_t deadline, size_t limit, struct buf *out)
{
	size_t end = out->size + limit;
	char data[4096];

	for (;;) {
		struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
		uint64_t now = os_monotonic_ms();
		ssize_t got;

		if (now >= deadline)
			return PROC_TIMED_OUT;
		if (poll(&poll_fd, 1, (int)(deadline - now)) <= 0)
			continue;	/* time is over, or a signal came */
		got = read(fd, data, sizeof(data));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return PROC_EXITED;
		if ((size_t)got > end - out->size)
			return PROC_TOO_LONG;
		buf_add(out, data, (size_t)got);
	}
}

/* Has it ended before the deadline? */
static bool wait_until(pid_t pid, uint64_t deadline, int *status)
{
	for (;;) {
		pid_t ended = waitpid(pid, status, WNOHANG);

		if (ended == pid || (ended < 0 && errno != EINTR))
			return true;
		if (os_monotonic_ms() >= deadline)
			return false;
		os_sleep_ms(2);
	}
}

struct os_proc_result os_run(const char *const argv[], const struct os_proc_limit *limit, struct buf *out)
{
	uint64_t deadline = os_monotonic_ms() + limit->time_ms;
	struct os_proc_result result = { PROC_NOT_STARTED, 0 };
	int pipe_fd[2], status = 0, rc;
	enum os_proc_end end;
	pid_t pid;

	if (pipe2(pipe_fd, O_CLOEXEC) < 0) {
		result.status = errno;
		return result;
	}
	rc = find_and_spawn(&pid, argv, pipe_fd[1]);
	os_close(pipe_fd[1]);
	if (rc != 0) {
		os_close(pipe_fd[0]);
		result.status = rc;
		return result;
	}

	end = read_output(pipe_fd[0], deadline, limit->output_bytes, out);
	os_close(pipe_fd[0]);
	if (end == PROC_EXITED && !wait_until(pid, deadline, &status))
		end = PROC_TIMED_OUT;
	if (end != PROC_EXITED) {
		kill(-pid, SIGKILL);
		wait_until(pid, os_monotonic_ms() + KILL_WAIT_MS, &status);
		return (struct os_proc_result){ end, 0 };
	}
	if (WIFSIGNALED(status))
		return (struct os_proc_result){ PROC_SIGNALED, WTERMSIG(status) };
	return (struct os_proc_result){ PROC_EXITED, WEXITSTATUS(status) };
}
