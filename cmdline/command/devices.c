/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices: on which disks, as hardware, each disk of the array lies. */
#include "command/command.h"

#include <sys/sysmacros.h>

#include "device/device.h"

int command_devices(struct session *session)
{
	struct device_set set;
	int status = 1;

	if (device_find(&set, session->config, session->options) == 0)
		status = set.unreachable > 0;
	for (unsigned u = 0; u < set.use_count; ++u) {
		const struct device_use *use = &set.use[u];
		const struct device *device = &set.device[use->device];

		report(EV_DEVICES_ROW, major(device->number), minor(device->number), device->path,
		       major(use->mount_number), minor(use->mount_number), use->mount_path, use->name);
	}
	device_set_done(&set);
	return status;
}
