/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options and commands, one row each: parsing, refusals and usage walk them. interface.md 1. */
#ifndef CONFIG_OPTION_TABLE_H
#define CONFIG_OPTION_TABLE_H

#include "config/options.h"

/* The chapters of the usage text, in its order. */
enum option_group {
	GROUP_GENERAL, GROUP_SYNC, GROUP_SCRUB, GROUP_FIX, GROUP_RUN, GROUP_FORCE, GROUP_OTHER, GROUP_GUI, GROUP_COUNT,
	GROUP_HIDDEN = GROUP_COUNT,
};

struct option_row {
	char letter;			/* 0: none */
	const char *name;
	const char *argument;		/* as the usage names it; NULL: none */
	/* -1: it was said what is wrong with `value`, which is NULL for an option without argument. */
	int (*set)(struct options *options, const struct option_row *row, const char *value);
	size_t offset;			/* in struct options, of what `set` sets */
	unsigned commands;		/* bits: those it is allowed with; 0: all */
	enum option_group group;
	const char *help;		/* NULL: not in the usage text */
};

extern const struct option_row option_table[];
extern const size_t option_count;

/* Bits of option_row.commands, in the order of command_names. */
enum command_bit {
	CMD_STATUS = 1 << 0,
	CMD_DIFF = 1 << 1,
	CMD_SYNC = 1 << 2,
	CMD_SCRUB = 1 << 3,
	CMD_CHECK = 1 << 4,
	CMD_FIX = 1 << 5,
	CMD_LIST = 1 << 6,
	CMD_DUP = 1 << 7,
	CMD_TOUCH = 1 << 8,
	CMD_POOL = 1 << 9,
	CMD_REHASH = 1 << 10,
	CMD_LOCATE = 1 << 11,
	CMD_DEVICES = 1 << 12,
	CMD_SMART = 1 << 13,
	CMD_PROBE = 1 << 14,
	CMD_UP = 1 << 15,
	CMD_DOWN = 1 << 16,
	CMD_TEST_DRY = 1 << 17,
};

struct command_name {
	const char *name;
	const char *help;		/* NULL: hidden, for tests */
};

extern const struct command_name command_names[];
extern const size_t command_count;

/* -H: a line at a time through the report. */
void usage_print(void);

#endif
