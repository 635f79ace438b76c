/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three steps.
 *	1. What may run: the CPU has the features (cpu.c), and no quirk speaks against them (the table there).
 *	2. What is right: it computes what the scalar kernel does (kernel.c).
 *	3. What is fastest: a few rounds on the first stripe, if there is one.
 * The order of the kernel table is the expectation. It is what counts before step 3, and in case of a tie. */
#include "raid/select.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "raid/choose.h"
#include "raid/cpu.h"
#include "raid/gf.h"

#define KERNEL_MAX 16

static const char *const operation_name[RAID_OPERATIONS] = { "xor", "encode", "verify", "update", "solve" };

static struct {
	_Atomic(const struct raid_kernel *) kernel;
	const char *why;
	uint64_t bytes_per_second;
} chosen[RAID_OPERATIONS];

static int is_fixed; /* by force, or by a calibration */

/* ---- what may run ---- */

static int may_run(const struct raid_kernel *kernel)
{
	return (kernel->needs & ~cpu_features()) == 0;
}

static int is_advised(const struct raid_kernel *kernel)
{
	return (kernel->needs & ~cpu_features_advised()) == 0;
}

/* ---- what is right ---- */

/* A probe takes about a millisecond, so each kernel is tried when it is asked for, and once. */
static _Atomic(signed char) known[KERNEL_MAX]; /* 0: not yet; 1; -1: wrong */

static int is_right(unsigned i)
{
	if (known[i] == 0)
		known[i] = raid_kernel_agrees(raid_kernel_at(i)) ? 1 : -1;
	return known[i] > 0;
}

static int is_candidate(unsigned i)
{
	return is_advised(raid_kernel_at(i)) && is_right(i);
}

static void choose(enum raid_operation operation, const struct raid_kernel *kernel, const char *why)
{
	chosen[operation].why = why;
	chosen[operation].bytes_per_second = 0;
	chosen[operation].kernel = kernel;
}

static void choose_first(void)
{
	unsigned i = 0;

	gf_init();
	while (raid_kernel_at(i) != &raid_kernel_scalar && !is_candidate(i))
		++i;
	for (unsigned o = 0; o < RAID_OPERATIONS; ++o)
		choose((enum raid_operation)o, raid_kernel_at(i), "the first that may run here and is right");
}

static void choose_once(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, choose_first);
}

const struct raid_kernel *raid_kernel(enum raid_operation operation)
{
	const struct raid_kernel *kernel = atomic_load_explicit(&chosen[operation].kernel, memory_order_acquire);

	if (kernel != NULL)
		return kernel;
	choose_once();
	return chosen[operation].kernel;
}

struct raid_choice raid_choice(enum raid_operation operation)
{
	const struct raid_kernel *kernel = raid_kernel(operation);

	return (struct raid_choice){
		.operation = operation_name[operation],
		.kernel = kernel->name,
		.why = chosen[operation].why,
		.bytes_per_second = chosen[operation].bytes_per_second,
	};
}

int raid_candidate(unsigned i, struct raid_candidate *candidate)
{
	const struct raid_kernel *kernel = raid_kernel_at(i);
	const struct cpu_model model = cpu_model();

	if (kernel == NULL)
		return 0;
	gf_init();
	*candidate = (struct raid_candidate){ .kernel = kernel->name, .verdict = RAID_ABLE, .reason = "" };
	if (!may_run(kernel)) {
		candidate->verdict = RAID_MISSING;
	} else if (!is_right(i)) {
		candidate->verdict = RAID_WRONG;
	} else if (!is_advised(kernel)) {
		candidate->verdict = RAID_AVOIDED;
		candidate->reason = cpu_quirk(&model, kernel->needs)->reason;
	}
	return 1;
}

const char *raid_wrong(unsigned n)
{
	for (unsigned i = 0; raid_kernel_at(i) != NULL; ++i)
		if (known[i] < 0 && n-- == 0)
			return raid_kernel_at(i)->name;
	return NULL;
}

static const struct raid_kernel *find(const char *name)
{
	gf_init();
	for (unsigned i = 0; raid_kernel_at(i) != NULL; ++i)
		if (strcmp(raid_kernel_at(i)->name, name) == 0)
			return may_run(raid_kernel_at(i)) && is_right(i) ? raid_kernel_at(i) : NULL;
	return NULL;
}

int raid_force_one(enum raid_operation operation, const char *name)
{
	const struct raid_kernel *kernel = find(name);

	if (kernel == NULL)
		return -1;
	choose_once();
	choose(operation, kernel, "asked for");
	is_fixed = 1;
	return 0;
}

int raid_force(const char *name)
{
	for (unsigned o = 0; o < RAID_OPERATIONS; ++o)
		if (raid_force_one((enum raid_operation)o, name) < 0)
			return -1;
	return 0;
}

/* ---- what is fastest here ---- */

#define ROUNDS	   5
#define TRIAL_MOST (1u << 20) /* bytes of data and parity in a step: enough to tell, and in a cache */
#define HOPELESS   2	      /* times slower than the best in the first round: not timed again */

