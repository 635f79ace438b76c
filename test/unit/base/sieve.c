/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sieve.h"

/* As good as random: splitmix64. */
static uint64_t nth(uint64_t n)
{
	uint64_t z = (n + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void all_members_are_in_it_and_few_others(void **state)
{
	const unsigned counts[] = { 1, 2, 3, 100, 65536, 65537, 100000 };

	(void)state;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		unsigned count = counts[c], wrong = 0;
		struct sieve *sieve = sieve_new(count);

		for (unsigned i = 0; i < count; i++)
			sieve_add(sieve, nth(i));
		for (unsigned i = 0; i < count; i++)
			assert_true(sieve_may_have(sieve, nth(i)));
		for (unsigned i = 0; i < 100000; i++)
			wrong += sieve_may_have(sieve, nth(1000000 + i));
		assert_true(wrong < 100);
		assert_true(sieve_bytes(sieve) <= 128 + 4 * (size_t)count);
		sieve_free(sieve);
	}
}

static void an_empty_one_has_nothing(void **state)
{
	struct sieve *sieve = sieve_new(0);

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		assert_false(sieve_may_have(sieve, nth(i)));
	sieve_free(sieve);
	sieve_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_members_are_in_it_and_few_others),
		cmocka_unit_test(an_empty_one_has_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
