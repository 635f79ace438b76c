/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernel is used for which operation, and why. doc/parity.md has the whole of it.
 *
 * Without a call from outside, the first use of the library chooses the first kernel of the table that may
 * run here and is right, for all operations. Nothing is printed here: who asks may tell. */
#ifndef RAID_SELECT_H
#define RAID_SELECT_H

#include "raid/raid.h"

enum raid_operation { RAID_XOR, RAID_ENCODE, RAID_VERIFY, RAID_UPDATE, RAID_SOLVE, RAID_OPERATIONS };

struct raid_choice {
	const char *operation;	/* "xor", "encode", .. */
	const char *kernel;
	const char *why;
	uint64_t bytes_per_second; /* of data, in the calibration; 0: there was none */
};

/* What is in use for an operation. Any thread, any time. */
struct raid_choice raid_choice(enum raid_operation operation);

enum raid_verdict {
	RAID_ABLE,	/* may be chosen */
	RAID_MISSING,	/* the CPU has not what it needs, or SNAPRAID_CPU takes it away */
	RAID_AVOIDED,	/* a quirk of the CPU; `reason` tells */
	RAID_WRONG,	/* computes something else than the scalar one: never used */
};

struct raid_candidate {
	const char *kernel;
	enum raid_verdict verdict;
	const char *reason; /* of RAID_AVOIDED, else "" */
};

/* The kernel i of the table. 0: there is no such. All have been tried, so the first call may take 20 ms. */
int raid_candidate(unsigned i, struct raid_candidate *candidate);

/* The kernels found to be wrong so far, by number; NULL from there on. */
const char *raid_wrong(unsigned i);

/* Use this one for everything. -1: unknown, cannot run here, or wrong. Before any other thread uses the
 * library; the calibration then leaves it as it is. */
int raid_force(const char *kernel);
/* Use this one for one operation, for tests and benchmarks; same rules. */
int raid_force_one(enum raid_operation operation, const char *kernel);

/* The stripe at hand, in the buffers it will be computed in: all of them are overwritten. */
struct raid_trial {
	const struct raid_code *code;
	unsigned levels;
	unsigned columns;
	size_t size;
	void *const *data;   /* none NULL: `columns` buffers */
	void *const *parity; /* none NULL */
	uint64_t (*now_ns)(void);
	uint64_t most_ns; /* for trying which are right and measuring; what is measured until then counts */
};

/* Time the kernels that may run, and choose for each operation the fastest; of those within 3% of it, the
 * first of the table. Only the first call measures. No other thread may use the library meanwhile. */
void raid_tune(const struct raid_trial *trial);

#endif
