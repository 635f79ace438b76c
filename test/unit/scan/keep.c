/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "world.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

/* A file and a link, recorded. */
static void begin(struct world *w)
{
	w->array->keep_metadata = true;
	w->options.keep_metadata = true;
	world_put(w, "d1/dir/a", 2048, 5, NSEC);
	world_symlink(w, "a", "d1/dir/link");
	world_sync(w);
	w->array->changed = false;
}

static void again(struct world *w)
{
	w->array->changed = false;
	world_scan_and_apply(w);
}

/* Other data of the same size, and the time put back. */
static void edit(struct world *w, const char *path)
{
	int fd = open(world_path(w, path), O_WRONLY);

	assert_int_equal(pwrite(fd, "X", 1, 0), 1);
	close(fd);
	world_touch(w, path, 5, NSEC);
}

static void mode_owner_and_times_are_recorded(void **state)
{
	struct world *w = *state;
	const struct disk *disk = w->array->disk[0];
	const struct file *file;
	const struct link *link;
	struct stat st;

	begin(w);
	file = world_file(w, "d1/dir/a");
	assert_int_equal(stat(world_path(w, "d1/dir/a"), &st), 0);
	assert_non_null(file->kept.meta);
	assert_int_equal(file->kept.meta->mode, st.st_mode & 07777);
	assert_int_equal(file->kept.meta->uid, st.st_uid);
	assert_int_equal(file->kept.time_sec, st.st_ctim.tv_sec);
	assert_int_equal(file->kept.time_nsec, st.st_ctim.tv_nsec);
	assert_int_equal(file->kept.link_count, 1);
	link = tommy_list_head(&disk->links)->data;
	assert_int_equal(lstat(world_path(w, "d1/dir/link"), &st), 0);
	assert_int_equal(link->kept.time_sec, st.st_mtim.tv_sec);
	assert_int_equal(disk->kept_dir_count, 2);
	assert_string_equal(disk->kept_dir[0].path, "");
	assert_false(disk->kept_dir[0].has_time);
	assert_string_equal(disk->kept_dir[1].path, "dir");
	assert_true(disk->kept_dir[1].has_time);
}

static void without_a_change_nothing_is_to_be_saved(void **state)
{
	struct world *w = *state;

	begin(w);
	again(w);
	assert_false(w->array->changed);
	assert_false(world_file(w, "d1/dir/a")->suspect);
}

static void a_disk_without_anything_keeps_nothing(void **state)
{
	struct world *w = *state;

	begin(w);
	assert_int_equal(w->array->disk[1]->kept_dir_count, 0);
}

static void a_mode_is_recorded_and_no_update(void **state)
{
	struct world *w = *state;

	begin(w);
	assert_int_equal(chmod(world_path(w, "d1/dir/a"), 0751), 0);
	assert_items(w, "");
	again(w);
	assert_true(w->array->changed);
	assert_int_equal(world_file(w, "d1/dir/a")->kept.meta->mode, 0751);
	assert_false(world_file(w, "d1/dir/a")->suspect);
}

static void an_edit_behind_an_old_time_is_suspect_until_it_was_looked_at(void **state)
{
	struct world *w = *state;

	begin(w);
	edit(w, "d1/dir/a");
	again(w);
	assert_true(w->array->changed);
	assert_true(world_file(w, "d1/dir/a")->suspect);
	again(w);
	assert_false(w->array->changed);
	assert_true(world_file(w, "d1/dir/a")->suspect);
}

static void an_edit_with_a_new_time_is_an_update_and_not_suspect(void **state)
{
	struct world *w = *state;

	begin(w);
	edit(w, "d1/dir/a");
	world_touch(w, "d1/dir/a", 6, NSEC);
	again(w);
	assert_false(world_file(w, "d1/dir/a")->suspect);
}

static void a_new_name_or_link_is_a_reason_for_another_ctime(void **state)
{
	struct world *w = *state;

	begin(w);
	world_move(w, "d1/dir/a", "d1/dir/b");
	again(w);
	assert_false(world_file(w, "d1/dir/b")->suspect);
	world_link(w, "d1/dir/b", "d1/dir/c");
	again(w);
	assert_false(world_file(w, "d1/dir/b")->suspect);
}

/* As fix, or a copy from a backup, leaves it. */
static void another_inode_of_the_same_look_is_another_file_and_not_suspect(void **state)
{
	struct world *w = *state;

	begin(w);
	world_copy(w, "d1/dir/a", "d1/dir/new");
	world_move(w, "d1/dir/new", "d1/dir/a");
	again(w);
	assert_false(world_file(w, "d1/dir/a")->suspect);
}

static void on_a_replaced_disk_nothing_is_suspect(void **state)
{
	struct world *w = *state;

	begin(w);
	w->array->disk[0]->replaced = true;
	edit(w, "d1/dir/a");
	again(w);
	assert_false(world_file(w, "d1/dir/a")->suspect);
}

static void of_what_was_not_known_before_nothing_is_suspect(void **state)
{
	struct world *w = *state;

	begin(w);
	world_file(w, "d1/dir/a")->kept = (struct kept){ NULL, 0, 0, 0 };
	edit(w, "d1/dir/a");
	again(w);
	assert_false(world_file(w, "d1/dir/a")->suspect);
	assert_non_null(world_file(w, "d1/dir/a")->kept.meta);
}

static void a_directory_with_our_own_files_has_no_time(void **state)
{
	struct world *w = *state;
	char own[128];
	const char *list[] = { own };

	strcpy(own, world_path(w, "d1/dir/content"));
	w->options.own_file = list;
	w->options.own_count = 1;
	world_text(w, "d1/dir/content.side", "x");
	begin(w);
	assert_false(w->array->disk[0]->kept_dir[1].has_time);
	world_text(w, "d1/dir/content.side.tmp", "x");
	again(w);
	assert_false(w->array->changed);
}

static void a_sparse_file_is_told(void **state)
{
	struct world *w = *state;
	struct stat st;

	begin(w);
	world_put(w, "d1/sparse", 0, 5, NSEC);
	assert_int_equal(truncate(world_path(w, "d1/sparse"), 1 << 20), 0);
	assert_int_equal(stat(world_path(w, "d1/sparse"), &st), 0);
	if (st.st_blocks > 0)
		skip();
	again(w);
	assert_true(world_file(w, "d1/sparse")->kept.meta->sparse);
	assert_false(world_file(w, "d1/dir/a")->kept.meta->sparse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(mode_owner_and_times_are_recorded),
		TEST(without_a_change_nothing_is_to_be_saved),
		TEST(a_disk_without_anything_keeps_nothing),
		TEST(a_mode_is_recorded_and_no_update),
		TEST(an_edit_behind_an_old_time_is_suspect_until_it_was_looked_at),
		TEST(an_edit_with_a_new_time_is_an_update_and_not_suspect),
		TEST(a_new_name_or_link_is_a_reason_for_another_ctime),
		TEST(another_inode_of_the_same_look_is_another_file_and_not_suspect),
		TEST(on_a_replaced_disk_nothing_is_suspect),
		TEST(of_what_was_not_known_before_nothing_is_suspect),
		TEST(a_directory_with_our_own_files_has_no_time),
		TEST(a_sparse_file_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
