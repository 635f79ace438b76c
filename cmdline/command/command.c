/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/command.h"

#include <string.h>

#define READ_CONTENT	(NEED_LOCK | NEED_CONTENT | NEED_COPIES)
#define READ_DISKS	(READ_CONTENT | NEED_DATA)
#define SHOW		(READ_CONTENT | ONLY_SHOWS)
#define READ_ALL	(READ_DISKS | NEED_PARITY)
/* When a disk is gone, one asks all the more how the others are. */
#define HARDWARE	ALLOW_MISSING
#define REPAIR		((READ_ALL & ~NEED_COPIES) | ALLOW_MISSING)

static const struct command command_table[] = {
	{ "status", command_status, SHOW, true },
	{ "diff", command_diff, SHOW | NEED_DATA, true },
	{ "sync", command_sync, READ_ALL | PROVE_COPIES, false },
	{ "scrub", command_scrub, READ_ALL | PROVE_COPIES, false },
	{ "check", command_check, REPAIR, false },
	{ "fix", command_fix, REPAIR, false },
	{ "list", command_list, SHOW, true },
	{ "dup", command_dup, SHOW, true },
	{ "touch", command_touch, READ_DISKS, false },
	{ "pool", command_pool, READ_CONTENT, false },
	{ "rehash", command_rehash, READ_CONTENT, false },
	{ "locate", command_locate, SHOW, true },
	{ "devices", command_devices, HARDWARE, true },
	{ "smart", command_smart, HARDWARE, true },
	{ "probe", command_probe, HARDWARE, true },
	{ "up", command_up, HARDWARE | NEED_LOCK, false },
	{ "down", command_down, HARDWARE | NEED_LOCK, false },
	{ "test-dry", command_dry, REPAIR, false },
	{ "test-rewrite", command_rewrite, READ_CONTENT, false },
	{ "test-read", command_read, SHOW, false },
	{ "read", command_read, SHOW, false },
	{ "test-downifup", command_down, HARDWARE | NEED_LOCK, false },	/* down wakes no disk to put it to sleep */
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < sizeof(command_table) / sizeof(command_table[0]); ++i)
		if (strcmp(command_table[i].name, name) == 0)
			return &command_table[i];
	return NULL;
}
