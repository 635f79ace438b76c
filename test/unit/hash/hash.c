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

#include "base/mem.h"
#include "hash/kernel.h"
#include "raid/cpu.h"

#define LONGEST	262144

static uint8_t pattern[3][LONGEST];	/* as the vectors name them: ramp, lcg, zero */
static const char *const pattern_name[3] = { "ramp", "lcg", "zero" };

static int make_patterns(void **state)
{
	uint32_t x = 1;

	(void)state;
	for (uint32_t i = 0; i < LONGEST; ++i) {
		x = (x * 1103515245 + 12345) & 0x7fffffff;
		pattern[0][i] = (uint8_t)((i * 131 + 17) ^ (i >> 8));
		pattern[1][i] = (uint8_t)(x >> 16);
	}
	return 0;
}

static void parse_hex(const char *text, uint8_t bytes[16])
{
	for (unsigned i = 0; i < 16; ++i)
		assert_int_equal(sscanf(text + 2 * i, "%2hhx", &bytes[i]), 1);
}

static json_object *field(json_object *object, const char *name)
{
	json_object *value;

	if (!json_object_object_get_ex(object, name, &value))
		fail_msg("the vectors have no '%s'", name);
	return value;
}

/* Every vector of one seed and pattern, by hash_block() and by each kernel. */
static unsigned check_vectors(const struct hash_key *key, const uint8_t *data, json_object *lengths,
			      json_object *digests)
{
	size_t count = json_object_array_length(digests);

	assert_int_equal(json_object_array_length(lengths), count);
	for (size_t i = 0; i < count; ++i) {
		struct hash_task task = { .data = data }, *queue = &task;
		uint8_t expected[16], digest[16];

		task.size = (size_t)json_object_get_int64(json_object_array_get_idx(lengths, i));
		assert_true(task.size <= LONGEST);
		parse_hex(json_object_get_string(json_object_array_get_idx(digests, i)), expected);
		hash_block(key, data, task.size, digest);
		assert_memory_equal(digest, expected, 16);
		memset(digest, 0, 16);
		hash_blocks(key, &queue, 1);
		assert_memory_equal(task.digest, expected, 16);
	}
	return (unsigned)count;
}

static void check_kind(enum hash_kind kind)
{
	const char *top = getenv("srcdir") != NULL ? getenv("srcdir") : ".";
	char *path = mem_printf("%s/test/vectors/hash-%s.json", top, hash_by_kind(kind)->name);
	json_object *root = json_object_from_file(path);
	struct hash_key key = { .kind = kind };
	unsigned checked = 0;

	if (root == NULL)
		fail_msg("cannot read %s", path);
	json_object_object_foreach(field(root, "seeds"), name, row) {
		(void)name;
		parse_hex(json_object_get_string(field(row, "seed")), key.seed);
		for (unsigned p = 0; p < 3; ++p) {
			json_object *lengths = field(root, p == 2 ? "zero_lengths" : "lengths");

			checked += check_vectors(&key, pattern[p], lengths, field(row, pattern_name[p]));
		}
	}
	assert_int_equal(checked, 2 * (2 * 304 + 17));
	json_object_put(root);
	free(path);
}

static void murmur3_gives_the_digests_of_the_vectors(void **state)
{
	(void)state;
	check_kind(HASH_MURMUR3);
}

static void spooky2_gives_the_digests_of_the_vectors(void **state)
{
	(void)state;
	check_kind(HASH_SPOOKY2);
}

static void murmur3_of_the_pangram_is_as_published(void **state)
{
	static const char text[] = "The quick brown fox jumps over the lazy dog";
	const struct hash_key key = { .kind = HASH_MURMUR3 };
	uint8_t digest[16], expected[16];

	(void)state;
	parse_hex("c383152f672ceeec6cf67b5d2c1de9e5", expected);
	hash_block(&key, text, strlen(text), digest);
	assert_memory_equal(digest, expected, 16);
}

