/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helper programs, run without a shell.
 *
 * A helper cannot hang us nor fill our memory: past its time or output it is killed, with all it started. It
 * has a process group of its own, so that ^C at the terminal is for us alone; stdin and stderr are /dev/null.
 * Thread safe. */
#ifndef OS_PROC_H
#define OS_PROC_H

#include "base/buf.h"

struct os_proc_limit {
	unsigned time_ms;
	size_t output_bytes;
};

enum os_proc_end {
	PROC_EXITED,		/* status: its exit status */
	PROC_SIGNALED,		/* status: the signal */
	PROC_TIMED_OUT,		/* killed, or even beyond that: it may wait for a device for ever */
	PROC_TOO_LONG,		/* killed: it printed more than is allowed */
	PROC_NOT_STARTED,	/* status: errno */
};

struct os_proc_result {
	enum os_proc_end end;
	int status;
};

/* Run argv[0] with argv, NULL at the end, and add what it prints on stdout to `out`, also when it does not end
 * well. A name without slash is looked for in PATH, then in the sbin directories, which the PATH of a plain
 * user often lacks. */
struct os_proc_result os_run(const char *const argv[], const struct os_proc_limit *limit, struct buf *out);

#endif
