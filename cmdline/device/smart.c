/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/smart.h"

#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Attributes of ATA with a meaning here. */
enum {
	ID_POWER_ON = 9,
	ID_WEAR_LEVELING = 177,
	ID_AIRFLOW_TEMPERATURE = 190,
	ID_TEMPERATURE = 194,
	ID_LIFE_REMAINING = 202,
	ID_LIFE_LEFT = 231,
	ID_MEDIA_WEAROUT = 233,
};

#define TEMPERATURE_MAX	100	/* degrees; beyond it is no temperature */

/* A value inside nested objects, NULL if it is not there: get(json, "smartctl", "exit_status", NULL). */
static json_object *get(json_object *json, ...)
{
	va_list keys;
	const char *key;

	va_start(keys, json);
	while (json != NULL && (key = va_arg(keys, const char *)) != NULL)
		if (!json_object_is_type(json, json_type_object) || !json_object_object_get_ex(json, key, &json))
			json = NULL;
	va_end(keys);
	return json;
}

static uint64_t number_of(json_object *json)
{
	int64_t value;

	if (!json_object_is_type(json, json_type_int))
		return SMART_UNKNOWN;
	value = json_object_get_int64(json);
	return value < 0 ? SMART_UNKNOWN : (uint64_t)value;
}

/* A string, with the first of `json` that there is. Control bytes may come from a disk: they become blanks. */
static void copy_text(char *to, size_t size, json_object *json)
{
	if (*to != '\0' || !json_object_is_type(json, json_type_string))
		return;
	snprintf(to, size, "%s", json_object_get_string(json));
	for (; *to != '\0'; ++to)
		if ((unsigned char)*to < 0x20 || *to == 0x7f)
			*to = ' ';
}

static void keep_first(uint64_t *to, uint64_t value)
{
	if (*to == SMART_UNKNOWN)
		*to = value;
}

static void add_to(uint64_t *sum, uint64_t value)
{
	if (value != SMART_UNKNOWN)
		*sum = *sum == SMART_UNKNOWN ? value : *sum + value;
}

static void read_identity(struct smart *smart, json_object *json)
{
	copy_text(smart->serial, SMART_TEXT, get(json, "serial_number", NULL));
	copy_text(smart->model, SMART_TEXT, get(json, "model_name", NULL));
	copy_text(smart->model, SMART_TEXT, get(json, "scsi_model_name", NULL));
	copy_text(smart->family, SMART_TEXT, get(json, "model_family", NULL));
	copy_text(smart->interface, SMART_TEXT, get(json, "device", "protocol", NULL));
	smart->size_bytes = number_of(get(json, "user_capacity", "bytes", NULL));
	keep_first(&smart->size_bytes, number_of(get(json, "nvme_total_capacity", NULL)));
	smart->rotation = number_of(get(json, "rotation_rate", NULL));
	if (strcmp(smart->interface, "NVMe") == 0)
		smart->rotation = 0;
}

static void read_attribute(struct smart *smart, json_object *row)
{
	uint64_t id = number_of(get(row, "id", NULL)), raw = number_of(get(row, "raw", "value", NULL));
	struct smart_attribute *attribute;

	if (id == SMART_UNKNOWN || id >= SMART_IDS || raw == SMART_UNKNOWN)
		return;
	attribute = &smart->attribute[id];
	*attribute = (struct smart_attribute){
		.known = true,
		.raw = raw,
		.value = (unsigned)json_object_get_int(get(row, "value", NULL)),
		.worst = (unsigned)json_object_get_int(get(row, "worst", NULL)),
		.threshold = (unsigned)json_object_get_int(get(row, "thresh", NULL)),
		.prefailure = json_object_get_boolean(get(row, "flags", "prefailure", NULL)),
		.online = json_object_get_boolean(get(row, "flags", "updated_online", NULL)),
	};
	copy_text(attribute->name, SMART_TEXT, get(row, "name", NULL));
	copy_text(attribute->when_failed, SMART_TEXT, get(row, "when_failed", NULL));
}

static void read_ata(struct smart *smart, json_object *json)
{
	json_object *table = get(json, "ata_smart_attributes", "table", NULL);

	if (json_object_is_type(table, json_type_array))
		for (size_t i = 0; i < json_object_array_length(table); ++i)
			read_attribute(smart, json_object_array_get_idx(table, i));
	add_to(&smart->error_protocol, number_of(get(json, "ata_smart_error_log", "summary", "count", NULL)));
	if (smart->error_protocol == SMART_UNKNOWN)
		add_to(&smart->error_protocol, number_of(get(json, "ata_smart_error_log", "extended", "count", NULL)));
}

static void read_scsi(struct smart *smart, json_object *json)
{
	static const char *const kinds[] = { "read", "write", "verify" };

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i)
		add_to(&smart->error_medium, number_of(get(json, "scsi_error_counter_log", kinds[i],
							   "total_uncorrected_errors", NULL)));
	keep_first(&smart->wear, number_of(get(json, "scsi_percentage_used_endurance_indicator", NULL)));
}

