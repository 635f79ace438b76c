/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/clock.h"
#include "os/proc.h"
#include "os/thread.h"
#include "test/unit/os/scratch.h"

static const struct os_proc_limit enough = { .time_ms = 20000, .output_bytes = 1 << 20 };

static struct os_proc_result shell(const char *script, const struct os_proc_limit *limit, struct buf *out)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };

	return os_run(argv, limit, out);
}

static void output_and_exit_status_come_back(void **state)
{
	struct buf out = { 0 };
	struct os_proc_result result;

	(void)state;
	buf_str(&out, "before ");
	result = shell("echo said; echo hidden >&2; exit 7", &enough, &out);
	assert_int_equal(result.end, PROC_EXITED);
	assert_int_equal(result.status, 7);
	assert_string_equal(out.data, "before said\n");
	buf_done(&out);
}

static void arguments_are_not_read_by_a_shell(void **state)
{
	const char *const argv[] = { "printf", "%s|", "a b", "$(touch made)", "*", NULL };
	struct buf out = { 0 };

	(void)state;
	assert_int_equal(os_run(argv, &enough, &out).end, PROC_EXITED);
	assert_string_equal(out.data, "a b|$(touch made)|*|");
	assert_int_equal(access("made", F_OK), -1);
	buf_done(&out);
}

static void stdin_is_empty(void **state)
{
	struct buf out = { 0 };

	(void)state;
	assert_int_equal(shell("cat; echo end", &enough, &out).status, 0);
	assert_string_equal(out.data, "end\n");
	buf_done(&out);
}

/* Where vfork is a fork, as in qemu, the parent is not told that an exec has failed. */
static bool spawn_tells(const char *const *argv)
{
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, (char *const *)argv, environ) != 0)
		return true;
	waitpid(pid, NULL, 0);
	return false;
}

static void a_program_that_is_not_there_is_told(void **state)
{
	const char *const argv[] = { "no-such-helper", NULL };
	struct buf out = { 0 };
	struct os_proc_result result;

	(void)state;
	if (!spawn_tells(argv))
		skip();
	result = os_run(argv, &enough, &out);
	assert_int_equal(result.end, PROC_NOT_STARTED);
	assert_int_equal(result.status, ENOENT);
	assert_int_equal(out.size, 0);
}

static void a_name_is_looked_for_in_path_first(void **state)
{
	char *path = strdup(getenv("PATH"));
	const char *const argv[] = { "helper", NULL };
	struct buf out = { 0 };

	(void)state;
	make_file("helper", "#!/bin/sh\necho ours\n");
	assert_int_equal(chmod("helper", 0755), 0);
	setenv("PATH", scratch_path, 1);
	assert_int_equal(os_run(argv, &enough, &out).end, PROC_EXITED);
	setenv("PATH", path, 1);
	assert_string_equal(out.data, "ours\n");
	buf_done(&out);
	free(path);
}

static void a_helper_that_hangs_is_killed_with_what_it_started(void **state)
{
	const struct os_proc_limit limit = { .time_ms = 300, .output_bytes = 1000 };
	uint64_t begin = os_monotonic_ms();
	struct buf out = { 0 };
	struct os_proc_result result;

	(void)state;
	result = shell("echo $$; sleep 60 & echo $!; sleep 60", &limit, &out);
	assert_int_equal(result.end, PROC_TIMED_OUT);
	assert_true(os_monotonic_ms() - begin < 5000);
	for (char *word = strtok(out.data, "\n"); word != NULL; word = strtok(NULL, "\n")) {
		char stat[64] = "", path[64];
		FILE *file;

		/* Its parent is gone: it may stay a zombie until the first process reaps it. */
		os_sleep_ms(50);
		snprintf(path, sizeof(path), "/proc/%s/stat", word);
		file = fopen(path, "r");
		if (file != NULL) {
			assert_non_null(fgets(stat, sizeof(stat), file));
			fclose(file);
			assert_non_null(strstr(stat, ") Z"));
		}
	}
	buf_done(&out);
}

static void a_helper_that_closes_its_output_must_end_in_time_too(void **state)
{
	const struct os_proc_limit limit = { .time_ms = 300, .output_bytes = 1000 };
	struct buf out = { 0 };

	(void)state;
	assert_int_equal(shell("exec >&-; sleep 60", &limit, &out).end, PROC_TIMED_OUT);
	buf_done(&out);
}

static void a_flood_is_cut_at_the_limit(void **state)
{
	const struct os_proc_limit limit = { .time_ms = 20000, .output_bytes = 10000 };
	struct buf out = { 0 };

	(void)state;
	assert_int_equal(shell("while :; do echo 0123456789012345678901234567890; done", &limit, &out).end,
			 PROC_TOO_LONG);
	assert_true(out.size <= 10000);
	buf_clear(&out);
	assert_int_equal(shell("head -c 10000 /dev/zero", &limit, &out).end, PROC_EXITED);
	assert_int_equal(out.size, 10000);
	buf_done(&out);
}

static void a_signal_is_told(void **state)
{
	struct buf out = { 0 };
	struct os_proc_result result = shell("kill -SEGV $$", &enough, &out);

	(void)state;
	assert_int_equal(result.end, PROC_SIGNALED);
	assert_int_equal(result.status, SIGSEGV);
}

static void *run_in_thread(void *argument)
{
	struct buf out = { 0 };

	/* thread_start blocks the signals; the helper must not inherit that. */
	*(struct os_proc_result *)argument = shell("kill -TERM $$; sleep 20", &enough, &out);
	buf_done(&out);
	return NULL;
}

static void helpers_of_threads_take_signals_as_usual(void **state)
{
	struct os_proc_result result;
	thread_t thread;

	(void)state;
	signal(SIGTERM, SIG_IGN);
	thread_start(&thread, run_in_thread, &result);
	thread_join(thread);
	signal(SIGTERM, SIG_DFL);
	assert_int_equal(result.end, PROC_SIGNALED);
	assert_int_equal(result.status, SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_exit_status_come_back),
		in_scratch(arguments_are_not_read_by_a_shell),
		cmocka_unit_test(stdin_is_empty),
		cmocka_unit_test(a_program_that_is_not_there_is_told),
		in_scratch(a_name_is_looked_for_in_path_first),
		cmocka_unit_test(a_helper_that_hangs_is_killed_with_what_it_started),
		cmocka_unit_test(a_helper_that_closes_its_output_must_end_in_time_too),
		cmocka_unit_test(a_flood_is_cut_at_the_limit),
		cmocka_unit_test(a_signal_is_told),
		cmocka_unit_test(helpers_of_threads_take_signals_as_usual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
