/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stop flag: SIGINT, SIGTERM and SIGHUP ask a running job to finish its stripe and save. And how to end by one. */
#ifndef OS_SIGNAL_H
#define OS_SIGNAL_H

#include "base/types.h"

/* From now on the signals set the flag instead of killing. A second one of the same kind kills. */
void os_stop_install(void);
int os_stop_signal(void);	/* the signal that was received, 0 if none. Any thread. */
/* A page of a mapped file that cannot be read any more, as its disk failed or somebody cut the file, raises SIGBUS. From
 * now on the process then says these words on stderr and ends with status 1, at once. `words` must stay. */
void os_bus_error_install(const char *words);
void os_die_by(int signal);	/* restore the default action and raise it: the shell sees 128 + signal */

#endif
