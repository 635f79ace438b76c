/* SPDX-License-Identifier: GPL-3.0-or-later */
/* behaviour.md 3.3: each row of the decision table and of the scenarios. */
#include <stdio.h>

#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

static void first_scan_adds_all_and_a_second_one_finds_all_equal(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/dir/empty", 0, 101, NSEC);
	world_symlink(w, "a", "d1/link");
	world_put(w, "d2/b", 10, 102, 0);
	assert_items(w, "add:d1:a\nadd:d1:dir/empty\nadd:d1:link\nadd:d2:b\n");
	assert_true(scan_differs(w->scan));
	world_scan_and_apply(w);
	assert_true(w->array->changed);
	assert_items(w, "");
	assert_false(scan_differs(w->scan));
	assert_int_equal(scan_counts(w->scan)->equal, 4);
	w->array->changed = false;
	world_scan_and_apply(w);
	assert_false(w->array->changed);	/* they keep their places until they are synced */
	world_sync(w);
	world_scan_and_apply(w);
	assert_false(w->array->changed);
}

/* Recorded in the order m a z k, met in that of the names. */
static void check_other_order(struct world *w)
{
	world_put(w, "d1/m", 10, 100, NSEC);
	world_sync(w);
	world_put(w, "d1/a", 20, 100, NSEC);
	world_put(w, "d1/z", 30, 100, NSEC);
	world_sync(w);
	world_put(w, "d1/k", 40, 100, NSEC);
	world_sync(w);
	assert_items(w, "");
	assert_int_equal(scan_counts(w->scan)->equal, 4);
	world_put(w, "d1/b", 50, 100, NSEC);
	world_remove(w, "d1/k");
	world_touch(w, "d1/m", 200, NSEC);
	assert_items(w, "add:d1:b\nupdate:d1:m: 10 100.123456789 -> 10 200.123456789\nremove:d1:k\n");
	assert_int_equal(scan_counts(w->scan)->equal, 2);
}

static void files_met_in_another_order_than_recorded_are_equal(void **state)
{
	check_other_order(*state);
}

static void files_met_in_another_order_than_recorded_are_equal_without_inodes(void **state)
{
	world_trust(*state, false);
	check_other_order(*state);
}

static void a_renamed_file_is_moved(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/keep", 10, 100, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/z");
	assert_items(w, "move:d1:a:z\n");
	world_scan_and_apply(w);
	assert_true(w->array->changed);
	assert_null(world_file(w, "d1/a"));
	assert_layout(w, 0, "z@0+3:b keep@3+1:b");
	assert_items(w, "");
}

static void a_renamed_file_is_known_by_inode_and_time_where_inodes_are_not_trusted(void **state)
{
	struct world *w = *state;

	world_trust(w, false);
	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/keep", 10, 100, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/z");
	assert_items(w, "move:d1:a:z\n");
	world_scan_and_apply(w);
	assert_layout(w, 0, "z@0+3:b keep@3+1:b");
	assert_true(world_file(w, "d1/z")->suspect);	/* its data will be looked at */
	assert_false(world_file(w, "d1/keep")->suspect);
}

