/* SPDX-License-Identifier: GPL-3.0-or-later */
/* smart: how the disks are, and how likely one fails. A disk that sleeps is not woken for it. */
#include "command/command.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "command/hardware.h"
#include "device/health.h"

#define TB 1e12	/* of the screen: decimal */

/* A row of the table. Readers count the cells from the left, so that each is one word. */
struct row {
	char temperature[24], days[24], errors[24], chance[8], size[24], wear[24];
	char serial[33];	/* longer ones are cut: no standard has them */
};

static void format_number(char *cell, size_t size, uint64_t value)
{
	if (value == SMART_UNKNOWN)
		snprintf(cell, size, "-");
	else
		snprintf(cell, size, "%" PRIu64, value);
}

/* The worst that the disk says of itself, else how many errors it counts. */
static void format_errors(char *cell, size_t size, const struct smart *smart)
{
	static const struct {
		int bit;
		const char *word;
	} verdict[] = {
		{ SMARTCTL_FAILING, "FAIL" },
		{ SMARTCTL_PREFAIL, "PREFAIL" },
		{ SMARTCTL_PREFAIL_PAST, "logfail" },
		{ SMARTCTL_ERROR_LOG, "logerr" },
		{ SMARTCTL_SELFTEST_LOG, "selferr" },
	};
	uint64_t count = smart->error_protocol;

	for (unsigned i = 0; i < sizeof(verdict) / sizeof(verdict[0]); ++i)
		if ((smart->flags & verdict[i].bit) != 0) {
			snprintf(cell, size, "%s", verdict[i].word);
			return;
		}
	if (count == SMART_UNKNOWN)
		count = smart->error_medium;
	else if (smart->error_medium != SMART_UNKNOWN)
		count += smart->error_medium;
	format_number(cell, size, count);
}

static void format_chance(char *cell, size_t size, const struct smart *smart, double rate)
{
	if ((smart->flags & (SMARTCTL_USAGE | SMARTCTL_OPEN)) != 0)
		snprintf(cell, size, "n/a");
	else if (smart->rotation == 0)
		snprintf(cell, size, "SSD");
	else if (rate < 0)
		snprintf(cell, size, "-");
	else
		snprintf(cell, size, "%.0f%%", 100 * health_chance(rate));
}

static void format_row(struct row *row, const struct smart *smart, double rate)
{
	format_number(row->temperature, sizeof(row->temperature), smart->temperature);
	format_number(row->days, sizeof(row->days),
		      smart->power_on_hours == SMART_UNKNOWN ? SMART_UNKNOWN : smart->power_on_hours / 24);
	format_errors(row->errors, sizeof(row->errors), smart);
	format_chance(row->chance, sizeof(row->chance), smart, rate);
	if (smart->size_bytes == SMART_UNKNOWN)
		snprintf(row->size, sizeof(row->size), "-");
	else
		snprintf(row->size, sizeof(row->size), "%.1f", (double)smart->size_bytes / TB);
	snprintf(row->serial, sizeof(row->serial), "%.32s", *smart->serial == '\0' ? "-" : smart->serial);
	for (char *c = row->serial; *c != '\0'; ++c)
		if (*c == ' ')
			*c = '_';
	if (smart->wear == SMART_UNKNOWN)
		snprintf(row->wear, sizeof(row->wear), "-");
	else
		snprintf(row->wear, sizeof(row->wear), "%" PRIu64 "%%", smart->wear);
}

/* Widths of the cells whose length is up to the maker or the user. */
struct widths {
	int serial, device, disk;
};

static void widen(int *width, const char *text)
{
	if ((int)strlen(text) > *width)
		*width = (int)strlen(text);
}

static void measure(const struct hardware *hardware, const struct row *row, struct widths *widths)
{
	const struct device_set *set = &hardware->set;

	*widths = (struct widths){ (int)strlen("Serial"), (int)strlen("Device"), (int)strlen("Disk") };
	for (unsigned u = 0; u < set->use_count; ++u) {
		widen(&widths->serial, row[u].serial);
		widen(&widths->device, set->device[set->use[u].device].path);
		widen(&widths->disk, set->use[u].name);
	}
}

static void show_cells(enum event event, const struct row *row, const struct widths *widths, const char *serial,
		       const char *device, const char *disk)
{
	char *cell[] = {
		mem_printf("%-*s", widths->serial, serial),
		mem_printf("%-*s", widths->device, device),
		mem_printf("%-*s", widths->disk, disk),
	};

	if (row == NULL)
		report(event, cell[0], cell[1], cell[2]);
	else
		report(event, (const char *)row->temperature, (const char *)row->days, (const char *)row->errors,
		       (const char *)row->chance, (const char *)row->size, cell[0], cell[1], cell[2],
		       (const char *)row->wear);
	for (unsigned i = 0; i < sizeof(cell) / sizeof(cell[0]); ++i)
		free(cell[i]);
}

