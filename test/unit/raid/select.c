/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice is made once per process: each test that chooses does so in a child. */
#include "raid/select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raid/choose.h"
#include "raid/cpu.h"
#include "raid/gf.h"

#define SIZE 4096

static uint8_t memory[10][SIZE] __attribute__((aligned(64)));
static void *buffer[10];

/* What the clock says: it goes on by what the kernel in use "takes". */
static uint64_t now, slow_ns[16];
static unsigned calls;

static unsigned table_index(const char *name)
{
	unsigned i = 0;

	while (strcmp(raid_kernel_at(i)->name, name) != 0)
		++i;
	return i;
}

static uint64_t fake_clock(void)
{
	++calls;
	now += slow_ns[table_index(raid_choice(RAID_ENCODE).kernel)];
	return now;
}

static void tune(unsigned columns, unsigned levels)
{
	const struct raid_trial trial = {
		.code = raid_code(RAID_CAUCHY), .levels = levels, .columns = columns, .size = SIZE,
		.data = buffer, .parity = buffer + columns, .now_ns = fake_clock, .most_ns = 20000000,
	};

	for (unsigned i = 0; i < 10; ++i)
		buffer[i] = memory[i];
	raid_tune(&trial);
}

/* Run `body` in a process of its own; its result is the exit status. */
static void in_child(int (*body)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(body());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int candidates(const char *name[16])
{
	struct raid_candidate candidate;
	int count = 0;

	for (unsigned i = 0; raid_candidate(i, &candidate); ++i)
		if (candidate.verdict == RAID_ABLE)
			name[count++] = candidate.kernel;
	return count;
}

static void every_kernel_of_the_table_is_judged(void **state)
{
	struct raid_candidate candidate;
	unsigned i;

	(void)state;
	for (i = 0; raid_candidate(i, &candidate); ++i) {
		unsigned needs = raid_kernel_at(i)->needs;

		assert_string_equal(candidate.kernel, raid_kernel_at(i)->name);
		if ((needs & ~cpu_features()) != 0)
			assert_int_equal(candidate.verdict, RAID_MISSING);
		else if ((needs & ~cpu_features_advised()) != 0)
			assert_int_equal(candidate.verdict, RAID_AVOIDED);
		else
			assert_int_equal(candidate.verdict, RAID_ABLE);
		assert_int_equal(candidate.reason[0] != '\0', candidate.verdict == RAID_AVOIDED);
	}
	assert_null(raid_kernel_at(i));
	assert_null(raid_wrong(0));
}

static int first_is_used(void)
{
	const char *name[16];

	candidates(name);
	for (unsigned o = 0; o < RAID_OPERATIONS; ++o) {
		struct raid_choice choice = raid_choice((enum raid_operation)o);

		if (strcmp(choice.kernel, name[0]) != 0 || choice.bytes_per_second != 0)
			return 1;
	}
	return 0;
}

static void without_a_stripe_the_first_that_may_run_is_used(void **state)
{
	(void)state;
	in_child(first_is_used);
}

static int wrong_is_dropped(void)
{
	struct raid_candidate candidate;
	const char *name[16];

	gf_init();
	gf_factor[7].nibble[0][3] ^= 1; /* shuffles use it, scalar and SSE2 and GFNI do not */
	if (candidates(name) < 1 || strcmp(raid_choice(RAID_ENCODE).kernel, "avx2") == 0 ||
	    strcmp(raid_choice(RAID_ENCODE).kernel, "ssse3") == 0)
		return 1;
	for (unsigned i = 0; raid_candidate(i, &candidate); ++i)
		if (strcmp(candidate.kernel, "ssse3") == 0 && candidate.verdict == RAID_ABLE)
			return 2;
	if (raid_wrong(0) == NULL)
		return raid_kernel_at(2) == NULL || (cpu_features() & (CPU_SSSE3 | CPU_NEON)) == 0 ? 0 : 4;
	return raid_force("ssse3") == -1 ? 0 : 3;
}

static void a_kernel_with_a_broken_table_is_never_used(void **state)
{
	(void)state;
	in_child(wrong_is_dropped);
}

static int fastest_is_used(void)
{
	const char *name[16];
	int count = candidates(name);

	if (count < 3)
		return 0;
	for (unsigned i = 0; i < 16; ++i)
		slow_ns[i] = 1000;
	slow_ns[table_index(name[1])] = 900;
	tune(5, 3);
	/* Only the operation by which this clock is slow is told apart. */
	return strcmp(raid_choice(RAID_ENCODE).kernel, name[1]) != 0 || raid_choice(RAID_ENCODE).bytes_per_second == 0;
}

static void the_fastest_is_used(void **state)
{
	(void)state;
	in_child(fastest_is_used);
}

static int tie_is_for_the_expected(void)
{
	const char *name[16];
	int count = candidates(name);

	if (count < 3)
		return 0;
	for (unsigned i = 0; i < 16; ++i)
		slow_ns[i] = 1000;
	slow_ns[table_index(name[1])] = 980;
	tune(5, 3);
	return strcmp(raid_choice(RAID_ENCODE).kernel, name[0]) != 0;
}

static void within_3_percent_the_expected_one_is_used(void **state)
{
	(void)state;
	in_child(tie_is_for_the_expected);
}

static int time_is_limited(void)
{
	for (unsigned i = 0; i < 16; ++i)
		slow_ns[i] = 15000000;
	tune(5, 3);
	/* Two for each operation of the warm-up, and then one measurement at most. */
	return calls > 2 * RAID_OPERATIONS + 8;
}

static void the_calibration_ends_when_its_time_is_over(void **state)
{
	(void)state;
	in_child(time_is_limited);
}

static int tried_before;

static uint64_t looking_clock(void)
{
	tried_before |= now == 0 && raid_wrong(0) != NULL;
	return ++now;
}

static int trying_is_timed(void)
{
	const struct raid_trial trial = {
		.code = raid_code(RAID_CAUCHY), .levels = 3, .columns = 5, .size = SIZE,
		.data = buffer, .parity = buffer + 5, .now_ns = looking_clock, .most_ns = UINT64_MAX / 2,
	};

	for (unsigned i = 0; i < 10; ++i)
		buffer[i] = memory[i];
	gf_factor[7].nibble[0][3] ^= 1;
	raid_tune(&trial);
	return tried_before || ((cpu_features() & (CPU_SSSE3 | CPU_NEON)) != 0 && raid_wrong(0) == NULL);
}

static void the_time_for_a_calibration_begins_before_kernels_are_tried(void **state)
{
	(void)state;
	in_child(trying_is_timed);
}

/* What is 20 ms at most where a kernel does 10 GB/s: of each operation five rounds of each kernel and a warm-up, each on
 * 1 MiB at most, however large the stripe is. */
static int work_is_limited(void)
{
	enum { COLUMNS = 30, LEVELS = 6, BLOCK = 256 << 10, USED = ((1 << 20) / (COLUMNS + LEVELS) + 63) / 64 * 64 };
	uint8_t *stripe = aligned_alloc(64, (COLUMNS + LEVELS) * BLOCK);
	const char *name[16];
	void *block[COLUMNS + LEVELS];
	const struct raid_trial trial = {
		.code = raid_code(RAID_CAUCHY), .levels = LEVELS, .columns = COLUMNS, .size = BLOCK,
		.data = block, .parity = block + COLUMNS, .now_ns = fake_clock, .most_ns = UINT64_MAX / 2,
	};
	unsigned most = 1 + 2 * RAID_OPERATIONS + 5 * 3 * RAID_OPERATIONS * (unsigned)candidates(name);

	for (unsigned i = 0; i < 16; ++i)
		slow_ns[i] = 1000;
	memset(stripe, 0xee, (COLUMNS + LEVELS) * BLOCK);
	for (unsigned i = 0; i < COLUMNS + LEVELS; ++i)
		block[i] = stripe + i * BLOCK;
	raid_tune(&trial);
	for (unsigned i = 0; i < COLUMNS + LEVELS; ++i)
		for (size_t k = USED; k < BLOCK; ++k)
			if (stripe[i * BLOCK + k] != 0xee)
				return 1;
	free(stripe);
	return calls > most ? 2 : 0;
}

static void the_calibration_does_no_more_work_than_there_is_time_for(void **state)
{
	(void)state;
	in_child(work_is_limited);
}

static int second_is_ignored(void)
{
	tune(5, 3);
	calls = 0;
	tune(4, 2);
	return calls != 0;
}

static void only_the_first_stripe_is_measured(void **state)
{
	(void)state;
	in_child(second_is_ignored);
}

static int forced_is_kept(void)
{
	if (raid_force("scalar") != 0)
		return 1;
	tune(5, 3);
	for (unsigned o = 0; o < RAID_OPERATIONS; ++o)
		if (strcmp(raid_choice((enum raid_operation)o).kernel, "scalar") != 0 ||
		    strcmp(raid_choice((enum raid_operation)o).why, "asked for") != 0)
			return 2;
	return calls != 0;
}

static void a_kernel_asked_for_is_kept(void **state)
{
	(void)state;
	in_child(forced_is_kept);
}

static void a_kernel_that_is_not_there_is_refused(void **state)
{
	(void)state;
	assert_int_equal(raid_force("no such"), -1);
	assert_int_equal(raid_force(""), -1);
}

static int no_features(void)
{
	setenv("SNAPRAID_CPU", "-sse2,-ssse3,-avx2,-avx512bw,-gfni,-neon,-sve", 1);
	return strcmp(raid_choice(RAID_SOLVE).kernel, "scalar") != 0 || raid_force("avx2") == 0;
}

static int calibration_is_correct(void)
{
	uint8_t right[3][SIZE] __attribute__((aligned(64)));
	void *expected[3] = { right[0], right[1], right[2] };
	const char *name[16];

	tune(5, 3);
	for (unsigned i = 0; i < 5; ++i)
		for (unsigned k = 0; k < SIZE; ++k)
			memory[i][k] = (uint8_t)(i * 7 + k * 13);
	raid_encode(raid_code(RAID_CAUCHY), 3, 5, SIZE, (const void *const *)buffer, buffer + 5);
	(void)candidates(name);
	for (unsigned o = 0; o < RAID_OPERATIONS; ++o)
		raid_force_one((enum raid_operation)o, "scalar");
	raid_encode(raid_code(RAID_CAUCHY), 3, 5, SIZE, (const void *const *)buffer, expected);
	return memcmp(right, memory[5], sizeof(right)) != 0;
}

static void what_is_chosen_computes_what_the_scalar_one_does(void **state)
{
	(void)state;
	in_child(calibration_is_correct);
}

/* First of all: features are looked at once. */
static void without_features_the_scalar_one_is_used(void **state)
{
	(void)state;
	in_child(no_features);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_features_the_scalar_one_is_used),
		cmocka_unit_test(without_a_stripe_the_first_that_may_run_is_used),
		cmocka_unit_test(a_kernel_with_a_broken_table_is_never_used),
		cmocka_unit_test(the_fastest_is_used),
		cmocka_unit_test(within_3_percent_the_expected_one_is_used),
		cmocka_unit_test(the_calibration_ends_when_its_time_is_over),
		cmocka_unit_test(the_time_for_a_calibration_begins_before_kernels_are_tried),
		cmocka_unit_test(the_calibration_does_no_more_work_than_there_is_time_for),
		cmocka_unit_test(only_the_first_stripe_is_measured),
		cmocka_unit_test(a_kernel_asked_for_is_kept),
		cmocka_unit_test(what_is_chosen_computes_what_the_scalar_one_does),
		cmocka_unit_test(every_kernel_of_the_table_is_judged),
		cmocka_unit_test(a_kernel_that_is_not_there_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
