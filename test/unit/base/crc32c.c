/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include <sys/wait.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/mem.h"
#include "raid/cpu.h"

#define LONGEST	70000

static uint8_t ramp[LONGEST];

static int make_ramp(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < LONGEST; ++i)
		ramp[i] = (uint8_t)((i * 131 + 17) ^ (i >> 8));
	return 0;
}

static json_object *field(json_object *object, const char *name)
{
	json_object *value;

	if (!json_object_object_get_ex(object, name, &value))
		fail_msg("the vectors have no '%s'", name);
	return value;
}

static uint32_t hex(json_object *text)
{
	return (uint32_t)strtoul(json_object_get_string(text), NULL, 16);
}

static void it_gives_the_values_of_the_vectors(void **state)
{
	const char *top = getenv("srcdir") != NULL ? getenv("srcdir") : ".";
	char *path = mem_printf("%s/test/vectors/crc32c.json", top);
	json_object *root = json_object_from_file(path), *rows;

	(void)state;
	if (root == NULL)
		fail_msg("cannot read %s", path);
	assert_int_equal(crc32c(0, "123456789", 9), hex(field(root, "check")));
	rows = field(root, "ramp");
	assert_int_equal(json_object_array_length(rows), 16);
	for (size_t i = 0; i < json_object_array_length(rows); ++i) {
		json_object *row = json_object_array_get_idx(rows, i);
		size_t size = (size_t)json_object_get_int64(field(row, "length"));

		assert_true(size <= LONGEST);
		assert_int_equal(crc32c(0, ramp, size), hex(field(row, "crc")));
	}
	json_object_put(root);
	free(path);
}

/* The definition, bit by bit. */
static uint32_t slow_crc(const uint8_t *data, size_t size)
{
	uint32_t crc = UINT32_MAX;

	for (; size > 0; --size, ++data) {
		crc ^= *data;
		for (unsigned bit = 0; bit < 8; ++bit)
			crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return ~crc;
}

static void it_follows_the_definition_at_any_length_and_place(void **state)
{
	(void)state;
	for (size_t size = 0; size < LONGEST - 8; size += size < 100 ? 1 : 997) {
		uint8_t *data = mem_dup(ramp + size % 8, size);	/* exact, to catch a read past it */

		assert_int_equal(crc32c(0, data, size), slow_crc(data, size));
		assert_int_equal(crc32c(0, ramp + size % 8, size), slow_crc(data, size));
		free(data);
	}
}

static void pieces_give_what_the_whole_gives(void **state)
{
	uint32_t whole = crc32c(0, ramp, LONGEST);

	(void)state;
	for (size_t cut = 0; cut <= LONGEST; cut += 1 + cut / 7)
		assert_int_equal(crc32c(crc32c(0, ramp, cut), ramp + cut, LONGEST - cut), whole);
}

static void nothing_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(crc32c(0, NULL, 0), 0);
	assert_int_equal(crc32c(0x12345678, ramp, 0), 0x12345678);
}

static void the_instruction_is_used_where_there_is_one(void **state)
{
	(void)state;
	assert_string_equal(crc32c_kernel_name(), (cpu_features() & CPU_SSE42) != 0 ? "sse42" : "portable");
}

static int run_all(const char *name)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_gives_the_values_of_the_vectors),
		cmocka_unit_test(it_follows_the_definition_at_any_length_and_place),
		cmocka_unit_test(pieces_give_what_the_whole_gives),
		cmocka_unit_test(nothing_changes_nothing),
		cmocka_unit_test(the_instruction_is_used_where_there_is_one),
	};

	return _cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof(tests[0]), make_ramp, NULL);
}

/* The choice is made once in a process: the portable code gets one without the instruction. */
int main(void)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		setenv("SNAPRAID_CPU", "-sse42", 1);
		exit(run_all("portable"));
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		return 1;
	return run_all("as the CPU is");
}