static void but_not_if_its_time_is_of_many(void **state)
{
	struct world *w = *state;

	world_trust(w, false);
	world_put(w, "d1/a", 3000, 100, 0);
	world_put(w, "d1/b", 3000, 100, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/y");
	world_move(w, "d1/b", "d1/z");
	world_touch(w, "d1/z", 101, NSEC);
	assert_items(w, "add:d1:y\nadd:d1:z\nremove:d1:a\nremove:d1:b\n");
}

static void nor_if_the_disk_is_another_one(void **state)
{
	struct world *w = *state;

	world_trust(w, false);
	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/z");
	w->array->disk[0]->replaced = true;
	assert_items(w, "add:d1:z\nremove:d1:a\n");
}

static void a_move_to_another_directory_is_one_whether_inodes_are_trusted_or_not(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/x/a", 3000, 100, NSEC);
	world_sync(w);
	world_move(w, "d1/x/a", "d1/y/a");
	assert_items(w, "move:d1:x/a:y/a\n");
	world_trust(w, false);
	assert_items(w, "move:d1:x/a:y/a\n");
}

static void a_copy_in_another_directory_is_a_relocation(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/x/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/x/a", "d1/y/a");
	world_remove(w, "d1/x/a");
	assert_items(w, "relocate:d1:x/a:d1:y/a\n");
	assert_int_equal(scan_counts(w->scan)->removed, 0);
	world_scan_and_apply(w);
	assert_layout(w, 0, "y/a@0+3:p");
	assert_items(w, "");
}

static void a_time_with_fewer_digits_is_looked_at(void **state)
{
	static const uint32_t same[] = { 0, 123000000, 123456000, 123456700 }, other[] = { 123456780, 120000000, 1 };
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	for (unsigned i = 0; i < 4; ++i) {
		world_touch(w, "d1/a", 100, same[i]);
		assert_items(w, "restore:d1:a\n");
	}
	for (unsigned i = 0; i < 3; ++i) {
		world_touch(w, "d1/a", 100, other[i]);
		assert_int_equal(world_scan(w) ? scan_counts(w->scan)->updated : 0, 1);
	}
	world_put(w, "d1/a", 2999, 100, 0);
	assert_int_equal(world_scan(w) ? scan_counts(w->scan)->updated : 0, 1);
	world_put(w, "d1/a", 3000, 100, 0);
	world_scan_and_apply(w);
	assert_true(world_file(w, "d1/a")->suspect && world_file(w, "d1/a")->assumed);
	assert_int_equal(world_file(w, "d1/a")->stamp.mtime_nsec, 0);
	world_file(w, "d1/a")->suspect = false;
	world_touch(w, "d1/a", 100, NSEC);		/* the other way round */
	assert_items(w, "restore:d1:a\n");
}

static void two_names_swapped_are_two_moves(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/b", 2000, 200, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/t");
	world_move(w, "d1/b", "d1/a");
	world_move(w, "d1/t", "d1/b");
	world_trust(w, false);
	assert_items(w, "move:d1:b:a\nmove:d1:a:b\n");
	world_trust(w, true);
	assert_items(w, "move:d1:b:a\nmove:d1:a:b\n");
	world_scan_and_apply(w);
	assert_layout(w, 0, "b@0+3:b a@3+2:b");
	assert_items(w, "");
}

static void of_two_files_with_one_time_the_path_tells_which_it_is_and_it_is_looked_at(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/b", 3000, 100, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/t");
	world_move(w, "d1/b", "d1/a");
	world_move(w, "d1/t", "d1/b");
	world_trust(w, true);
	assert_items(w, "restore:d1:a\nrestore:d1:b\n");
	world_scan_and_apply(w);
	assert_layout(w, 0, "a@0+3:b b@3+3:b");
	assert_true(world_file(w, "d1/a")->suspect && world_file(w, "d1/b")->suspect);
	assert_false(world_file(w, "d1/a")->assumed);
	assert_items(w, "");
}

static void but_not_where_the_file_of_that_path_has_another_one_now(void **state)
{
	static const char *const other[] = { "d1/0", "d1/z" };	/* seen before and after it */
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/b", 3000, 100, NSEC);
	world_sync(w);
	world_trust(w, true);
	for (unsigned i = 0; i < 2; ++i) {
		world_move(w, "d1/a", other[i]);
		world_move(w, "d1/b", "d1/a");
		assert_items(w, i == 0 ? "move:d1:a:0\nmove:d1:b:a\n" : "move:d1:b:a\nmove:d1:a:z\n");
		world_move(w, "d1/a", "d1/b");
		world_move(w, other[i], "d1/a");
	}
}

static void a_rename_over_another_file_is_a_move_and_a_removal(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/b", 2000, 200, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/b");
	world_trust(w, false);
	assert_items(w, "move:d1:a:b\nremove:d1:b\n");
	world_trust(w, true);
	assert_items(w, "move:d1:a:b\nremove:d1:b\n");
	world_scan_and_apply(w);
	assert_layout(w, 0, "b@0+3:b @3+2:o");
}

