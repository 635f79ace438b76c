/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/command.h"

#include <string.h>

#define READ_CONTENT	(NEED_LOCK | NEED_CONTENT | NEED_COPIES)
#define READ_DISKS	(READ_CONTENT | NEED_DATA)
#define SHOW		(READ_CONTENT | LOCK_IF_POSSIBLE)
#define READ_ALL	(READ_DISKS | NEED_PARITY)
/* When a disk is gone, one asks all the more how the others are. */
#define HARDWARE	ALLOW_MISSING
#define REPAIR		((READ_ALL & ~NEED_COPIES) | ALLOW_MISSING)

static const struct command command_table[] = {
	{ "status", command_status, SHOW },
	{ "diff", command_diff, SHOW | NEED_DATA },
	{ "sync", command_sync, READ_ALL },
	{ "scrub", command_scrub, READ_ALL },
	{ "check", command_check, REPAIR },
	{ "fix", command_fix, REPAIR },
	{ "list", command_list, SHOW },
	{ "dup", command_dup, SHOW },
	{ "touch", command_touch, READ_DISKS },
	{ "pool", command_pool, READ_CONTENT },
	{ "rehash", command_rehash, READ_CONTENT },
	{ "locate", command_locate, SHOW },
	{ "devices", command_devices, HARDWARE },
	{ "smart", command_smart, HARDWARE },
	{ "probe", command_probe, HARDWARE },
	{ "up", command_up, HARDWARE | NEED_LOCK },
	{ "down", command_down, HARDWARE | NEED_LOCK },
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < sizeof(command_table) / sizeof(command_table[0]); ++i)
		if (strcmp(command_table[i].name, name) == 0)
			return &command_table[i];
	return NULL;
}
