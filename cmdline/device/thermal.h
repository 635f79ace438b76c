/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temp_limit and temp_sleep: work pauses while a disk is too hot.
 *
 * A thread of its own asks the disks for their temperature, so that whoever works only looks at a flag:
 * thermal_is_hot costs nothing. Disks that sleep are not woken for it. */
#ifndef DEVICE_THERMAL_H
#define DEVICE_THERMAL_H

#include "device/device.h"

struct thermal;

struct thermal_times {
	unsigned measure_ms;	/* from one measurement to the next */
	unsigned again_ms;	/* in a pause: until disks that woke are put to sleep again */
	unsigned pause_ms;
};

/* NULL: no limit is configured, or no disk tells its temperature. `times` NULL: those of the configuration, and
 * 30 seconds. `config` must outlive it. */
struct thermal *thermal_start(const struct config *config, const struct options *options,
			      const struct thermal_times *times);
void thermal_stop(struct thermal *thermal);	/* NULL is fine, here and below */

/* A disk was over the limit at the last measurement. */
bool thermal_is_hot(struct thermal *thermal);
/* The hottest disk at the last measurement, in degrees; 0: unknown. */
unsigned thermal_now(struct thermal *thermal);
/* Where that is going to come to rest, as far as can be told; 0: unknown. */
unsigned thermal_steady(struct thermal *thermal);
/* To be called with nothing left to write: spin down, wait, spin up. A signal to stop ends it early. */
void thermal_pause(struct thermal *thermal);

#endif
