/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/units.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct row {
	const char *text;
	uint64_t number;
};

static void check(bool (*parse)(const char *, uint64_t *), const struct row *good, size_t good_count,
		  const char *const *bad, size_t bad_count)
{
	for (size_t i = 0; i < good_count; ++i) {
		uint64_t number = 77;

		if (!parse(good[i].text, &number) || number != good[i].number)
			fail_msg("'%s' gave %llu", good[i].text, (unsigned long long)number);
	}
	for (size_t i = 0; i < bad_count; ++i) {
		uint64_t number = 77;

		if (parse(bad[i], &number) || number != 77)
			fail_msg("'%s' was taken", bad[i]);
	}
}

static void sizes_are_digits_and_one_decimal_multiple(void **state)
{
	static const struct row good[] = {
		{ "0", 0 },
		{ "010", 10 },
		{ "5k", 5000 },
		{ "5K", 5000 },
		{ "250M", 250000000 },
		{ "1m", 1000000 },
		{ "3g", 3000000000 },
		{ "3G", 3000000000 },
		{ "2t", 2000000000000 },
		{ "18446744T", 18446744000000000000u },
		{ "18446744073709551615", UINT64_MAX },
	};
	static const char *const bad[] = { "",	"k",  "-1", "+1",  " 1",  "1 ",	 "1kk", "1kB", "1.5k",
					   "1P", "0x1", "1b", "18446745T", "18446744073709551616" };

	(void)state;
	check(units_parse_size, good, LENGTH(good), bad, LENGTH(bad));
}

static void numbers_are_in_c_notation(void **state)
{
	static const struct row good[] = {
		{ "0", 0 },	 { "8", 8 },	   { "010", 8 },
		{ "0x10", 16 },	 { "0XfF", 255 },  { "00", 0 },
		{ "0xffffffffffffffff", UINT64_MAX }, { "01777777777777777777777", UINT64_MAX },
	};
	static const char *const bad[] = { "",	  "0x", "08",  "0b1", "0xg", "-1", "+1",
					   " 1", "1 ", "10k", "1.0", "0x10000000000000000",
					   "02000000000000000000000" };

	(void)state;
	check(units_parse_number, good, LENGTH(good), bad, LENGTH(bad));
}

static void decimals_have_no_prefix(void **state)
{
	static const struct row good[] = {
		{ "0", 0 }, { "08", 8 }, { "010", 10 }, { "18446744073709551615", UINT64_MAX },
	};
	static const char *const bad[] = { "", "0x10", "a", "-1", "+1", " 1", "1 ", "18446744073709551616" };

	(void)state;
	check(units_parse_decimal, good, LENGTH(good), bad, LENGTH(bad));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_digits_and_one_decimal_multiple),
		cmocka_unit_test(numbers_are_in_c_notation),
		cmocka_unit_test(decimals_have_no_prefix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