static void a_log_that_was_rotated_is_a_move_and_an_addition(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/log", 3000, 100, NSEC);
	world_sync(w);
	world_move(w, "d1/log", "d1/log.1");
	world_put(w, "d1/log", 0, 200, NSEC);
	assert_items(w, "add:d1:log\nmove:d1:log:log.1\n");
	assert_int_equal(scan_check(w->scan, &(struct scan_guard){ 0 }), 0);
}

static void a_file_replaced_by_its_copy_is_restored_or_equal(void **state)
{
	struct world *w = *state;
	uint64_t inode;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	inode = world_file(w, "d1/a")->inode;
	world_copy(w, "d1/a", "d1/t");
	world_move(w, "d1/t", "d1/a");
	world_trust(w, false);
	assert_items(w, "");
	world_trust(w, true);
	assert_items(w, "restore:d1:a\n");
	world_scan_and_apply(w);
	assert_true(w->array->changed);
	assert_int_not_equal(world_file(w, "d1/a")->inode, inode);
	assert_layout(w, 0, "a@0+3:b");
	assert_items(w, "");
}

static void a_new_inode_alone_needs_no_save_where_inodes_mean_nothing(void **state)
{
	struct world *w = *state;

	world_trust(w, false);
	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	world_copy(w, "d1/a", "d1/t");
	world_move(w, "d1/t", "d1/a");
	world_scan_and_apply(w);
	assert_false(w->array->changed);
	/* With a UUID that is not the recorded one they will be trusted once saved. */
	w->array->disk[0]->uuid_now = strdup("new");
	world_copy(w, "d1/a", "d1/t");
	world_move(w, "d1/t", "d1/a");
	world_scan_and_apply(w);
	assert_true(w->array->changed);
}

static void a_touched_file_is_updated(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/b", 10, 100, NSEC);
	world_sync(w);
	world_touch(w, "d1/a", 100, 5000000);
	assert_items(w, "update:d1:a: 3000 100.123456789 -> 3000 100.005000000\n");
	world_scan_and_apply(w);
	assert_layout(w, 0, "a@0+3:g b@3+1:b");
	assert_items(w, "");
}

static void bytes_changed_behind_size_and_time_are_not_seen(void **state)
{
	struct world *w = *state;

	world_text(w, "d1/a", "old");
	world_sync(w);
	world_text(w, "d1/a", "new");
	assert_items(w, "");
}

static void nanoseconds_not_known_when_recorded_match_any_and_are_learnt(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	world_file(w, "d1/a")->stamp.mtime_nsec = NSEC_UNKNOWN;
	assert_items(w, "");
	world_scan_and_apply(w);
	assert_true(w->array->changed);
	assert_int_equal(world_file(w, "d1/a")->stamp.mtime_nsec, NSEC);
}

static void an_inode_with_another_stamp_says_nothing(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_sync(w);
	world_move(w, "d1/a", "d1/b");
	world_touch(w, "d1/b", 500, NSEC);
	assert_items(w, "add:d1:b\nremove:d1:a\n");
}

static void times_before_1970_and_after_2106_are_times_like_others(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/old", 10, -2000000000, 1);
	world_put(w, "d1/new", 10, 10413792000, 999999999);
	world_sync(w);
	assert_items(w, "");
}

static void paths_of_one_inode_are_one_file_and_links_to_it(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_link(w, "d1/a", "d1/b");
	world_link(w, "d1/a", "d1/c/d");
	assert_items(w, "add:d1:a\nadd:d1:b\nadd:d1:c/d\n");
	world_sync(w);
	assert_int_equal(w->array->disk[0]->file_count, 1);
	assert_int_equal(w->array->disk[0]->link_count, 2);
	for (struct tommy_node *n = tommy_list_head(&w->array->disk[0]->links); n != NULL; n = n->next) {
		assert_true(((struct link *)n->data)->hard);
		assert_string_equal(((struct link *)n->data)->target, "a");
	}
	assert_items(w, "");
	world_link(w, "d1/a", "d1/e");
	assert_items(w, "add:d1:e\n");
}

