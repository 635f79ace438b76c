/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/le.h"

static void words_are_little_endian_at_any_address(void **state)
{
	static const uint8_t bytes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 0 };
	uint8_t copy[10] = { 0 };

	(void)state;
	assert_int_equal(le32_load(bytes + 1), 0x04030201);
	assert_true(le64_load(bytes + 1) == UINT64_C(0x0807060504030201));
	le64_store(copy + 1, UINT64_C(0x0807060504030201));
	assert_memory_equal(copy, bytes, 10);
	memset(copy, 0, sizeof(copy));
	le32_store(copy + 1, 0x04030201);
	assert_memory_equal(copy, bytes, 5);
	assert_int_equal(copy[5], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(words_are_little_endian_at_any_address) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