static void kinds_are_found_by_letter_and_kind(void **state)
{
	(void)state;
	assert_int_equal(hash_by_letter('u')->kind, HASH_MURMUR3);
	assert_string_equal(hash_by_letter('u')->name, "murmur3");
	assert_int_equal(hash_by_letter('k')->kind, HASH_SPOOKY2);
	assert_string_equal(hash_by_letter('k')->name, "spooky2");
	assert_null(hash_by_letter('m'));
	assert_null(hash_by_letter('\0'));
	assert_int_equal(hash_by_kind(HASH_MURMUR3)->letter, 'u');
	assert_int_equal(hash_by_kind(HASH_SPOOKY2)->letter, 'k');
	assert_null(hash_by_kind(HASH_NONE));
}

static void the_best_kind_follows_the_size_of_registers(void **state)
{
	(void)state;
	assert_int_equal(hash_best(), sizeof(void *) == 8 ? HASH_SPOOKY2 : HASH_MURMUR3);
}

static void without_a_calibration_the_last_that_may_run_is_used(void **state)
{
	(void)state;
	for (enum hash_kind kind = HASH_MURMUR3; kind <= HASH_SPOOKY2; ++kind) {
		const char *last = NULL;

		for (unsigned i = 0; hash_kernel_table[i] != NULL; ++i)
			if (hash_kernel_table[i]->kind == kind &&
			    (hash_kernel_table[i]->needs & ~cpu_features_advised()) == 0)
				last = hash_kernel_table[i]->name;
		assert_string_equal(hash_kernel_name(kind), last);
		assert_string_equal(hash_choice(kind).kernel, last);
		assert_int_equal(hash_choice(kind).bytes_per_second, 0);
	}
}

/* A clock that goes on more slowly while the scalar code runs than while any other does cannot be made here:
 * so one that stands still, by which all are equal and the expected one stays, and one that runs away. */
static uint64_t clock_step, clock_now;

static uint64_t fake_clock(void)
{
	return clock_now += clock_step;
}

static void a_calibration_keeps_to_its_time_and_settles_ties_as_expected(void **state)
{
	struct hash_task task[6], *queue[6];
	char *expected = mem_strdup(hash_kernel_name(HASH_SPOOKY2));

	(void)state;
	for (unsigned i = 0; i < 6; ++i) {
		task[i] = (struct hash_task){ .data = pattern[1], .size = 4096 };
		queue[i] = &task[i];
	}
	clock_step = 1000;
	hash_tune(HASH_SPOOKY2, queue, 6, fake_clock, 1000000);
	assert_string_equal(hash_kernel_name(HASH_SPOOKY2), expected);
	assert_true(hash_choice(HASH_SPOOKY2).bytes_per_second > 0);

	/* Once is enough. */
	clock_now = 0;
	hash_tune(HASH_SPOOKY2, queue, 6, fake_clock, 1000000);
	assert_true(clock_now <= 1000);

	/* No time at all: what was expected is kept. */
	free(expected);
	expected = mem_strdup(hash_kernel_name(HASH_MURMUR3));
	hash_tune(HASH_MURMUR3, queue, 6, fake_clock, 0);
	assert_string_equal(hash_kernel_name(HASH_MURMUR3), expected);
	free(expected);
}

static void a_kernel_asked_for_is_used(void **state)
{
	(void)state;
	assert_int_equal(hash_force("no such"), -1);
	assert_int_equal(hash_force("scalar"), 0);
	assert_string_equal(hash_kernel_name(HASH_MURMUR3), "scalar");
	assert_string_equal(hash_kernel_name(HASH_SPOOKY2), "scalar");
}

static int run_all(const char *name)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(murmur3_gives_the_digests_of_the_vectors),
		cmocka_unit_test(spooky2_gives_the_digests_of_the_vectors),
		cmocka_unit_test(murmur3_of_the_pangram_is_as_published),
		cmocka_unit_test(kinds_are_found_by_letter_and_kind),
		cmocka_unit_test(the_best_kind_follows_the_size_of_registers),
		cmocka_unit_test(without_a_calibration_the_last_that_may_run_is_used),
		cmocka_unit_test(a_calibration_keeps_to_its_time_and_settles_ties_as_expected),
		cmocka_unit_test(a_kernel_asked_for_is_used),
	};

	return _cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof(tests[0]), make_patterns, NULL);
}

/* The choice is made once in a process: the scalar code gets one without the vectors. */
int main(void)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		setenv("SNAPRAID_CPU", "-avx2", 1);
		exit(run_all("scalar"));
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		return 1;
	return run_all("as the CPU is");
}
