/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/same.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "os/file.h"

bool same_data(int root_fd, const char *a, const char *b)
{
	const size_t room = 1 << 16;
	int fd[2] = { os_open_beneath(root_fd, a, O_RDONLY, 0), os_open_beneath(root_fd, b, O_RDONLY, 0) };
	char *piece[2] = { mem_alloc(room), mem_alloc(room) };
	bool same = fd[0] >= 0 && fd[1] >= 0;
	ssize_t got = 1;

	for (uint64_t at = 0; same && got > 0; at += (uint64_t)got) {
		got = os_pread_all(fd[0], piece[0], room, at);
		same = got >= 0 && os_pread_all(fd[1], piece[1], room, at) == got &&
		       memcmp(piece[0], piece[1], (size_t)got) == 0;
	}
	for (unsigned i = 0; i < 2; i++) {
		free(piece[i]);
		os_close(fd[i]);
	}
	return same;
}
