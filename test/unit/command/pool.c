/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

#include <fcntl.h>
#include <sys/stat.h>

static const struct stamp stamp = { 5, 1709634034, 123456789 };
static struct config config;
static struct session session;
static struct disk *a, *b;

static int make_session(void **state)
{
	static char pool[] = "pool/";

	(void)state;
	config = (struct config){ .pool = pool };
	session = (struct session){ .config = &config, .array = array_new(1024, 16) };
	a = array_add_disk(session.array, "d1", "/a/");
	b = array_add_disk(session.array, "d2", "/b/");
	return mkdir("pool", 0755);
}

static int drop_session(void **state)
{
	(void)state;
	array_free(session.array);
	return system("rm -r pool");
}

static const char *target(const char *path)
{
	static char text[256];
	ssize_t size = readlink(path, text, sizeof(text) - 1);

	if (size < 0)
		return "none";
	text[size] = '\0';
	return text;
}

static void files_and_links_of_all_disks_are_linked(void **state)
{
	struct stat st;

	(void)state;
	disk_add_file(a, "x/y/one", &stamp, 1);
	disk_add_file(b, "x/two", &stamp, 1);
	disk_add_link(b, "link", "x/two", false);
	assert_int_equal(capture(command_pool, &session, 0), 0);
	assert_string_equal(target("pool/x/y/one"), "/a/x/y/one");
	assert_string_equal(target("pool/x/two"), "/b/x/two");
	assert_string_equal(target("pool/link"), "/b/link");
	assert_int_equal(lstat("pool/x/two", &st), 0);
	assert_int_equal(st.st_mtime, 1709634034);
	assert_int_equal(st.st_mtim.tv_nsec, 123456789);
	assert_string_equal(capture_out, "Reading...\nWriting...\nCleaning...\n3 links\n");
	assert_non_null(strstr(capture_log, "summary:link_count::3\n"));
}

static void a_right_link_is_kept_and_others_replaced_or_removed(void **state)
{
	struct stat before, after;

	(void)state;
	disk_add_file(a, "keep", &stamp, 1);
	disk_add_file(a, "wrong", &stamp, 1);
	disk_add_file(a, "becomes dir/f", &stamp, 1);
	capture(command_pool, &session, 0);
	assert_int_equal(lstat("pool/keep", &before), 0);
	unlink("pool/wrong");
	assert_int_equal(system("rm -r 'pool/becomes dir'; mkdir -p pool/old/old; mkdir away; touch pool/mine away/f"), 0);
	assert_int_equal(symlink("/elsewhere", "pool/wrong"), 0);
	assert_int_equal(symlink("/elsewhere", "pool/old/old/stale"), 0);
	assert_int_equal(symlink("../away", "pool/becomes dir"), 0);

	assert_int_equal(capture(command_pool, &session, 0), 0);
	assert_null(strstr(capture_log, "WARNING"));
	assert_int_equal(lstat("pool/keep", &after), 0);
	assert_true(before.st_ino == after.st_ino && before.st_ctim.tv_nsec == after.st_ctim.tv_nsec);
	assert_string_equal(target("pool/wrong"), "/a/wrong");
	assert_string_equal(target("pool/becomes dir/f"), "/a/becomes dir/f");
	assert_int_equal(access("pool/old", F_OK), -1);
	assert_int_equal(access("pool/mine", F_OK), 0);
	assert_int_equal(access("away/f", F_OK), 0);
	assert_int_equal(system("rm -r away"), 0);
}

static void a_link_with_another_time_than_its_file_is_made_anew(void **state)
{
	struct file *file = disk_add_file(a, "f", &stamp, 1);
	struct stat st;

	(void)state;
	capture(command_pool, &session, 0);
	file->stamp.mtime_nsec = 5;
	assert_int_equal(capture(command_pool, &session, 0), 0);
	assert_int_equal(lstat("pool/f", &st), 0);
	assert_int_equal(st.st_mtim.tv_nsec, 5);
}

