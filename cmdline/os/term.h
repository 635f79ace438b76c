/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef OS_TERM_H
#define OS_TERM_H

#include "base/types.h"

/* First of all: a stream that was closed gets a descriptor on which writing fails. Else the next file that is opened has
 * its number, and what is told would be written into it. A reader of stdout that goes away is an error like others. */
void os_streams_secure(void);
bool os_is_terminal(int fd);
unsigned os_terminal_width(int fd);	/* 80 if unknown */
unsigned os_terminal_height(int fd);	/* 24 if unknown */
/* Moves the cursor up and erases when told to: nearly all but TERM=dumb, and a TERM that is not set. */
bool os_terminal_is_capable(void);

#endif
