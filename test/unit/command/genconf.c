/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

#include "base/buf.h"

static const char *content_path;

static int run(struct session *session)
{
	(void)session;
	return command_gen_conf(content_path);
}

static void save(struct array *array, const char *path)
{
	content_path = path;
	assert_int_equal(content_save(&content_path, 1, array), 0);
	array_free(array);
}

static struct array *make_array(const char *file_name)
{
	static const uint8_t hash[16] = { 1 };
	struct array *array = array_new(4096, 8);
	struct stamp stamp = { 4096, 1, 1 };
	struct disk *disk;

	array->hash.kind = HASH_SPOOKY2;
	array->level_count = 2;
	array->level[0] = (struct level){ .name = "parity", .split_count = 1 };
	array->level[0].split[0] = (struct split){ .path = mem_strdup("/p/old"), .uuid = mem_strdup("11-22"),
						   .size_bytes = 4096 };
	array->level[1] = (struct level){ .name = "2-parity", .split_count = 2 };
	array->level[1].split[0] = (struct split){ .path = mem_strdup("/q/1"), .uuid = mem_strdup(""),
						   .size_bytes = 4096 };
	array->level[1].split[1] = (struct split){ .path = mem_strdup("/q/2"), .uuid = mem_strdup("") };
	disk = array_add_disk(array, "d1", "/a/");
	free(disk->uuid);
	disk->uuid = mem_strdup("aa-bb");
	put_file(disk, file_name, &stamp, 0, 1, BLOCK_BLK, hash);
	info_set(array->info, 0, &(struct info){ .time = 800 });
	assert_true(array_map_disks(array));
	return array;
}

/* The lines that the program would take for directives. */
static char *directives(void)
{
	struct buf text = { 0 };
	char *rest = capture_out;
	char *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (line[0] != '#' && line[0] != '\0' && strncmp(line, "Loading", 7) != 0)
			buf_printf(&text, "%s\n", line);
	}
	return text.data;
}

static void the_directives_are_those_of_the_array(void **state)
{
	char *found;

	(void)state;
	save(make_array("dir/file"), "content");
	assert_int_equal(capture(run, NULL, 0), 0);
	assert_non_null(strstr(capture_out, "/p/old, 4096 bytes, on the file system with UUID 11-22\n"));
	assert_non_null(strstr(capture_out, "UUID aa-bb\n"));
	assert_non_null(strstr(capture_out, "dir/file\n"));
	found = directives();
	assert_string_equal(found, "blocksize 4\nhashsize 8\nparity PATH_OF_THE_PARITY_FILE\n"
				   "2-parity PATH_OF_THE_PARITY_FILES_SEPARATED_BY_COMMAS\n"
				   "content content\ndata d1 DIRECTORY_OF_THE_DISK\n");
	free(found);
}

static void a_name_with_a_line_end_becomes_no_directive(void **state)
{
	char *found;

	(void)state;
	save(make_array("x\npool /etc"), "content");
	assert_int_equal(capture(run, NULL, 0), 0);
	found = directives();
	assert_null(strstr(found, "pool"));
	free(found);
}

static void a_missing_file_gives_the_form_and_a_damaged_one_nothing(void **state)
{
	FILE *file;

	(void)state;
	content_path = "nowhere";
	assert_int_equal(capture(run, NULL, 0), 0);
	assert_non_null(strstr(capture_out, "\ncontent nowhere\n"));

	content_path = "damaged";
	file = fopen(content_path, "w");
	assert_non_null(file);
	fputs("SNAPCNT2\n\3\0\0", file);
	fclose(file);
	assert_int_equal(capture(run, NULL, 0), 1);
	assert_null(strstr(capture_out, "blocksize"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_directives_are_those_of_the_array),
		cmocka_unit_test(a_name_with_a_line_end_becomes_no_directive),
		cmocka_unit_test(a_missing_file_gives_the_form_and_a_damaged_one_nothing),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
