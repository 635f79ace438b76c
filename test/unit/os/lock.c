/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>

#include "os/file.h"
#include "os/lock.h"
#include "test/unit/os/scratch.h"

static void a_lock_held_by_another_descriptor_is_refused(void **state)
{
	int first = os_lock("lock"), second;

	(void)state;
	assert_true(first >= 0);
	assert_int_equal(os_lock("lock"), -1);
	assert_int_equal(errno, EWOULDBLOCK);
	os_close(first);
	second = os_lock("lock");
	assert_true(second >= 0);
	os_close(second);
	assert_int_equal(access("lock", F_OK), 0);
}

static void a_lock_held_by_another_process_is_refused_until_it_dies(void **state)
{
	int ready[2], fd;
	pid_t child;
	char byte;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		if (os_lock("lock") < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(os_lock("lock"), -1);
	assert_int_equal(errno, EWOULDBLOCK);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	fd = os_lock("lock");
	assert_true(fd >= 0);
	os_close(fd);
	os_close(ready[0]);
	os_close(ready[1]);
}

static void the_lock_file_is_private_and_keeps_its_content(void **state)
{
	struct stat st;
	int fd = os_lock("lock");

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	os_close(fd);
	make_file("other", "content");
	fd = os_lock("other");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 7);
	os_close(fd);
}

static void a_lock_file_that_may_not_be_written_serves_too(void **state)
{
	int first, status;
	pid_t child;

	(void)state;
	make_file("lock", "");
	assert_int_equal(chmod("lock", 0444), 0);
	assert_int_equal(chmod(".", 0755), 0);
	first = os_lock("lock");
	assert_true(first >= 0);
	child = fork();
	if (child == 0) {
		if (geteuid() == 0 && seteuid(65534) < 0)
			_exit(2);
		_exit(os_lock("lock") < 0 && errno == EWOULDBLOCK ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	os_close(first);
}

static void a_lock_in_no_directory_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(os_lock("missing/lock"), -1);
	assert_int_equal(errno, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(a_lock_held_by_another_descriptor_is_refused),
		in_scratch(a_lock_held_by_another_process_is_refused_until_it_dies),
		in_scratch(the_lock_file_is_private_and_keeps_its_content),
		in_scratch(a_lock_file_that_may_not_be_written_serves_too),
		in_scratch(a_lock_in_no_directory_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
