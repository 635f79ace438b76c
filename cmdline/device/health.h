/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How likely a disk fails. The numbers, their source and their limits: doc/smart.md. Pure. */
#ifndef DEVICE_HEALTH_H
#define DEVICE_HEALTH_H

#include "config/config.h"
#include "device/smart.h"

/* Failures a year that the counters of the disk let expect, without those that a smartignore line for `name`
 * leaves out. Negative: no estimate, as for an SSD or a disk that tells none of the counters. */
double health_rate(const struct smart *smart, const char *name, const struct config *config);

/* The chance, 0 to 1, of one failure or more in a year at that rate. */
double health_chance(double rate);

/* The chance, 0 to 1, that within a year more than `levels` of `disks` disks are broken at once, if together
 * they have `rate` failures a year, and each is noticed and replaced within `days`. */
double health_loss(double rate, unsigned disks, unsigned levels, double days);

#endif
