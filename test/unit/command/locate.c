/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

static const uint8_t some_hash[64];

static struct array *make_array(void)
{
	struct array *array = array_new(1024, 16);
	struct disk *d1 = array_add_disk(array, "d1", "/a/");
	struct disk *d2 = array_add_disk(array, "d2", "/b/");
	struct file *file;

	put_file(d1, "first", &(struct stamp){ 2000, 1, 1 }, 0, 2, BLOCK_BLK, some_hash);
	put_file(d1, "empty", &(struct stamp){ 0, 1, 1 }, 0, 0, BLOCK_BLK, some_hash);
	file = put_file(d1, "in two", &(struct stamp){ 3000, 1, 1 }, 3, 1, BLOCK_BLK, some_hash);
	assert_non_null(extent_insert(d1->map, file, 1, 8, 2, BLOCK_BLK, (uint8_t *)(uintptr_t)some_hash, false));
	put_file(d2, "b", &(struct stamp){ 1024, 1, 1 }, 1, 1, BLOCK_BLK, some_hash);
	/* Parted by a change of state only. */
	file = put_file(d2, "half synced", &(struct stamp){ 2048, 1, 1 }, 5, 1, BLOCK_BLK, some_hash);
	assert_non_null(extent_insert(d2->map, file, 1, 6, 1, BLOCK_CHG, (uint8_t *)(uintptr_t)some_hash, false));
	return array;
}

static void files_are_sorted_by_where_they_end(void **state)
{
	struct options options = { .tail_bytes = 0 };
	struct session session = { .array = make_array(), .options = &options };

	(void)state;
	assert_int_equal(capture(command_locate, &session, 0), 0);
	assert_non_null(strstr(capture_out, "The parity has 10240 bytes. The files in it"));
	assert_non_null(strstr(capture_out, "Name\n"
					    "           0         2048        1 first\n"
					    "        1024         1024        1 b\n"
					    "        5120         2048        1 half\\ synced\n"
					    "        3072         7168        2 in\\ two\n"
					    "\n       4 files, with 8072 bytes\n"));
	assert_non_null(strstr(capture_log, "\nlocate:d1:in two:3072:7168:2\n"));
	array_free(session.array);
}

static void check_tail(uint64_t tail, const char *head, const char *total)
{
	struct options options = { .tail_bytes = tail };
	struct session session = { .array = make_array(), .options = &options };

	assert_int_equal(capture(command_locate, &session, 0), 0);
	assert_non_null(strstr(capture_out, head));
	assert_non_null(strstr(capture_out, total));
	array_free(session.array);
}

static void a_tail_is_rounded_up_to_blocks(void **state)
{
	(void)state;
	check_tail(1, "reach to byte 9216 ", "       1 files, with 3000 bytes");
	check_tail(1024, "reach to byte 9216 ", "       1 files, with 3000 bytes");
	check_tail(3072, "reach to byte 7168 ", "       1 files, with 3000 bytes");
	check_tail(3073, "reach to byte 6144 ", "       2 files, with 5048 bytes");
}

static void a_tail_longer_than_the_parity_is_all_of_it(void **state)
{
	(void)state;
	check_tail(10240, "The files in it", "       4 files, with 8072 bytes");
	check_tail(UINT64_MAX, "The files in it", "       4 files, with 8072 bytes");
}

static void an_array_without_blocks_has_nothing_to_locate(void **state)
{
	struct options options = { .tail_bytes = 1024 };
	struct session session = { .array = array_new(1024, 16), .options = &options };

	(void)state;
	assert_int_equal(capture(command_locate, &session, 0), 0);
	assert_non_null(strstr(capture_out, "       0 files, with 0 bytes"));
	array_free(session.array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_sorted_by_where_they_end),
		cmocka_unit_test(a_tail_is_rounded_up_to_blocks),
		cmocka_unit_test(a_tail_longer_than_the_parity_is_all_of_it),
		cmocka_unit_test(an_array_without_blocks_has_nothing_to_locate),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
