/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

#include <fcntl.h>
#include <sys/stat.h>

#define SECOND 1709634034

static struct session session;
static struct disk *disk;

static int make_session(void **state)
{
	(void)state;
	session.array = array_new(1024, 16);
	disk = array_add_disk(session.array, "d1", "disk/");
	disk->column = 0;
	if (mkdir("disk", 0755) < 0)
		return -1;
	session.root_fd[0] = open("disk", O_RDONLY | O_DIRECTORY);
	return session.root_fd[0] < 0;
}

static int drop_session(void **state)
{
	(void)state;
	close(session.root_fd[0]);
	array_free(session.array);
	return system("rm -r disk");
}

static void write_file(const char *path, const char *text, time_t sec, long nsec)
{
	struct timespec times[2] = { { sec, nsec }, { sec, nsec } };
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static struct file *record(const char *path, uint64_t size, int64_t sec, uint32_t nsec)
{
	return disk_add_file(disk, path, &(struct stamp){ size, sec, nsec }, 1);
}

static struct stat stat_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st;
}

static void a_file_without_gets_a_sub_second_time_on_disk_and_in_the_array(void **state)
{
	struct file *file = record("dir:/f", 5, SECOND, 0);
	struct file *other = record("fine", 5, SECOND, 77);
	struct stat st;

	(void)state;
	mkdir("disk/dir:", 0755);
	write_file("disk/dir:/f", "12345", SECOND, 0);
	write_file("disk/fine", "12345", SECOND, 77);
	assert_int_equal(capture(command_touch, &session, 0), 0);
	st = stat_of("disk/dir:/f");
	assert_int_equal(st.st_mtime, SECOND);
	assert_int_not_equal(st.st_mtim.tv_nsec, 0);
	assert_int_equal(file->stamp.mtime_nsec, st.st_mtim.tv_nsec);
	assert_int_equal(file->stamp.mtime_sec, SECOND);
	assert_int_equal(other->stamp.mtime_nsec, 77);
	assert_int_equal(stat_of("disk/fine").st_mtim.tv_nsec, 77);
	assert_int_equal(save_count, 1);
	assert_string_equal(capture_out, "Setting sub-second timestamps...\ntouch dir:/f\n\n       1 touched files\n");
	assert_non_null(strstr(capture_log, "\ntouch:d1:dir\\d/f: 1709634034."));
}

static void a_file_that_changed_since_is_left_for_the_next_sync(void **state)
{
	struct file *size = record("size", 4, SECOND, 0);
	struct file *second = record("second", 5, SECOND - 1, 0);
	struct file *within = record("within", 5, SECOND, 0);

	(void)state;
	write_file("disk/size", "12345", SECOND, 0);
	write_file("disk/second", "12345", SECOND, 0);
	write_file("disk/within", "12345", SECOND, 5);
	assert_int_equal(capture(command_touch, &session, 0), 0);
	assert_int_equal(stat_of("disk/size").st_mtim.tv_nsec, 0);
	assert_int_equal(stat_of("disk/second").st_mtim.tv_nsec, 0);
	assert_int_equal(stat_of("disk/within").st_mtim.tv_nsec, 5);
	assert_int_equal(size->stamp.mtime_nsec, 0);
	assert_int_equal(second->stamp.mtime_nsec, 0);
	assert_int_equal(within->stamp.mtime_nsec, 0);
	assert_int_equal(save_count, 0);
}

static void what_is_missing_or_a_link_now_is_left_out(void **state)
{
	(void)state;
	record("gone", 5, SECOND, 0);
	record("link", 5, SECOND, 0);
	record("dir/f", 5, SECOND, 0);
	write_file("outside", "12345", SECOND, 0);
	mkdir("away", 0755);
	write_file("away/f", "12345", SECOND, 0);
	assert_int_equal(symlink("../outside", "disk/link"), 0);
	assert_int_equal(symlink("../away", "disk/dir"), 0);
	assert_int_equal(capture(command_touch, &session, 0), 0);
	assert_int_equal(stat_of("outside").st_mtim.tv_nsec, 0);
	assert_int_equal(stat_of("away/f").st_mtim.tv_nsec, 0);
	assert_int_equal(save_count, 0);
	assert_non_null(strstr(capture_out, "\n       0 touched files\n"));
}

static void a_time_that_was_not_recorded_is_taken_over(void **state)
{
	struct file *file = record("f", 5, SECOND, NSEC_UNKNOWN);

	(void)state;
	write_file("disk/f", "12345", SECOND, 123);
	assert_int_equal(capture(command_touch, &session, 0), 0);
	assert_int_equal(stat_of("disk/f").st_mtim.tv_nsec, 123);
	assert_int_equal(file->stamp.mtime_nsec, 123);
	assert_int_equal(save_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_without_gets_a_sub_second_time_on_disk_and_in_the_array,
						make_session, drop_session),
		cmocka_unit_test_setup_teardown(a_file_that_changed_since_is_left_for_the_next_sync, make_session,
						drop_session),
		cmocka_unit_test_setup_teardown(what_is_missing_or_a_link_now_is_left_out, make_session,
						drop_session),
		cmocka_unit_test_setup_teardown(a_time_that_was_not_recorded_is_taken_over, make_session,
						drop_session),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