static void show_attributes(const char *name, const struct smart *smart)
{
	for (unsigned id = 0; id < SMART_IDS; ++id) {
		const struct smart_attribute *attribute = &smart->attribute[id];

		if (attribute->known)
			report(EV_SMART_ATTRIBUTE, name, id, (const char *)attribute->name, attribute->raw,
			       attribute->value, attribute->worst, attribute->threshold);
	}
}

static void show_table(const struct hardware *hardware, const struct config *config)
{
	const struct device_set *set = &hardware->set;
	struct row *row = mem_zalloc(sizeof(*row) * (set->use_count + 1));
	struct widths widths;

	for (unsigned u = 0; u < set->use_count; ++u) {
		const struct smart *smart = &hardware->smart[set->use[u].device];

		format_row(&row[u], smart, health_rate(smart, set->use[u].name, config));
	}
	measure(hardware, row, &widths);
	report(EV_SMART_HEAD);
	show_cells(EV_SMART_COLUMNS, NULL, &widths, "Serial", "Device", "Disk");
	for (unsigned u = 0; u < set->use_count; ++u) {
		const struct device *device = &set->device[set->use[u].device];

		show_cells(EV_SMART_ROW, &row[u], &widths, row[u].serial, device->path, set->use[u].name);
	}
	for (unsigned d = 0; d < set->device_count && report_verbose(); ++d)
		show_attributes(set->device[d].name, &hardware->smart[d]);
	free(row);
}

/* What is known of the disks of the array; of the extra ones if there are no others. */
struct odds {
	double rate;		/* failures a year of those that tell */
	unsigned disks, unknown;
};

static struct odds array_odds(const struct hardware *hardware, const struct config *config)
{
	struct odds odds[2] = { { .rate = 0 } };

	for (unsigned d = 0; d < hardware->set.device_count; ++d) {
		const struct device *device = &hardware->set.device[d];
		struct odds *sum = &odds[device->role == DEVICE_EXTRA];
		double one = health_rate(&hardware->smart[d], device->name, config);

		++sum->disks;
		if (one > 0)
			sum->rate += one;
		else
			++sum->unknown;
	}
	return config->disk_count > 0 ? odds[0] : odds[1];
}

/* Two digits that say something. What is smaller than the rest of the world's dangers says nothing. */
static void format_loss(char *cell, size_t size, double percent)
{
	int digits = 0;

	while (digits < 6 && percent < 10 * pow(0.1, digits))
		++digits;
	if (percent < 0.00001)
		snprintf(cell, size, "<0.00001%%");
	else
		snprintf(cell, size, "%.*f%%", digits, percent);
}

static void show_loss(double rate, unsigned disks)
{
	static const double days[] = { 7, 30, 90 };
	char cell[3][24];

	report(EV_SMART_LOSS_HEAD);
	for (unsigned levels = 1; levels <= LEVEL_MAX; ++levels) {
		for (unsigned i = 0; i < 3; ++i)
			format_loss(cell[i], sizeof(cell[i]), 100 * health_loss(rate, disks, levels, days[i]));
		report(EV_SMART_LOSS_ROW, levels, (const char *)cell[0], (const char *)cell[1], (const char *)cell[2]);
	}
	report(EV_SMART_LOSS_LEGEND);
}

static void show_odds(const struct hardware *hardware, const struct config *config)
{
	struct odds odds = array_odds(hardware, config);
	double chance = health_chance(odds.rate);
	char percent[16];

	report(EV_SMART_LEGEND);
	if (odds.unknown == odds.disks) {
		report(EV_SMART_NO_ODDS);
		return;
	}
	snprintf(percent, sizeof(percent), "%.0f", 100 * chance);
	report(EV_SMART_ARRAY, (const char *)percent, odds.rate, chance);
	if (odds.unknown > 0)
		report(EV_SMART_SOME_UNKNOWN, odds.unknown, odds.disks);
	if (report_verbose())
		show_loss(odds.rate, config->disk_count + config->level_count);
}

/* Returns how many disks fail or are about to. */
static unsigned show_alarms(const struct hardware *hardware)
{
	unsigned failing = 0, asleep = 0;

	for (unsigned d = 0; d < hardware->set.device_count; ++d) {
		failing += (hardware->smart[d].flags & (SMARTCTL_FAILING | SMARTCTL_PREFAIL)) != 0;
		asleep += hardware->smart[d].power == POWER_STANDBY;
	}
	if (asleep > 0)
		report(EV_SMART_SLEEPING, asleep);
	if (failing > 0)
		report(EV_SMART_FAILING, failing);
	return failing;
}

int command_smart(struct session *session)
{
	struct hardware hardware;
	int status = 1;

	if (hardware_ask(&hardware, session, SMARTCTL_ALL) == 0) {
		show_table(&hardware, session->config);
		show_odds(&hardware, session->config);
		status = show_alarms(&hardware) > 0 || hardware.silent > 0;
	}
	hardware_done(&hardware);
	return status;
}
