/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/target.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "capture.h"
#include "os/file.h"
#include "stripe/outcome.h"

static const uint8_t some_hash[64];
static const struct stamp stamp = { 5, 1000, 7 };

/* Two disks, d1 and d2, in the working directory, and what runs there. */
static struct session session;
static struct disk *disk[2];
static const char *dir;
static struct target *target;
static struct outcomes *outcomes;

static int setup(void **state)
{
	(void)state;
	if (system("rm -rf * && mkdir -p d1/inner d2 to") != 0)
		return -1;
	session = (struct session){ .array = array_new(1024, 16) };
	disk[0] = array_add_disk(session.array, "d1", "d1/");
	disk[1] = array_add_disk(session.array, "d2", "d2/");
	for (unsigned i = 0; i < COLUMN_MAX; i++)
		session.root_fd[i] = -1;
	assert_true(array_map_disks(session.array));
	for (unsigned i = 0; i < 2; i++)
		session.root_fd[disk[i]->column] = os_open_dir(disk[i]->dir);
	outcomes = outcomes_new();
	target = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	target_close(target);
	outcomes_free(outcomes);
	for (unsigned i = 0; i < 2; i++)
		os_close(session.root_fd[disk[i]->column]);
	array_free(session.array);
	return 0;
}

static int run_open(struct session *s)
{
	target = target_open(s, dir);
	return target != NULL ? 0 : -1;
}

static int run_prepare(struct session *s)
{
	return target_prepare(target, s, outcomes);
}

static int open_at(const char *path)
{
	dir = path;
	return capture(run_open, &session, 0);
}

static struct file *add_file(unsigned i, const char *path, stripe_t at)
{
	struct file *file = put_file(disk[i], path, &stamp, at, 1, BLOCK_BLK, some_hash);

	file->mark = 1;
	return file;
}

static void make_file(const char *path, const char *text, const struct stamp *of)
{
	FILE *file = fopen(path, "w");
	struct timespec times[2] = { { 0, UTIME_OMIT }, { of->mtime_sec, of->mtime_nsec } };

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void a_directory_that_is_not_there_is_refused(void **state)
{
	(void)state;
	assert_int_equal(open_at("nowhere"), -1);
	assert_non_null(strstr(capture_log, "nowhere"));
}

static void a_directory_within_a_data_disk_is_refused_whatever_its_path(void **state)
{
	(void)state;
	assert_int_equal(symlink("d1/inner", "link"), 0);
	assert_int_equal(open_at("d1"), -1);
	assert_int_equal(open_at("d1/inner"), -1);
	assert_int_equal(open_at("to/../d2"), -1);
	assert_int_equal(open_at("link"), -1);
	assert_non_null(strstr(capture_log, "d1"));
	assert_int_equal(open_at("to"), 0);
}

static void a_directory_above_the_data_disks_will_do(void **state)
{
	(void)state;
	assert_int_equal(open_at("."), 0);
}

static void a_directory_in_which_a_disk_has_its_name_is_refused(void **state)
{
	(void)state;
	add_file(1, "a", 0);
	assert_int_equal(open_at("."), 0);
	assert_int_equal(capture(run_prepare, &session, 0), -1);
	assert_non_null(strstr(capture_log, "d2"));
}

static void the_place_of_a_disk_that_is_not_there_is_refused(void **state)
{
	(void)state;
	add_file(0, "a", 0);
	os_close(session.root_fd[disk[0]->column]);
	session.root_fd[disk[0]->column] = -1;
	assert_int_equal(open_at("d1/inner"), -1);
	assert_int_equal(rename("d1", "old"), 0);
	assert_int_equal(open_at("."), 0);
	assert_int_equal(capture(run_prepare, &session, 0), -1);
	assert_non_null(strstr(capture_log, "d1"));
}

static void only_disks_of_which_something_is_selected_get_a_directory(void **state)
{
	(void)state;
	add_file(0, "a", 0)->mark = 0;
	add_file(1, "b", 0);
	assert_int_equal(open_at("to"), 0);
	assert_int_equal(capture(run_prepare, &session, 0), 0);
	assert_int_equal(target_roots(target)[disk[0]->column], -1);
	assert_true(target_roots(target)[disk[1]->column] >= 0);
	assert_int_equal(access("to/d1", F_OK), -1);
	assert_int_equal(access("to/d2", F_OK), 0);
}

static void a_link_with_the_name_of_a_disk_is_not_followed(void **state)
{
	(void)state;
	add_file(0, "a", 0);
	assert_int_equal(symlink("../d2", "to/d1"), 0);
	assert_int_equal(open_at("to"), 0);
	assert_int_equal(capture(run_prepare, &session, 0), -1);
	assert_int_equal(target_roots(target)[disk[0]->column], -1);
}

static void a_selected_hard_link_brings_the_file_along_and_no_other(void **state)
{
	struct file *file = add_file(0, "file", 0), *other = add_file(0, "other", 1);
	struct link *hard = disk_add_link(disk[0], "hard", "file", true);
	struct link *soft = disk_add_link(disk[0], "soft", "other", false);

	(void)state;
	file->mark = other->mark = 0;
	hard->mark = soft->mark = 1;
	assert_int_equal(open_at("to"), 0);
	assert_int_equal(capture(run_prepare, &session, 0), 0);
	assert_int_equal(file->mark, 1);
	assert_int_equal(other->mark, 0);
}

static void what_is_there_with_size_and_time_is_not_made_again_and_anything_else_is_told(void **state)
{
	const struct stamp later = { 5, 1000, 8 };
	struct file *there = add_file(0, "there", 0), *shorter = add_file(0, "shorter", 1);
	struct file *edited = add_file(0, "edited", 2), *folder = add_file(0, "folder", 3);
	struct file *missing = add_file(0, "missing", 4), *empty;

	(void)state;
	empty = disk_add_file(disk[0], "empty", &(struct stamp){ 0, 1000, 7 }, 1);
	empty->mark = 1;
	assert_int_equal(mkdir("to/d1", 0755), 0);
	assert_int_equal(mkdir("to/d1/folder", 0755), 0);
	make_file("to/d1/there", "12345", &stamp);
	make_file("to/d1/shorter", "1234", &stamp);
	make_file("to/d1/edited", "54321", &later);
	make_file("to/d1/empty", "", &stamp);
	assert_int_equal(open_at("to"), 0);
	assert_int_equal(capture(run_prepare, &session, 0), 0);
	assert_int_equal(there->mark, 0);
	assert_int_equal(shorter->mark, 0);
	assert_int_equal(edited->mark, 0);
	assert_int_equal(folder->mark, 0);
	assert_int_equal(missing->mark, 1);
	assert_int_equal(empty->mark, 1);
	assert_int_equal(session.errors.soft, 3);
	assert_int_equal(session.errors.unrecoverable, 3);
}

#define in_place(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_place(a_directory_that_is_not_there_is_refused),
		in_place(a_directory_within_a_data_disk_is_refused_whatever_its_path),
		in_place(a_directory_above_the_data_disks_will_do),
		in_place(a_directory_in_which_a_disk_has_its_name_is_refused),
		in_place(the_place_of_a_disk_that_is_not_there_is_refused),
		in_place(only_disks_of_which_something_is_selected_get_a_directory),
		in_place(a_link_with_the_name_of_a_disk_is_not_followed),
		in_place(a_selected_hard_link_brings_the_file_along_and_no_other),
		in_place(what_is_there_with_size_and_time_is_not_made_again_and_anything_else_is_told),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
