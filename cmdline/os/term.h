/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef OS_TERM_H
#define OS_TERM_H

#include "base/types.h"

bool os_is_terminal(int fd);
unsigned os_terminal_width(int fd);	/* 80 if unknown */

#endif
