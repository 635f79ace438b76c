/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A smartctl of our own in PATH. It notes how it was called in "calls", prints the file "NODE.json" and ends
 * with the status in "NODE.status" (NODE: last part of its last argument; 0 if there is no such file). */
#ifndef UNIT_DEVICE_FAKE_H
#define UNIT_DEVICE_FAKE_H

#include "base/mem.h"
#include "device/smart.h"
#include "os/file.h"
#include "test/unit/os/scratch.h"

static char *path_before;

static inline void fake_smartctl(const char *script)
{
	char *text = mem_printf("#!/bin/sh\ncd '%s'\n%s\n", scratch_path, script);
	char *path = mem_printf("%s:%s", scratch_path, getenv("PATH"));

	make_file("smartctl", text);
	assert_int_equal(chmod("smartctl", 0755), 0);
	path_before = mem_strdup(getenv("PATH"));
	setenv("PATH", path, 1);
	free(path);
	free(text);
}

#define ANSWERS                                                                                                    \
	"echo \"$*\" >> calls\nfor last; do :; done\nnode=${last##*/}\n[ ! -e \"$node.json\" ] || cat \"$node.json\"\n" \
	"[ ! -e \"$node.status\" ] || exit \"$(cat \"$node.status\")\""

static inline void fake_done(void)
{
	setenv("PATH", path_before, 1);
	free(path_before);
}

/* What the recorded disk `name` of test/smart said, and with what status. */
static inline void read_recorded(struct smart *smart, const char *name, int status)
{
	struct smartctl_reply reply = { .result = { PROC_EXITED, status } };
	const char *source = getenv("srcdir");
	char *path = mem_printf("%s/test/smart/%s.json", source != NULL ? source : ".", name);

	assert_int_equal(os_read_file(path, 1 << 20, &reply.out), 0);
	smart_read(smart, &reply);
	buf_done(&reply.out);
	free(path);
}

#endif
