/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wake the disks, and let them sleep: all at once, a thread each. Only those that rotate and that are wanted;
 * an extra disk is never put to sleep, as it may be at work for somebody else. */
#ifndef DEVICE_SPIN_H
#define DEVICE_SPIN_H

#include "device/smart.h"

struct spin {
	bool tried;		/* false: left as it is */
	unsigned ms;		/* how long it took */
	char problem[2 * SMART_TEXT];	/* why it did not work, in words; "": it did */
	struct smartctl_reply reply;	/* of spin_down; the caller's to release */
};

/* `spin` has an element for each device. */
void spin_up(const struct device_set *set, struct spin *spin);
void spin_down(const struct device_set *set, struct spin *spin);	/* what is still in memory is written first */

#endif
