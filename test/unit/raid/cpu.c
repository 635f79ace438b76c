/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ALL (CPU_SSSE3 | CPU_SSE42 | CPU_AVX2 | CPU_AVX512BW | CPU_GFNI)

static void named_features_are_taken_away_and_no_others(void **state)
{
	(void)state;
	assert_int_equal(cpu_features_without(ALL, "-avx2"), ALL & ~CPU_AVX2);
	assert_int_equal(cpu_features_without(ALL, "-ssse3,-gfni"), ALL & ~(CPU_SSSE3 | CPU_GFNI));
	assert_int_equal(cpu_features_without(ALL, "-sse42,-avx512bw,"), ALL & ~(CPU_SSE42 | CPU_AVX512BW));
	assert_int_equal(cpu_features_without(CPU_SSE42, "-avx2"), CPU_SSE42);
}

static void what_names_no_feature_takes_nothing(void **state)
{
	const char *const spec[] = {
		NULL, "", ",", "-", "avx2", "-avx", "-avx22", "-avx2 ", "+avx2,none,,-"
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(spec) / sizeof(spec[0]); ++i)
		assert_int_equal(cpu_features_without(ALL, spec[i]), ALL);
}

static void the_environment_takes_features_away(void **state)
{
	(void)state;
	assert_int_equal(cpu_features() & (CPU_AVX2 | CPU_SSSE3), 0);
	unsetenv("SNAPRAID_CPU"); /* the answer is the same in every call */
	assert_int_equal(cpu_features() & (CPU_AVX2 | CPU_SSSE3), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(named_features_are_taken_away_and_no_others),
		cmocka_unit_test(what_names_no_feature_takes_nothing),
		cmocka_unit_test(the_environment_takes_features_away),
	};

	setenv("SNAPRAID_CPU", "-avx2,-ssse3", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
