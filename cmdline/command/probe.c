/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe: which disks are awake. It wakes none. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "command/hardware.h"
#include "os/clock.h"

static const char *state_name(enum power power)
{
	switch (power) {
	case POWER_STANDBY:
		return "StandBy";
	case POWER_ACTIVE:
		return "Active";
	case POWER_UNKNOWN:
		break;
	}
	return "Unknown";
}

static void show(const struct hardware *hardware)
{
	const struct device_set *set = &hardware->set;
	size_t width = strlen("Device");
	char *cell;

	for (unsigned d = 0; d < set->device_count; ++d)
		if (strlen(set->device[d].path) > width)
			width = strlen(set->device[d].path);
	cell = mem_printf("%-*s", (int)width, "Device");
	report(EV_PROBE_HEAD, cell);
	free(cell);
	for (unsigned u = 0; u < set->use_count; ++u) {
		const struct device *device = &set->device[set->use[u].device];
		enum power power = hardware->smart[set->use[u].device].power;

		cell = mem_printf("%-*s", (int)width, device->path);
		report(EV_PROBE_ROW, state_name(power), cell, set->use[u].name, device->path, (int)power);
		free(cell);
	}
}

int command_probe(struct session *session)
{
	struct hardware hardware;
	int status = 1;

	report(EV_PROBE_TIME, os_wall_seconds());
	if (hardware_ask(&hardware, session, SMARTCTL_INFO) == 0) {
		show(&hardware);
		status = hardware.silent > 0;
	}
	hardware_done(&hardware);
	return status;
}
