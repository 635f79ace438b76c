/* SPDX-License-Identifier: GPL-3.0-or-later */
/* up, down: wake the disks, put them to sleep. */
#include "command/command.h"

#include <stdlib.h>

#include "base/mem.h"
#include "device/spin.h"

struct way {
	void (*spin)(const struct device_set *set, struct spin *spin);
	enum event begin, done, failed;
};

/* `is_chosen`: by -d. Returns how many devices did not do it. */
static unsigned show(const struct device_set *set, struct spin *spin, const struct way *way, bool is_chosen)
{
	unsigned failed = 0, tried = 0;

	for (unsigned d = 0; d < set->device_count; ++d) {
		const struct device *device = &set->device[d];

		if (spin[d].reply.command != NULL)
			smartctl_log(device, device->name, &spin[d].reply);
		if (spin[d].tried && *spin[d].problem == '\0')
			report(way->done, device->path, device->name, spin[d].ms);
		else if (spin[d].tried)
			report(way->failed, device->path, device->name, (const char *)spin[d].problem);
		else if (device->wanted && device->role == DEVICE_EXTRA && is_chosen && way->spin == spin_down)
			report(EV_SPIN_EXTRA, device->path, device->name);
		failed += *spin[d].problem != '\0';
		tried += spin[d].tried;
		smartctl_reply_done(&spin[d].reply);
	}
	if (tried == 0)
		report(EV_SPIN_NONE);
	return failed;
}

static int run(const struct session *session, const struct way *way)
{
	struct device_set set;
	struct spin *spin = NULL;
	int status = 1;

	if (device_find(&set, session->config, session->options) == 0) {
		report(way->begin);
		spin = mem_zalloc(sizeof(*spin) * (set.device_count + 1));
		way->spin(&set, spin);
		status = show(&set, spin, way, session->options->filter_disk.count > 0) > 0 && !session->options->force_device;
		status |= set.unreachable > 0;
	}
	free(spin);
	device_set_done(&set);
	return status;
}

int command_up(struct session *session)
{
	return run(session, &(struct way){ spin_up, EV_SPIN_UP_BEGIN, EV_SPIN_UP_DONE, EV_SPIN_UP_FAILED });
}

int command_down(struct session *session)
{
	return run(session, &(struct way){ spin_down, EV_SPIN_DOWN_BEGIN, EV_SPIN_DOWN_DONE, EV_SPIN_DOWN_FAILED });
}
