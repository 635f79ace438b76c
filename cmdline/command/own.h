/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that are the array: what writes by a name of the user asks first whether it would destroy one. */
#ifndef COMMAND_OWN_H
#define COMMAND_OWN_H

#include <sys/stat.h>

#include "config/config.h"

/* What the file is to the array: "content", "parity", "2-parity", "configuration", ...; NULL: nothing. */
const char *own_file(const struct config *config, const struct stat *st);

#endif
