/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As much of cmocka as the unit tests of raid/ and of the hash kernels use, for CPUs it is not installed for. The first failure ends
 * the program. */
#ifndef TEST_CROSS_CMOCKA_H
#define TEST_CROSS_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*run)(void **state);
};

#define cmocka_unit_test(f) { #f, f }

#define fail_msg(...)                                                       \
	do {                                                                \
		printf("%s:%d: ", __FILE__, __LINE__);                      \
		printf(__VA_ARGS__);                                        \
		putchar('\n');                                              \
		exit(1);                                                    \
	} while (0)

#define assert_true(c)                                                      \
	do {                                                                \
		if (!(c))                                                   \
			fail_msg("not true: %s", #c);                       \
	} while (0)
#define assert_false(c)		     assert_true(!(c))
#define assert_null(p)		     assert_true((p) == NULL)
#define assert_non_null(p)	     assert_true((p) != NULL)
#define assert_ptr_equal(a, b)	     assert_true((const void *)(a) == (const void *)(b))
#define assert_int_equal(a, b)	     assert_true((unsigned long long)(a) == (unsigned long long)(b))
#define assert_string_equal(a, b)    assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)
#define assert_memory_not_equal(a, b, n) assert_true(memcmp(a, b, n) != 0)

static inline int cmocka_run(const struct CMUnitTest *test, size_t count, int (*setup)(void **),
			     int (*teardown)(void **))
{
	void *state = NULL;

	if (setup != NULL && setup(&state) != 0)
		return 1;
	for (size_t i = 0; i < count; ++i)
		test[i].run(&state);
	printf("%zu passed\n", count);
	return teardown != NULL ? teardown(&state) : 0;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
	cmocka_run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#endif
