/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/term.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void os_streams_secure(void)
{
	/* The lowest free number is taken: from 0 on, each that was closed. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			_exit(1);
	signal(SIGPIPE, SIG_IGN);
}

bool os_is_terminal(int fd)
{
	return isatty(fd) == 1;
}

unsigned os_terminal_width(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

unsigned os_terminal_height(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_row == 0)
		return 24;
	return size.ws_row;
}

bool os_terminal_is_capable(void)
{
	const char *kind = getenv("TERM");

	return kind != NULL && *kind != '\0' && strcmp(kind, "dumb") != 0;
}
