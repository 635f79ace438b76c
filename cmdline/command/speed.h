/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef COMMAND_SPEED_H
#define COMMAND_SPEED_H

#include "config/options.h"

/* -T: needs no session. The exit status. */
int command_speed(const struct options *options);

/* --raid-kernel and --hash-kernel, before anything is computed. -1: refused; said. */
int kernels_force(const struct options *options);

#endif
