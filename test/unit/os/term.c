/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "os/term.h"

static void a_file_is_no_terminal_and_80_wide(void **state)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)state;
	assert_false(os_is_terminal(fd));
	assert_int_equal(os_terminal_width(fd), 80);
	assert_false(os_is_terminal(-1));
	assert_int_equal(os_terminal_width(-1), 80);
	close(fd);
}

static void a_terminal_tells_its_width(void **state)
{
	struct winsize size = { .ws_row = 24, .ws_col = 132 };
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	(void)state;
	if (fd < 0 || ioctl(fd, TIOCSWINSZ, &size) < 0)
		skip();
	assert_true(os_is_terminal(fd));
	assert_int_equal(os_terminal_width(fd), 132);
	size.ws_col = 0;
	ioctl(fd, TIOCSWINSZ, &size);
	assert_int_equal(os_terminal_width(fd), 80);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_no_terminal_and_80_wide),
		cmocka_unit_test(a_terminal_tells_its_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
