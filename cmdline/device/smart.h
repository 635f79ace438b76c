/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a disk tells of itself, read from the JSON of smartctl. ATA, SCSI and NVMe tell different things; what
 * is not told is unknown, never zero. */
#ifndef DEVICE_SMART_H
#define DEVICE_SMART_H

#include "device/smartctl.h"

#define SMART_UNKNOWN	UINT64_MAX
#define SMART_TEXT	80	/* of a string, its NUL included; longer ones are cut */
#define SMART_IDS	256

enum power { POWER_UNKNOWN = -1, POWER_STANDBY = 0, POWER_ACTIVE = 1 };	/* as in the tag "probe" */

/* One of ATA. */
struct smart_attribute {
	bool known;
	uint64_t raw;
	unsigned value, worst, threshold;	/* normalised: they fall from 100 or 200 to the threshold */
	bool prefailure, online;
	char name[SMART_TEXT], when_failed[SMART_TEXT];
};

struct smart {
	enum power power;
	int flags;			/* enum smartctl_bit; 0 also while it sleeps */
	char problem[2 * SMART_TEXT];	/* why nothing is known, in words; "": there is an answer */
	char serial[SMART_TEXT], model[SMART_TEXT], family[SMART_TEXT], interface[SMART_TEXT];
	uint64_t size_bytes, rotation;	/* turns a minute, 0: an SSD */
	uint64_t temperature, power_on_hours;
	uint64_t error_protocol, error_medium;	/* errors of talking to it; of reading and writing */
	uint64_t wear;			/* percent used of an SSD; may be above 100 */
	struct smart_attribute attribute[SMART_IDS];	/* by id */
};

/* From a reply of smartctl, whatever it is. */
void smart_read(struct smart *smart, const struct smartctl_reply *reply);

/* Ask all devices at once. `smart` and `reply` (NULL: not wanted) have an element for each; the replies are the
 * caller's to release. A device that -d left out is not asked: power and all else unknown, no problem. */
void smart_ask(const struct device_set *set, enum smartctl_call call, unsigned limit_ms, struct smart *smart,
	       struct smartctl_reply *reply);

#endif
