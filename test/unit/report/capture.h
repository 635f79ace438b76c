/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the process writes to its stdout and stderr, for a while: to files, or to a terminal. */
#ifndef TEST_CAPTURE_H
#define TEST_CAPTURE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

struct capture {
	int saved[2];
	int from[2];		/* where the text is read back */
	char text[2][65536];	/* stdout, stderr; filled at the end */
};

static inline void capture_begin(struct capture *capture, bool terminal)
{
	fflush(stdout);
	fflush(stderr);
	for (int i = 0; i < 2; ++i) {
		char name[] = "/tmp/capture-XXXXXX";
		int to;

		if (terminal) {
			struct termios mode;

			capture->from[i] = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
			grantpt(capture->from[i]);
			unlockpt(capture->from[i]);
			to = open(ptsname(capture->from[i]), O_RDWR | O_NOCTTY);
			tcgetattr(to, &mode);
			cfmakeraw(&mode);
			tcsetattr(to, TCSANOW, &mode);
		} else {
			to = mkstemp(name);
			capture->from[i] = open(name, O_RDONLY);
			unlink(name);
		}
		capture->saved[i] = dup(i + 1);
		dup2(to, i + 1);
		close(to);
	}
}

static inline void capture_end(struct capture *capture)
{
	fflush(stdout);
	fflush(stderr);
	for (int i = 0; i < 2; ++i) {
		size_t size = 0;
		ssize_t count;

		while ((count = read(capture->from[i], capture->text[i] + size,
				     sizeof capture->text[i] - 1 - size)) > 0)
			size += (size_t)count;
		capture->text[i][size] = '\0';
		close(capture->from[i]);
		dup2(capture->saved[i], i + 1);
		close(capture->saved[i]);
	}
}

#endif
