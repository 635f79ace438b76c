/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/hardware.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "device/health.h"

static void log_text(const struct device *device, const char *name, const char *key, const char *value)
{
	if (*value != '\0')
		report(EV_ATTR_TEXT, device->path, name, key, value);
}

static void log_number(const struct device *device, const char *name, const char *key, uint64_t value)
{
	if (value != SMART_UNKNOWN)
		report(EV_ATTR_NUMBER, device->path, name, key, value);
}

static void log_attribute(const struct device *device, const char *name, unsigned id,
			  const struct smart_attribute *attribute)
{
	char hexadecimal[24];

	snprintf(hexadecimal, sizeof(hexadecimal), "%" PRIx64, attribute->raw);
	report(EV_ATTR_SMART, device->path, name, id, attribute->raw, (const char *)hexadecimal, attribute->value,
	       attribute->worst, attribute->threshold, (const char *)attribute->name,
	       attribute->prefailure ? "Pre-fail" : "Old_age", attribute->online ? "Always" : "Offline",
	       (const char *)attribute->when_failed);
}

static void log_power(const struct device *device, const char *name, const struct smart *smart)
{
	if (smart->power != POWER_UNKNOWN)
		log_text(device, name, "power", smart->power == POWER_ACTIVE ? "active" : "standby");
}

static void log_use(const struct device *device, const char *name, const struct smart *smart,
		    const struct config *config)
{
	double rate = health_rate(smart, name, config);

	report(EV_DEVICE_INFO, device->path, name);
	log_text(device, name, "serial", smart->serial);
	log_text(device, name, "family", smart->family);
	log_text(device, name, "model", smart->model);
	log_text(device, name, "interface", smart->interface);
	log_number(device, name, "size", smart->size_bytes);
	log_number(device, name, "rotationrate", smart->rotation);
	report(EV_DEVICE_SMART, device->path, name);
	log_number(device, name, "error_protocol", smart->error_protocol);
	log_number(device, name, "error_medium", smart->error_medium);
	log_number(device, name, "wear_level", smart->wear);
	if (smart->flags != 0) {
		char hexadecimal[16];

		snprintf(hexadecimal, sizeof(hexadecimal), "%x", (unsigned)smart->flags);
		report(EV_ATTR_FLAGS, device->path, name, smart->flags, (const char *)hexadecimal);
	}
	if (rate >= 0)
		report(EV_ATTR_AFR, device->path, name, rate, health_chance(rate));
	for (unsigned id = 0; id < SMART_IDS; ++id)
		if (smart->attribute[id].known)
			log_attribute(device, name, id, &smart->attribute[id]);
	log_number(device, name, "temperature", smart->temperature);
	log_power(device, name, smart);
}

/* smartctl begins its messages with the node, as the event does. */
static const char *without_path(const char *problem, const char *path)
{
	size_t length = strlen(path);

	return strncmp(problem, path, length) == 0 && strncmp(problem + length, ": ", 2) == 0 ? problem + length + 2
												: problem;
}

static void tell_silent(struct hardware *hardware, bool force)
{
	for (unsigned d = 0; d < hardware->set.device_count; ++d) {
		const struct device *device = &hardware->set.device[d];
		const char *problem = hardware->smart[d].problem;

		if (*problem == '\0')
			continue;
		hardware->silent += !force;
		report(EV_DEVICE_NO_ANSWER, device->name, device->path, without_path(problem, device->path));
		if (strstr(problem, "USB bridge") != NULL || strstr(problem, "device type") != NULL)
			report(EV_DEVICE_TYPE_HINT, device->name);
	}
}

int hardware_ask(struct hardware *hardware, const struct session *session, enum smartctl_call call)
{
	struct device_set *set = &hardware->set;
	struct smartctl_reply *reply;

	hardware->smart = NULL;
	if (device_find(set, session->config, session->options) < 0)
		return -1;
	hardware->silent = set->unreachable;
	hardware->smart = mem_zalloc(sizeof(*hardware->smart) * (set->device_count + 1));
	reply = mem_zalloc(sizeof(*reply) * (set->device_count + 1));
	smart_ask(set, call, 0, hardware->smart, reply);
	for (unsigned d = 0; d < set->device_count; ++d) {
		smartctl_log(&set->device[d], set->device[d].name, &reply[d]);
		smartctl_reply_done(&reply[d]);
	}
	free(reply);
	for (unsigned u = 0; u < set->use_count; ++u)
		log_use(&set->device[set->use[u].device], set->use[u].name, &hardware->smart[set->use[u].device],
			session->config);
	tell_silent(hardware, session->options->force_device);
	return 0;
}

void hardware_done(struct hardware *hardware)
{
	free(hardware->smart);
	device_set_done(&hardware->set);
}
