/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ALL (CPU_SSSE3 | CPU_SSE42 | CPU_AVX2 | CPU_AVX512BW | CPU_GFNI | CPU_SVE)

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

static void vectors_of_512_bits_are_avoided_where_they_slow_down_the_clock(void **state)
{
	static const struct {
		struct cpu_model model;
		int avoided;
	} row[] = {
		{ { CPU_VENDOR_INTEL, 6, 0x55, 0 }, 1 }, /* Skylake-SP, Cascade Lake, Cooper Lake */
		{ { CPU_VENDOR_INTEL, 6, 0x6a, 0 }, 1 }, /* Ice Lake-SP */
		{ { CPU_VENDOR_INTEL, 6, 0x6c, 0 }, 1 }, /* Ice Lake-D */
		{ { CPU_VENDOR_INTEL, 6, 0xa7, 0 }, 0 }, /* Rocket Lake */
		{ { CPU_VENDOR_INTEL, 6, 0x8f, 0 }, 0 }, /* Sapphire Rapids */
		{ { CPU_VENDOR_AMD, 0x19, 0x11, 0 }, 0 }, /* Zen 4 */
		{ { CPU_VENDOR_AMD, 0x1a, 0x02, 0 }, 0 }, /* Zen 5 */
		{ { CPU_VENDOR_OTHER, 6, 0x55, 0 }, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); ++i) {
		const struct cpu_quirk *quirk = cpu_quirk(&row[i].model, CPU_AVX512BW);

		assert_int_equal(quirk != NULL, row[i].avoided);
		assert_true(quirk == NULL || (quirk->avoid == CPU_AVX512BW && quirk->reason[0] != '\0'));
		/* Shorter vectors are not affected. */
		assert_null(cpu_quirk(&row[i].model, CPU_AVX512VL | CPU_AVX2 | CPU_GFNI));
	}
}

static void scalable_vectors_are_used_from_256_bits_on(void **state)
{
	struct cpu_model model = { .sve_bits = 128 };

	(void)state;
	assert_non_null(cpu_quirk(&model, CPU_SVE | CPU_NEON));
	assert_null(cpu_quirk(&model, CPU_NEON));
	model.sve_bits = 256;
	assert_null(cpu_quirk(&model, CPU_SVE));
	model.sve_bits = 2048;
	assert_null(cpu_quirk(&model, CPU_SVE));
}

static void nothing_is_advised_that_the_cpu_has_not(void **state)
{
	(void)state;
	assert_int_equal(cpu_features_advised() & ~cpu_features(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(named_features_are_taken_away_and_no_others),
		cmocka_unit_test(what_names_no_feature_takes_nothing),
		cmocka_unit_test(the_environment_takes_features_away),
		cmocka_unit_test(vectors_of_512_bits_are_avoided_where_they_slow_down_the_clock),
		cmocka_unit_test(scalable_vectors_are_used_from_256_bits_on),
		cmocka_unit_test(nothing_is_advised_that_the_cpu_has_not),
	};

	setenv("SNAPRAID_CPU", "-avx2,-ssse3", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
