/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/spin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "os/block.h"
#include "os/clock.h"
#include "os/file.h"

struct job {
	const struct device_set *set;
	struct spin *spin;
};

static void up(unsigned d, void *argument)
{
	const struct job *job = argument;
	const struct device *device = &job->set->device[d];
	struct spin *spin = &job->spin[d];
	uint64_t begin = os_monotonic_ms();

	*spin = (struct spin){ .tried = device->wanted && device->rotational };
	if (!spin->tried)
		return;
	if (!device->fake && os_block_touch(device->path) < 0)
		snprintf(spin->problem, sizeof(spin->problem), "%s", strerror(errno));
	spin->ms = (unsigned)(os_monotonic_ms() - begin);
}

/* Or the kernel would soon wake the disk for it. */
static void flush(const struct device_set *set, unsigned d)
{
	for (unsigned u = 0; u < set->use_count; ++u) {
		int fd = set->use[u].device == d ? os_open_read(set->use[u].dir) : -1;

		if (fd >= 0)
			os_sync_fs(fd);
		os_close(fd);
	}
}

/* Told to sleep, SCSI disks of smartctl 7.3 go on, and smartctl says nothing of it. */
static bool sleeps(const struct device *device, const struct smart *told)
{
	struct smartctl_reply reply;
	struct smart now;

	if (strcmp(told->interface, "SCSI") != 0)
		return true;
	smartctl_run(device, SMARTCTL_INFO, 0, &reply);
	smart_read(&now, &reply);
	smartctl_reply_done(&reply);
	return now.power == POWER_STANDBY;
}

static void down(unsigned d, void *argument)
{
	const struct job *job = argument;
	const struct device *device = &job->set->device[d];
	struct spin *spin = &job->spin[d];
	uint64_t begin = os_monotonic_ms();
	struct smart smart;

	*spin = (struct spin){ .tried = device->wanted && device->rotational && device->role != DEVICE_EXTRA };
	if (!spin->tried)
		return;
	if (!device->fake)
		flush(job->set, d);
	smartctl_run(device, SMARTCTL_SLEEP, 0, &spin->reply);
	smart_read(&smart, &spin->reply);
	if (*smart.problem == '\0' && smart.power != POWER_STANDBY &&
	    ((smart.flags & SMARTCTL_COMMAND) != 0 || !sleeps(device, &smart)))
		snprintf(smart.problem, sizeof(smart.problem), "it does not take the command");
	snprintf(spin->problem, sizeof(spin->problem), "%s", smart.problem);
	spin->ms = (unsigned)(os_monotonic_ms() - begin);
}

void spin_up(const struct device_set *set, struct spin *spin)
{
	struct job job = { set, spin };

	device_each(set, up, &job);
}

void spin_down(const struct device_set *set, struct spin *spin)
{
	struct job job = { set, spin };

	device_each(set, down, &job);
}
