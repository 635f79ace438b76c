/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/term.h"

#include <sys/ioctl.h>
#include <unistd.h>

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