static void the_path_that_was_the_file_stays_the_file(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/m", 3000, 100, NSEC);
	world_sync(w);
	world_link(w, "d1/m", "d1/a");		/* met before */
	assert_items(w, "add:d1:a\n");
	world_trust(w, false);
	assert_items(w, "add:d1:a\n");
}

/* The hard links of d1 in the order of the record, all to the file `target`. */
static void assert_links(struct world *w, const char *paths, const char *target)
{
	char text[128] = "";

	for (struct tommy_node *n = tommy_list_head(&w->array->disk[0]->links); n != NULL; n = n->next) {
		const struct link *link = n->data;

		assert_true(link->hard);
		assert_string_equal(link->target, target);
		if (text[0] != '\0')
			strcat(text, " ");
		strcat(text, link->path);
	}
	assert_string_equal(text, paths);
	assert_string_equal(((struct file *)tommy_list_head(&w->array->disk[0]->files)->data)->path, target);
}

static void the_path_met_first_is_the_file_in_the_record(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/m", 3000, 100, NSEC);
	world_sync(w);
	world_link(w, "d1/m", "d1/b");
	world_scan_and_apply(w);
	assert_links(w, "m", "b");
	assert_layout(w, 0, "b@0+3:b");
	assert_items(w, "");
	/* Not if nothing changed: then the order of the walk did. */
	world_sync(w);
	world_file(w, "d1/b")->path = "m";
	((struct link *)w->array->disk[0]->links.head->data)->path = "b";
	((struct link *)w->array->disk[0]->links.head->data)->target = "m";
	world_scan_and_apply(w);
	assert_false(w->array->changed);
	assert_links(w, "b", "m");
}

static void a_recorded_file_that_became_a_link_to_another_is_no_move(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/m", 3000, 200, NSEC);
	world_sync(w);
	world_remove(w, "d1/a");
	world_link(w, "d1/m", "d1/a");
	assert_items(w, "add:d1:a\nremove:d1:a\n");
	world_scan_and_apply(w);
	assert_layout(w, 0, "@0+3:o a@3+3:b");
	assert_items(w, "");
}

/* With four paths of a file, rename one and back, whichever it is. */
static void rename_each_of_four(struct world *w)
{
	world_put(w, "d1/t1", 3000, 100, NSEC);
	world_link(w, "d1/t1", "d1/t2");
	world_link(w, "d1/t1", "d1/t3");
	world_link(w, "d1/t1", "d1/t4");
	world_put(w, "d1/x", 10, 100, NSEC);
	world_sync(w);
	for (int i = 1; i <= 4; ++i) {
		char path[16], expected[64];

		snprintf(path, sizeof(path), "d1/t%d", i);
		if (i == 1)
			strcpy(expected, "move:d1:t1:t5\n");
		else
			snprintf(expected, sizeof(expected), "add:d1:t5\nremove:d1:t%d\n", i);
		world_move(w, path, "d1/t5");
		assert_items(w, expected);
		world_move(w, "d1/t5", path);
		assert_items(w, "");
	}
	/* Once it is recorded, the path met first is the file. */
	world_move(w, "d1/t1", "d1/t5");
	world_scan_and_apply(w);
	assert_links(w, "t5 t3 t4", "t2");
	assert_items(w, "");
	world_move(w, "d1/t5", "d1/t1");
	assert_items(w, "add:d1:t1\nremove:d1:t5\n");
}

static void renaming_a_hard_link_leaves_the_others_alone(void **state)
{
	rename_each_of_four(*state);
}

static void renaming_a_hard_link_leaves_the_others_alone_without_trusted_inodes(void **state)
{
	struct world *w = *state;

	world_trust(w, false);
	rename_each_of_four(w);
}

static void without_its_primary_the_second_path_becomes_the_file(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_link(w, "d1/a", "d1/b");
	world_sync(w);
	world_remove(w, "d1/a");
	assert_items(w, "move:d1:a:b\nremove:d1:b\n");
	world_trust(w, false);
	assert_items(w, "move:d1:a:b\nremove:d1:b\n");
}

