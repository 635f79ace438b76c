/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/health.h"

#include <math.h>
#include <string.h>

#define DAYS_OF_YEAR	365.0

/* Disks that fail in a year, of all disks of a large fleet. */
#define BASE_RATE	0.014

/* Each counter with the share of disks that have it above zero: of those that failed, of those in use. From them
 * follows how much oftener than others a disk fails whose counter is at zero, or above. */
static const struct counter {
	uint8_t id;
	unsigned bits;		/* of the raw value; the rest has another meaning for some makers */
	double failed, in_use;
} counter_table[] = {
	{ 5, 32, 0.42, 0.011 },		/* reallocated sectors */
	{ 187, 16, 0.435, 0.005 },	/* reads that could not be corrected */
	{ 188, 16, 0.448, 0.048 },	/* commands timed out */
	{ 197, 32, 0.431, 0.007 },	/* sectors that wait for being reallocated */
	{ 198, 32, 0.33, 0.003 },	/* sectors found bad by the disk's own scans */
};

#define RAW_MAX	255	/* more does not make it worse */

/* Among the disks with a counter above zero, more is worse: from half the rate of them all at 1 to one and a half
 * of it at the top, by the logarithm. */
static double weight(uint64_t raw)
{
	return 0.5 + log2((double)(raw < RAW_MAX ? raw : RAW_MAX)) / log2(RAW_MAX);
}

/* Failures a year. */
static double rate_of(const struct counter *counter, uint64_t raw)
{
	if (raw == 0)
		return BASE_RATE * (1 - counter->failed) / (1 - counter->in_use);
	return BASE_RATE * counter->failed / counter->in_use * weight(raw);
}

static bool is_ignored(unsigned id, const char *attribute, const char *name, const struct config *config)
{
	for (unsigned i = 0; i < config->smart_ignore_count; ++i) {
		const struct smart_ignore *ignore = &config->smart_ignore[i];

		if (strcmp(ignore->name, "*") != 0 && strcmp(ignore->name, name) != 0)
			continue;
		for (unsigned k = 0; k < ignore->count; ++k)
			if (ignore->word[k] != NULL ? strcmp(ignore->word[k], attribute) == 0 : ignore->id[k] == id)
				return true;
	}
	return false;
}

/* Seagate packs three counters into the timeouts. */
static bool has_meaning(const struct counter *counter, const struct smart *smart)
{
	return counter->id != 188 || strncmp(smart->model, "ST", 2) != 0;
}

double health_rate(const struct smart *smart, const char *name, const struct config *config)
{
	double worst = -1;

	if (smart->rotation == 0 || (smart->flags & (SMARTCTL_USAGE | SMARTCTL_OPEN)) != 0)
		return -1;
	for (unsigned i = 0; i < sizeof(counter_table) / sizeof(counter_table[0]); ++i) {
		const struct counter *counter = &counter_table[i];
		const struct smart_attribute *attribute = &smart->attribute[counter->id];
		uint64_t raw = attribute->raw & ((UINT64_C(1) << counter->bits) - 1);

		if (attribute->known && has_meaning(counter, smart) && !is_ignored(counter->id, attribute->name, name, config))
			worst = fmax(worst, rate_of(counter, raw));
	}
	return worst;
}

double health_chance(double rate)
{
	return rate > 0 ? -expm1(-rate) : 0;
}

/* Failures come independently, and the array is in danger from the first one on: mean time to data loss of
 * Patterson, Gibson and Katz, as 1 / rate:
 *	MTTDL = MTBF^(r+1) / (MTTR^r n (n-1) ... (n-r)), with r levels and n disks, the levels included. */
double health_loss(double rate, unsigned disks, unsigned levels, double days)
{
	double one = rate / disks, losses = one * disks;

	if (rate <= 0 || disks <= levels)
		return 0;
	for (unsigned i = 1; i <= levels; ++i)
		losses *= (disks - i) * one * days / DAYS_OF_YEAR;
	return health_chance(losses);
}
