/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chosen kernels, for the operations themselves. Inside raid/ only. */
#ifndef RAID_CHOOSE_H
#define RAID_CHOOSE_H

#include "raid/kernel.h"
#include "raid/select.h"

/* The first call chooses; safe from any thread. */
const struct raid_kernel *raid_kernel(enum raid_operation operation);

#endif