static void a_link_whose_text_or_kind_changes_is_updated(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_symlink(w, "a", "d1/l");
	world_symlink(w, "a", "d1/m");
	world_sync(w);
	world_remove(w, "d1/l");
	world_symlink(w, "elsewhere", "d1/l");
	world_remove(w, "d1/m");
	world_link(w, "d1/a", "d1/m");
	assert_items(w, "update:d1:l\nupdate:d1:m\n");
	world_scan_and_apply(w);
	assert_items(w, "");
}

static void a_file_that_became_a_link_is_removed_and_added(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 3000, 100, NSEC);
	world_put(w, "d1/b", 3000, 100, NSEC);
	world_sync(w);
	world_remove(w, "d1/a");
	world_symlink(w, "b", "d1/a");
	assert_items(w, "add:d1:a\nremove:d1:a\n");
	world_scan_and_apply(w);
	assert_items(w, "");
	world_remove(w, "d1/a");
	world_put(w, "d1/a", 10, 300, NSEC);
	assert_items(w, "add:d1:a\nremove:d1:a\n");
}

static void an_empty_directory_is_saved_but_no_difference(void **state)
{
	struct world *w = *state;

	world_dir(w, "d1/e");
	assert_items(w, "");
	assert_false(scan_differs(w->scan));
	world_scan_and_apply(w);
	assert_true(w->array->changed);
	assert_int_equal(w->array->disk[0]->dir_count, 1);
	w->array->changed = false;
	world_scan_and_apply(w);
	assert_false(w->array->changed);
	world_put(w, "d1/e/f", 10, 100, NSEC);
	world_sync(w);
	assert_int_equal(w->array->disk[0]->dir_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(first_scan_adds_all_and_a_second_one_finds_all_equal),
		TEST(files_met_in_another_order_than_recorded_are_equal),
		TEST(files_met_in_another_order_than_recorded_are_equal_without_inodes),
		TEST(a_renamed_file_is_moved),
		TEST(a_renamed_file_is_known_by_inode_and_time_where_inodes_are_not_trusted),
		TEST(but_not_if_its_time_is_of_many),
		TEST(nor_if_the_disk_is_another_one),
		TEST(a_move_to_another_directory_is_one_whether_inodes_are_trusted_or_not),
		TEST(a_copy_in_another_directory_is_a_relocation),
		TEST(a_time_with_fewer_digits_is_looked_at),
		TEST(two_names_swapped_are_two_moves),
		TEST(of_two_files_with_one_time_the_path_tells_which_it_is_and_it_is_looked_at),
		TEST(but_not_where_the_file_of_that_path_has_another_one_now),
		TEST(a_rename_over_another_file_is_a_move_and_a_removal),
		TEST(a_log_that_was_rotated_is_a_move_and_an_addition),
		TEST(a_file_replaced_by_its_copy_is_restored_or_equal),
		TEST(a_new_inode_alone_needs_no_save_where_inodes_mean_nothing),
		TEST(a_touched_file_is_updated),
		TEST(bytes_changed_behind_size_and_time_are_not_seen),
		TEST(nanoseconds_not_known_when_recorded_match_any_and_are_learnt),
		TEST(an_inode_with_another_stamp_says_nothing),
		TEST(times_before_1970_and_after_2106_are_times_like_others),
		TEST(paths_of_one_inode_are_one_file_and_links_to_it),
		TEST(the_path_that_was_the_file_stays_the_file),
		TEST(the_path_met_first_is_the_file_in_the_record),
		TEST(a_recorded_file_that_became_a_link_to_another_is_no_move),
		TEST(renaming_a_hard_link_leaves_the_others_alone),
		TEST(renaming_a_hard_link_leaves_the_others_alone_without_trusted_inodes),
		TEST(without_its_primary_the_second_path_becomes_the_file),
		TEST(a_link_whose_text_or_kind_changes_is_updated),
		TEST(a_file_that_became_a_link_is_removed_and_added),
		TEST(an_empty_directory_is_saved_but_no_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
