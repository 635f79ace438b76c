/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static void zero_bytes_are_an_allocation_too(void **state)
{
	void *a = mem_alloc(0), *b = mem_zalloc(0), *c = mem_realloc(mem_alloc(5), 0), *d = mem_dup(NULL, 0);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_non_null(c);
	assert_non_null(d);
	free(a);
	free(b);
	free(c);
	free(d);
}

static void copies_are_equal_and_separate(void **state)
{
	char text[] = "text";
	char *a = mem_strdup(text), *b = mem_dup(text, 2), *c = mem_printf("%s %d", text, 12);

	(void)state;
	text[0] = 'n';
	assert_string_equal(a, "text");
	assert_memory_equal(b, "te", 2);
	assert_string_equal(c, "text 12");
	free(a);
	free(b);
	free(c);
}

static void aligned_memory_is_aligned(void **state)
{
	static const size_t size[] = { 0, 1, 4096, (2u << 20) - 1, 2u << 20, (4u << 20) + 77 };

	(void)state;
	for (unsigned i = 0; i < 6; ++i) {
		for (size_t align = 64; align <= 65536; align *= 32) {
			char *data = mem_aligned(size[i], align);

			assert_int_equal((uintptr_t)data % align, 0);
			if (size[i] > 0)
				memset(data, 0xff, size[i]);
			free(data);
		}
	}
}

static void grow_keeps_the_elements(void **state)
{
	struct pair {
		unsigned a, b;
	} *list = NULL;
	size_t count = 0, room = 0;

	(void)state;
	for (unsigned i = 0; i < 10000; ++i) {
		mem_grow(&list, count, &room, sizeof(*list));
		assert_true(room > count);
		list[count++] = (struct pair){ i, ~i };
	}
	for (unsigned i = 0; i < 10000; ++i) {
		assert_int_equal(list[i].a, i);
		assert_int_equal(list[i].b, ~i);
	}
	free(list);
}

static void arena_objects_are_aligned_and_do_not_overlap(void **state)
{
	struct arena *arena = arena_new();
	unsigned char *object[3000];

	(void)state;
	for (unsigned i = 0; i < 3000; ++i) {
		size_t align = (size_t)1 << (i % 7);

		object[i] = arena_alloc(arena, i, align);
		assert_int_equal((uintptr_t)object[i] % align, 0);
		memset(object[i], (int)(i % 256), i);
	}
	for (unsigned i = 0; i < 3000; ++i)
		for (unsigned k = 0; k < i; ++k)
			if (object[i][k] != i % 256)
				fail_msg("object %u was overwritten", i);
	arena_free(arena);
	arena_free(NULL);
}

static void an_arena_takes_objects_larger_than_a_chunk(void **state)
{
	struct arena *arena = arena_new();
	char *small = arena_strdup(arena, "small");
	char *large = arena_alloc(arena, 3000000, 64);
	char *after = arena_strdup(arena, "after");

	(void)state;
	memset(large, 1, 3000000);
	assert_int_equal((uintptr_t)large % 64, 0);
	assert_string_equal(small, "small");
	assert_string_equal(after, "after");
	assert_ptr_equal(after, small + sizeof("small"));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zero_bytes_are_an_allocation_too),
		cmocka_unit_test(copies_are_equal_and_separate),
		cmocka_unit_test(aligned_memory_is_aligned),
		cmocka_unit_test(grow_keeps_the_elements),
		cmocka_unit_test(arena_objects_are_aligned_and_do_not_overlap),
		cmocka_unit_test(an_arena_takes_objects_larger_than_a_chunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