/* Bytes of a block used: all, unless there are so many disks that it takes too long. */
static size_t trial_size(const struct raid_trial *trial)
{
	size_t most = TRIAL_MOST / (trial->columns + trial->levels) / 64 * 64;

	return trial->size < most ? trial->size : most < 4096 && trial->size >= 4096 ? 4096 : most;
}

static void run_operation(const struct raid_trial *trial, enum raid_operation operation)
{
	const void *const *data = (const void *const *)trial->data;
	const void *const *parity = (const void *const *)trial->parity;
	const unsigned first[RAID_LEVEL_MAX] = { 0, 1, 2, 3, 4, 5 };
	unsigned lost = trial->levels < trial->columns ? trial->levels : trial->columns;
	size_t size = trial_size(trial);

	switch (operation) {
	case RAID_XOR:
		raid_xor(trial->columns, data, size, trial->parity[0]);
		break;
	case RAID_VERIFY:
		raid_verify(trial->code, trial->levels, trial->columns, size, data, parity);
		break;
	case RAID_UPDATE:
		raid_update(trial->code, trial->levels, trial->columns / 2, 1, size, data, data + trial->columns - 1,
			    trial->parity);
		break;
	case RAID_SOLVE:
		raid_solve(trial->code, trial->columns, size, lost, first, first, trial->data, parity);
		break;
	default:
		raid_encode(trial->code, trial->levels, trial->columns, size, data, trial->parity);
		break;
	}
}

static uint64_t time_operation(const struct raid_trial *trial, enum raid_operation operation,
			       const struct raid_kernel *kernel)
{
	uint64_t start;

	chosen[operation].kernel = kernel;
	start = trial->now_ns();
	run_operation(trial, operation);
	return trial->now_ns() - start + 1;
}

/* Buffers never written to are all the same page of zeros, which is no fair test. */
static void fill_buffers(const struct raid_trial *trial)
{
	size_t size = trial_size(trial);

	for (unsigned d = 0; d < trial->columns; ++d)
		memset(trial->data[d], (int)d + 1, size);
	for (unsigned l = 0; l < trial->levels; ++l)
		memset(trial->parity[l], 0xff, size);
}

struct timing {
	unsigned count;
	const struct raid_kernel *kernel[KERNEL_MAX];
	uint64_t best_ns[KERNEL_MAX][RAID_OPERATIONS]; /* 0: not measured */
	uint64_t fastest_ns[RAID_OPERATIONS];
};

/* The scalar kernel competes only if there is no other. */
static void list_candidates(struct timing *timing)
{
	memset(timing, 0, sizeof(*timing));
	for (unsigned i = 0; raid_kernel_at(i) != NULL && i < KERNEL_MAX; ++i)
		if (is_candidate(i) && (raid_kernel_at(i) != &raid_kernel_scalar || timing->count == 0))
			timing->kernel[timing->count++] = raid_kernel_at(i);
}

/* 0: the time is over. */
static int time_round(const struct raid_trial *trial, struct timing *timing, uint64_t end)
{
	for (unsigned i = 0; i < timing->count; ++i)
		for (unsigned o = 0; o < RAID_OPERATIONS; ++o) {
			uint64_t *best = &timing->best_ns[i][o], *fastest = &timing->fastest_ns[o];
			uint64_t ns;

			if (*best > HOPELESS * *fastest)
				continue;
			if (trial->now_ns() >= end)
				return 0;
			ns = time_operation(trial, (enum raid_operation)o, timing->kernel[i]);
			if (*best == 0 || ns < *best)
				*best = ns;
			if (*fastest == 0 || ns < *fastest)
				*fastest = ns;
		}
	return 1;
}

static void choose_fastest(const struct raid_trial *trial, const struct timing *timing, unsigned operation)
{
	const uint64_t bytes = operation == RAID_UPDATE ? trial_size(trial) : trial->columns * trial_size(trial);
	uint64_t fastest = timing->fastest_ns[operation];
	unsigned i = 0;

	while (i < timing->count - 1 && (timing->best_ns[i][operation] == 0 ||
					 timing->best_ns[i][operation] * 100 > fastest * 103))
		++i;
	choose((enum raid_operation)operation, timing->kernel[i],
	       timing->best_ns[i][operation] == fastest ? "the fastest on this stripe" :
							  "expected to be the fastest, and within 3% of it");
	if (timing->best_ns[i][operation] != 0)
		chosen[operation].bytes_per_second = bytes * 1000000000 / timing->best_ns[i][operation];
}

void raid_tune(const struct raid_trial *trial)
{
	struct timing timing;
	uint64_t end;

	if (is_fixed || trial->columns == 0 || trial->levels == 0)
		return;
	is_fixed = 1;
	end = trial->now_ns() + trial->most_ns;
	choose_once();
	list_candidates(&timing);
	if (timing.count < 2)
		return;
	fill_buffers(trial);
	for (unsigned o = 0; o < RAID_OPERATIONS; ++o) /* warm up: caches, clock, tables */
		time_operation(trial, (enum raid_operation)o, timing.kernel[0]);
	for (unsigned round = 0; round < ROUNDS && time_round(trial, &timing, end); ++round)
		;
	for (unsigned o = 0; o < RAID_OPERATIONS; ++o)
		choose_fastest(trial, &timing, o);
}
