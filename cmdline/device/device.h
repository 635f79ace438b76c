/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disks of the array as hardware.
 *
 * A device is one physical disk. A use is a disk of the configuration on one of its devices: a data disk on
 * RAID has several, two partitions of one disk are two uses of one. Uses are in the order of the
 * configuration: data, parity, extra. Nothing here wakes a disk. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "config/config.h"
#include "config/options.h"

enum device_role { DEVICE_DATA, DEVICE_PARITY, DEVICE_EXTRA };

struct device {
	uint64_t number;	/* dev_t */
	char *path;		/* "/dev/sda" */
	bool rotational;
	enum device_role role;	/* of its first use */
	const char *name;	/* likewise */
	const char *smartctl;	/* options of the configuration for it; NULL: none */
	bool fake;		/* --test-fake-device: made up, and so is what it answers */
	bool wanted;		/* by -d */
};

struct device_use {
	const char *name;	/* of the disk or parity level */
	const char *dir;	/* on it */
	unsigned device;	/* index into the devices */
	uint64_t mount_number;	/* of what is mounted: a partition, a logical volume */
	char *mount_path;
};

struct device_set {
	struct device *device;
	unsigned device_count;
	struct device_use *use;
	unsigned use_count;
	unsigned unreachable;	/* disks of the configuration with no device; each was told */
	size_t device_room, use_room;
};

/* Find the devices of all disks, mark those that -d wants, and tell of each disk that has none: as an error,
 * or, with -D, for the log only, and uncounted. -1: a pattern of -d matches no disk; said. The strings of
 * `config` must outlive the set. */
int device_find(struct device_set *set, const struct config *config, const struct options *options);
void device_set_done(struct device_set *set);

/* Call `work` for each device in a thread of its own, and wait for all of them. */
void device_each(const struct device_set *set, void (*work)(unsigned device, void *argument), void *argument);

#endif
