/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/signal.h"

/* Run `body` in a child, as signals change a process for good. Returns its wait status. */
static int in_child(void (*body)(void))
{
	static const struct rlimit no_core = { 0, 0 };
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		setrlimit(RLIMIT_CORE, &no_core);
		body();
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* In a child a failed check is an exit status. */
static void check(bool holds)
{
	if (!holds)
		_exit(77);
}

static void raise_each_once(void)
{
	check(os_stop_signal() == 0);
	os_stop_install();
	check(os_stop_signal() == 0);
	raise(SIGTERM);
	check(os_stop_signal() == SIGTERM);
	raise(SIGINT);
	raise(SIGHUP);
	check(os_stop_signal() == SIGTERM);
}

static void touch_what_was_cut(void)
{
	char name[] = "/tmp/unit-signal.XXXXXX";
	int fd = mkstemp(name), out[2];
	volatile char *page;
	char said[8] = "";
	int status = -1;

	unlink(name);
	check(ftruncate(fd, 4096) == 0 && pipe(out) == 0 && dup2(out[1], STDERR_FILENO) >= 0);
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	check(page != MAP_FAILED && ftruncate(fd, 0) == 0);
	if (fork() == 0) {
		os_bus_error_install("words");
		_exit(page[0] + 5);
	}
	wait(&status);
	check(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	check(read(out[0], said, 5) == 5 && strcmp(said, "words") == 0);
}

static void a_mapped_file_that_cannot_be_read_ends_the_process_with_words(void **state)
{
	(void)state;
	assert_int_equal(in_child(touch_what_was_cut), 0);
}

static void one_of_each_sets_the_flag_and_the_first_is_kept(void **state)
{
	(void)state;
	assert_int_equal(in_child(raise_each_once), 0);
}

static void raise_the_same_twice(void)
{
	os_stop_install();
	raise(SIGINT);
	check(os_stop_signal() == SIGINT);
	raise(SIGINT);
}

static void a_second_of_the_same_kind_kills(void **state)
{
	int status = in_child(raise_the_same_twice);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
}

static void hang_up_under_nohup(void)
{
	signal(SIGHUP, SIG_IGN);
	os_stop_install();
	raise(SIGHUP);
	raise(SIGHUP);
	check(os_stop_signal() == 0);
}

static void an_ignored_hang_up_stays_ignored(void **state)
{
	(void)state;
	assert_int_equal(in_child(hang_up_under_nohup), 0);
}

static void sleep_until_alarm(void)
{
	pid_t parent = getpid();
	uint64_t start;

	os_stop_install();
	if (fork() == 0) {
		os_sleep_ms(50);
		kill(parent, SIGTERM);
		_exit(0);
	}
	start = os_monotonic_ms();
	os_sleep_ms(20000);
	check(os_stop_signal() == SIGTERM);
	check(os_monotonic_ms() - start < 10000);
}

static void a_stop_ends_a_sleep(void **state)
{
	(void)state;
	assert_int_equal(in_child(sleep_until_alarm), 0);
}

static void die_after_a_stop(void)
{
	sigset_t all;

	os_stop_install();
	raise(SIGTERM);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	os_die_by(SIGTERM);
}

static void dying_by_a_signal_shows_it_to_the_shell(void **state)
{
	int status = in_child(die_after_a_stop);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapped_file_that_cannot_be_read_ends_the_process_with_words),
		cmocka_unit_test(one_of_each_sets_the_flag_and_the_first_is_kept),
		cmocka_unit_test(a_second_of_the_same_kind_kills),
		cmocka_unit_test(an_ignored_hang_up_stays_ignored),
		cmocka_unit_test(a_stop_ends_a_sleep),
		cmocka_unit_test(dying_by_a_signal_shows_it_to_the_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
