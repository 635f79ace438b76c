/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "command/metadata.h"

static struct session session;
static struct options options;
static struct config config;
static struct disk *disk;

static int make_session(void **state)
{
	(void)state;
	memset(&session, 0, sizeof session);
	memset(&options, 0, sizeof options);
	session.options = &options;
	session.config = &config;
	session.array = array_new(1024, 16);
	session.array->keep_metadata = true;
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

static struct meta *meta_of(uint32_t mode)
{
	return meta_intern(session.array->metas, &(struct meta){ .mode = mode, .uid = getuid(), .gid = getgid() });
}

/* Directories as the walk meets them, each with its mode and a time. */
static void keep_dirs(const char *const *path, const uint32_t *mode, size_t count)
{
	disk->kept_dir = mem_zalloc(count * sizeof(*disk->kept_dir));
	disk->kept_dir_count = count;
	for (size_t i = 0; i < count; i++)
		disk->kept_dir[i] = (struct kept_dir){ .path = path[i], .meta = meta_of(mode[i]), .has_time = true,
						       .mtime_sec = 1000 + (int64_t)i };
}

static struct file *record(const char *path)
{
	struct file *file = disk_add_file(disk, path, &(struct stamp){ 5, 1000, 0 }, 1);

	file->mark = 1;
	return file;
}

static void assert_is(const char *path, uint32_t mode, time_t time)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, mode);
	assert_int_equal(st.st_mtim.tv_sec, time);
}

static int restore(struct session *at)
{
	struct metadata *metadata = metadata_begin(at, at->root_fd);

	assert_non_null(metadata);
	/* Nobody may look into a private directory meanwhile, and its owner can write into any. */
	assert_int_equal(system("test $(stat -c %a disk/a) = 711 && test $(stat -c %a disk/a/b) = 740"), 0);
	assert_int_equal(system("echo data > disk/a/b/file"), 0);
	metadata_end(metadata);
	return 0;
}

static void missing_directories_get_mode_and_time_after_what_is_in_them(void **state)
{
	static const char *const path[] = { "", "a", "a/b", "other", "there" };
	static const uint32_t mode[] = { 0755, 0711, 0540, 0700, 0700 };

	(void)state;
	keep_dirs(path, mode, 5);
	record("a/b/file");
	record("there/file");
	assert_int_equal(mkdir("disk/there", 0755), 0);
	assert_int_equal(capture(restore, &session, 0), 0);
	assert_is("disk/a", 0711, 1001);
	assert_is("disk/a/b", 0540, 1002);
	assert_int_equal(access("disk/other", F_OK), -1);
	assert_int_equal(system("test $(stat -c %a disk/there) = 755"), 0);
	chmod("disk/a/b", 0755);
}

static int begin(struct session *at)
{
	return metadata_begin(at, at->root_fd) == NULL;
}

static void without_keep_metadata_there_is_none(void **state)
{
	(void)state;
	session.array->keep_metadata = false;
	assert_int_equal(capture(begin, &session, 0), 1);
}

static void put_back_is_for_what_is_selected_and_there(void **state)
{
	static const char *const path[] = { "a" };
	static const uint32_t mode[] = { 0711 };

	(void)state;
	keep_dirs(path, mode, 1);
	record("a/file")->kept.meta = meta_of(0640);
	record("a/gone")->kept.meta = meta_of(0640);
	record("plain");
	assert_int_equal(system("mkdir disk/a && echo data > disk/a/file && echo x > disk/plain &&"
				"chmod 644 disk/a/file disk/plain"), 0);
	assert_int_equal(capture(metadata_put_back, &session, 0), 0);
	assert_int_equal(system("test $(stat -c %a disk/a) = 711 && test $(stat -c %a disk/a/file) = 640 &&"
				"test $(stat -c %a disk/plain) = 644"), 0);
	assert_non_null(strstr(capture_log, "\nsummary:meta:1:1\n"));
	assert_int_equal(access("disk/a/gone", F_OK), -1);
}

static void nothing_known_is_an_error_and_not_a_success(void **state)
{
	(void)state;
	record("a");
	assert_int_equal(capture(metadata_put_back, &session, 0), EXIT_FAILURE);
}

static void a_link_in_the_place_of_a_file_is_not_followed(void **state)
{
	struct file *file = record("file");

	(void)state;
	file->kept.meta = meta_of(0600);
	assert_int_equal(system("echo x > disk/outside && chmod 644 disk/outside && ln -s outside disk/file"), 0);
	metadata_set_file(&session, disk, session.root_fd[0], file);
	assert_int_equal(system("test $(stat -c %a disk/outside) = 644"), 0);
}

int main(void)
{
#define with_session(test) cmocka_unit_test_setup_teardown(test, make_session, drop_session)
	const struct CMUnitTest tests[] = {
		with_session(missing_directories_get_mode_and_time_after_what_is_in_them),
		with_session(without_keep_metadata_there_is_none),
		with_session(put_back_is_for_what_is_selected_and_there),
		with_session(nothing_known_is_an_error_and_not_a_success),
		with_session(a_link_in_the_place_of_a_file_is_not_followed),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
