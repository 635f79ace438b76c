/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are all disks where the configuration says, each on a device of its own? behaviour.md 4, interface.md 2.3. */
#ifndef COMMAND_PLACES_H
#define COMMAND_PLACES_H

#include "command/session.h"

/* A directory of the array and the file system below it. */
struct place_dir {
	int fd;			/* of a data disk; -1 otherwise, or not there */
	bool there;
	uint64_t device;
	char *uuid;		/* "" unknown; only of data and parity */
	char *kind;
};

struct places {
	struct place_dir data[COLUMN_MAX];	/* by the order of the configuration */
	struct place_dir split[LEVEL_MAX][SPLIT_MAX];
	bool level_missing[LEVEL_MAX];
};

/* Open and compare what `needs` (enum session_need) asks for. -1: refused; said. */
int places_open(struct places *places, const struct config *config, const struct options *options, unsigned needs);
void places_close(struct places *places);	/* descriptors that were taken over are -1 by then */

#endif