static void of_two_with_one_path_the_first_disk_wins(void **state)
{
	(void)state;
	disk_add_file(a, "same", &stamp, 1);
	disk_add_file(b, "same", &stamp, 1);
	disk_add_file(a, "file or dir", &stamp, 1);
	disk_add_file(b, "file or dir/f", &stamp, 1);
	disk_add_file(b, "last", &stamp, 1);
	assert_int_equal(capture(command_pool, &session, 0), 0);
	assert_string_equal(target("pool/same"), "/a/same");
	assert_string_equal(target("pool/file or dir"), "/a/file or dir");
	assert_string_equal(target("pool/last"), "/b/last");
	assert_non_null(strstr(capture_log, "msg:error: WARNING! More than one disk has 'same'"));
	assert_non_null(strstr(capture_log, "msg:error: WARNING! 'file or dir/f'"));
}

static void a_foreign_file_in_the_way_stays(void **state)
{
	(void)state;
	disk_add_file(a, "mine", &stamp, 1);
	assert_int_equal(system("echo text > pool/mine"), 0);
	assert_int_equal(capture(command_pool, &session, 0), 0);
	assert_string_equal(target("pool/mine"), "none");
	assert_non_null(strstr(capture_log, "WARNING! 'mine'"));
}

static void a_share_is_the_way_of_other_computers(void **state)
{
	static char share[] = "\\\\server";

	(void)state;
	config.share = share;
	disk_add_file(b, "f", &stamp, 1);
	assert_int_equal(capture(command_pool, &session, 0), 0);
	assert_string_equal(target("pool/f"), "\\\\server/d2/f");
}

static void a_data_disk_inside_the_pool_keeps_its_links(void **state)
{
	static char dir[] = "pool/d1/";
	struct config_disk disks[] = { { .name = a->name, .dir = dir } };

	(void)state;
	config.disk = disks;
	config.disk_count = 1;
	disk_add_file(a, "f", &stamp, 1);
	assert_int_equal(system("mkdir -p pool/d1/sub; ln -s x pool/d1/sub/link; ln -s x pool/stale"), 0);
	assert_int_equal(capture(command_pool, &session, 0), 0);
	assert_string_equal(target("pool/d1/sub/link"), "x");
	assert_string_equal(target("pool/stale"), "none");
	assert_string_equal(target("pool/f"), "/a/f");
}

static void a_pool_inside_a_data_disk_is_refused(void **state)
{
	static char dir[] = "pool/", other[] = "./pool/";
	static char below[] = "pool/x/";
	struct config_disk disks[] = { { .name = a->name, .dir = dir } };

	(void)state;
	config.disk = disks;
	config.disk_count = 1;
	assert_int_equal(system("mkdir pool/x; ln -s x pool/x/link; ln -s x pool/link"), 0);
	config.pool = below;
	assert_int_equal(capture(command_pool, &session, 0), 1);
	assert_string_equal(target("pool/x/link"), "x");
	config.pool = other;	/* the same by another name */
	assert_int_equal(capture(command_pool, &session, 0), 1);
	assert_string_equal(target("pool/link"), "x");
}

static void an_empty_array_has_no_link_and_without_a_pool_it_is_refused(void **state)
{
	(void)state;
	assert_int_equal(capture(command_pool, &session, 0), 0);
	assert_non_null(strstr(capture_out, "No link\n"));
	config.pool = NULL;
	assert_int_equal(capture(command_pool, &session, 0), 1);
}

int main(void)
{
#define POOL_TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)
	const struct CMUnitTest tests[] = {
		POOL_TEST(files_and_links_of_all_disks_are_linked),
		POOL_TEST(a_right_link_is_kept_and_others_replaced_or_removed),
		POOL_TEST(a_link_with_another_time_than_its_file_is_made_anew),
		POOL_TEST(of_two_with_one_path_the_first_disk_wins),
		POOL_TEST(a_foreign_file_in_the_way_stays),
		POOL_TEST(a_share_is_the_way_of_other_computers),
		POOL_TEST(a_data_disk_inside_the_pool_keeps_its_links),
		POOL_TEST(a_pool_inside_a_data_disk_is_refused),
		POOL_TEST(an_empty_array_has_no_link_and_without_a_pool_it_is_refused),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