static void read_nvme(struct smart *smart, json_object *json)
{
	json_object *health = get(json, "nvme_smart_health_information_log", NULL);

	add_to(&smart->error_protocol, number_of(get(health, "num_err_log_entries", NULL)));
	add_to(&smart->error_medium, number_of(get(health, "media_errors", NULL)));
	keep_first(&smart->wear, number_of(get(health, "percentage_used", NULL)));
}

/* ATA has no standard attribute of wear: makers count different ones down from 100. */
static void read_wear(struct smart *smart, json_object *json)
{
	static const unsigned ids[] = { ID_LIFE_LEFT, ID_MEDIA_WEAROUT, ID_WEAR_LEVELING, ID_LIFE_REMAINING };

	keep_first(&smart->wear, number_of(get(json, "endurance_used", "current_percent", NULL)));
	for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]) && smart->rotation == 0; ++i) {
		const struct smart_attribute *attribute = &smart->attribute[ids[i]];

		if (attribute->known && attribute->value >= 1 && attribute->value <= 100)
			keep_first(&smart->wear, 100 - attribute->value);
	}
}

static void read_temperature(struct smart *smart, json_object *json)
{
	uint64_t candidate[] = {
		number_of(get(json, "temperature", "current", NULL)),
		smart->attribute[ID_TEMPERATURE].raw & 0xffff,
		smart->attribute[ID_AIRFLOW_TEMPERATURE].raw & 0xffff,
	};

	for (unsigned i = 0; i < sizeof(candidate) / sizeof(candidate[0]); ++i)
		if (candidate[i] >= 1 && candidate[i] <= TEMPERATURE_MAX)
			keep_first(&smart->temperature, candidate[i]);
}

static void read_hours(struct smart *smart, json_object *json)
{
	smart->power_on_hours = number_of(get(json, "power_on_time", "hours", NULL));
	if (smart->attribute[ID_POWER_ON].known)
		keep_first(&smart->power_on_hours, smart->attribute[ID_POWER_ON].raw & 0xffffffff);
}

/* The first error that smartctl tells of, or NULL. */
static const char *find_message(json_object *json)
{
	json_object *messages = get(json, "smartctl", "messages", NULL);

	if (json_object_is_type(messages, json_type_array))
		for (size_t i = 0; i < json_object_array_length(messages); ++i) {
			json_object *message = json_object_array_get_idx(messages, i);
			const char *severity = json_object_get_string(get(message, "severity", NULL));
			const char *text = json_object_get_string(get(message, "string", NULL));

			if (text != NULL && severity != NULL && strcmp(severity, "error") == 0)
				return text;
		}
	return NULL;
}

static void read_json(struct smart *smart, json_object *json)
{
	read_identity(smart, json);
	read_ata(smart, json);
	read_scsi(smart, json);
	read_nvme(smart, json);
	read_wear(smart, json);
	read_temperature(smart, json);
	read_hours(smart, json);
}

static void forget(struct smart *smart)
{
	*smart = (struct smart){
		.power = POWER_UNKNOWN,
		.size_bytes = SMART_UNKNOWN,
		.rotation = SMART_UNKNOWN,
		.temperature = SMART_UNKNOWN,
		.power_on_hours = SMART_UNKNOWN,
		.error_protocol = SMART_UNKNOWN,
		.error_medium = SMART_UNKNOWN,
		.wear = SMART_UNKNOWN,
	};
}

void smart_read(struct smart *smart, const struct smartctl_reply *reply)
{
	json_object *json = reply->out.size > 0 ? json_tokener_parse(reply->out.data) : NULL;
	const char *message = find_message(json);

	forget(smart);
	smartctl_failure(reply, smart->problem, sizeof(smart->problem));
	if (reply->result.end == PROC_EXITED && json == NULL)
		snprintf(smart->problem, sizeof(smart->problem),
			 "smartctl gave no JSON; version 7.0 of the smartmontools or later is needed");
	else if (*smart->problem != '\0' && message != NULL)
		snprintf(smart->problem, sizeof(smart->problem), "%s", message);
	if (json != NULL)
		read_json(smart, json);
	if (reply->result.end == PROC_EXITED && reply->result.status == SMARTCTL_ASLEEP)
		smart->power = POWER_STANDBY;
	else if (reply->result.end == PROC_EXITED)
		smart->flags = reply->result.status;
	if (smart->power == POWER_UNKNOWN && *smart->problem == '\0')
		smart->power = POWER_ACTIVE;
	json_object_put(json);
}

struct question {
	const struct device_set *set;
	enum smartctl_call call;
	unsigned limit_ms;
	struct smart *smart;
	struct smartctl_reply *reply;
};

static void ask(unsigned d, void *argument)
{
	const struct question *question = argument;
	const struct device *device = &question->set->device[d];
	struct smartctl_reply reply = { .command = NULL };

	if (device->wanted) {
		smartctl_run(device, question->call, question->limit_ms, &reply);
		smart_read(&question->smart[d], &reply);
	} else {
		forget(&question->smart[d]);
	}
	if (question->reply != NULL)
		question->reply[d] = reply;
	else
		smartctl_reply_done(&reply);
}

void smart_ask(const struct device_set *set, enum smartctl_call call, unsigned limit_ms, struct smart *smart,
	       struct smartctl_reply *reply)
{
	struct question question = { set, call, limit_ms, smart, reply };

	device_each(set, ask, &question);
}
