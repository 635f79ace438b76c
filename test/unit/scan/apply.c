/* SPDX-License-Identifier: GPL-3.0-or-later */
/* behaviour.md 2.2 and 3.4: where new files go, and what stays where it is. */
#include "world.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

static const uint8_t *hash_at(struct world *w, unsigned disk, stripe_t at)
{
	const struct extent_map *map = w->array->disk[disk]->map;
	const struct extent *extent = extent_at(map, at);

	assert_non_null(extent);
	return extent_hash(map, extent, at);
}

static void assert_past_hash(struct world *w, unsigned disk, stripe_t at)
{
	const uint8_t hash[16] = { 1, (uint8_t)disk, (uint8_t)at };

	assert_memory_equal(hash_at(w, disk, at), hash, 16);
}

static void new_files_that_no_hole_holds_take_the_lowest_free_stripes(void **state)
{
	struct world *w = *state;

	for (int i = 1; i <= 5; ++i)
		world_put(w, (char[]){ 'd', '1', '/', 'f', (char)('0' + i), 0 }, 2048, i, NSEC);
	world_put(w, "d2/other", 10240, 1, NSEC);
	world_sync(w);
	assert_layout(w, 0, "f1@0+2:b f2@2+2:b f3@4+2:b f4@6+2:b f5@8+2:b");
	world_remove(w, "d1/f2");
	world_remove(w, "d1/f4");
	world_put(w, "d1/g", 5 * 1024, 10, NSEC);
	world_put(w, "d1/h", 1, 10, NSEC);
	world_scan_and_apply(w);
	assert_layout(w, 0, "f1@0+2:b g@2+2:g f3@4+2:b g@6+2:g f5@8+2:b g@10+1:g h@11+1:g");
	assert_past_hash(w, 0, 2);
	assert_past_hash(w, 0, 3);
	assert_past_hash(w, 0, 6);
	assert_past_hash(w, 0, 7);
	assert_int_equal(past_kind(hash_at(w, 0, 10), 16), PAST_ZERO);
	assert_int_equal(past_kind(hash_at(w, 0, 11), 16), PAST_ZERO);
}

static void a_new_file_stays_in_one_piece_where_the_parity_of_other_disks_has_room(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 2048, 1, NSEC);
	world_put(w, "d1/z", 2048, 2, NSEC);
	world_put(w, "d2/other", 7 * 1024, 1, NSEC);
	world_sync(w);
	world_remove(w, "d1/a");
	world_put(w, "d1/g", 3 * 1024, 10, NSEC);
	world_put(w, "d1/h", 2 * 1024, 10, NSEC);
	world_scan_and_apply(w);
	assert_layout(w, 0, "h@0+2:g z@2+2:b g@4+3:g");
}

static void what_is_removed_leaves_its_past_behind(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 2048, 1, NSEC);
	world_put(w, "d1/z", 2048, 1, NSEC);
	world_sync(w);
	world_remove(w, "d1/a");
	world_scan_and_apply(w);
	assert_true(w->array->changed);
	assert_layout(w, 0, "@0+2:o z@2+2:b");
	assert_past_hash(w, 0, 0);
	assert_past_hash(w, 0, 1);
}

static void an_updated_file_is_placed_like_a_new_one(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 2048, 1, NSEC);
	world_put(w, "d1/z", 2048, 1, NSEC);
	world_sync(w);
	world_put(w, "d1/a", 4096, 2, NSEC);
	world_scan_and_apply(w);
	assert_layout(w, 0, "a@0+2:g z@2+2:b a@4+2:g");
	assert_past_hash(w, 0, 0);
	assert_int_equal(world_file(w, "d1/a")->stamp.size, 4096);
}

/* As an interrupted sync leaves them: the parity may have these blocks. */
static void a_file_never_synced_stays_where_it_is(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 2048, 1, NSEC);
	world_put(w, "d1/b", 2048, 1, NSEC);
	world_put(w, "d1/c", 2048, 1, NSEC);
	world_sync(w);
	extent_set(w->array->disk[0]->map, 2, BLOCK_CHG, NULL);
	extent_set(w->array->disk[0]->map, 3, BLOCK_CHG, NULL);
	extent_set(w->array->disk[0]->map, 4, BLOCK_REP, NULL);
	world_remove(w, "d1/a");
	world_put(w, "d1/aa", 2048, 7, NSEC);
	world_scan_and_apply(w);
	assert_layout(w, 0, "aa@0+2:g b@2+2:g c@4+1:p c@5+1:b");
	assert_past_hash(w, 0, 0);
	assert_past_hash(w, 0, 2);
}

static void new_files_go_by_inode_on_demand(void **state)
{
	struct world *w = *state;
	uint64_t before = 0;

	/* The walk meets the first and the last one together, wherever their directory comes. */
	world_put(w, "d1/1", 1024, 1, NSEC);
	world_put(w, "d1/2", 1024, 1, NSEC);
	world_put(w, "d1/3", 1024, 1, NSEC);
	world_put(w, "d1/4", 1024, 1, NSEC);
	world_move(w, "d1/1", "d1/dir/1");
	world_move(w, "d1/4", "d1/dir/4");
	w->options.order = SCAN_INODE;
	world_scan_and_apply(w);
	for (stripe_t at = 0; at < 4; ++at) {
		const struct file *file = extent_at(w->array->disk[0]->map, at)->file;

		assert_true(file->inode > before);
		before = file->inode;
	}
	world_put(w, "d1/8", 1024, 1, NSEC);
	world_put(w, "d1/dir/7", 2048, 1, NSEC);
	world_put(w, "d1/6", 3072, 1, NSEC);
	w->options.order = SCAN_ALPHA;
	world_scan_and_apply(w);
	assert_string_equal(extent_at(w->array->disk[0]->map, 4)->file->path, "6");
	assert_string_equal(extent_at(w->array->disk[0]->map, 7)->file->path, "8");
	assert_string_equal(extent_at(w->array->disk[0]->map, 8)->file->path, "dir/7");
}

static void new_files_go_as_the_walk_met_them_on_demand(void **state)
{
	struct world *w = *state;
	struct tommy_node *n;

	for (int i = 0; i < 9; ++i)
		world_put(w, (char[]){ 'd', '1', '/', (char)('a' + i), 0 }, 1024, 1, NSEC);
	w->options.order = SCAN_DIR;
	world_scan_and_apply(w);
	n = w->array->disk[0]->files.head;
	for (const char *line = strstr(w->log, "scan:add:d1:"); line != NULL; n = n->next) {
		const char *name = line + strlen("scan:add:d1:");

		assert_memory_equal(((struct file *)n->data)->path, name, 1);
		line = strstr(name, "scan:add:d1:");
	}
	assert_null(n);
}

static void files_of_the_medium_are_placed_once_each_in_its_order(void **state)
{
	struct world *w = *state;

	for (int i = 0; i < 9; ++i)
		world_put(w, (char[]){ 'd', '1', '/', (char)('a' + i), 0 }, 1024 + 100 * (size_t)i, 1, NSEC);
	w->options.order = SCAN_PHYSICAL;
	world_scan_and_apply(w);
	assert_int_equal(w->array->disk[0]->file_count, 9);
	assert_int_equal(extent_map_end(w->array->disk[0]->map), 17);
	for (struct tommy_node *n = w->array->disk[0]->files.head; n->next != NULL; n = n->next)
		assert_true(((struct file *)n->data)->last->at < ((struct file *)n->next->data)->extent->at);
	assert_items(w, "");
}

static void marks_are_gone_after_it(void **state)
{
	struct world *w = *state;

	world_put(w, "d1/a", 2048, 1, NSEC);
	world_symlink(w, "a", "d1/l");
	world_dir(w, "d1/e");
	world_scan_and_apply(w);
	world_scan_and_apply(w);
	assert_int_equal(world_file(w, "d1/a")->mark, 0);
	assert_int_equal(((struct link *)w->array->disk[0]->links.head->data)->mark, 0);
	assert_int_equal(((struct dir *)w->array->disk[0]->dirs.head->data)->mark, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(new_files_that_no_hole_holds_take_the_lowest_free_stripes),
		TEST(a_new_file_stays_in_one_piece_where_the_parity_of_other_disks_has_room),
		TEST(what_is_removed_leaves_its_past_behind),
		TEST(an_updated_file_is_placed_like_a_new_one),
		TEST(a_file_never_synced_stays_where_it_is),
		TEST(new_files_go_by_inode_on_demand),
		TEST(new_files_go_as_the_walk_met_them_on_demand),
		TEST(files_of_the_medium_are_placed_once_each_in_its_order),
		TEST(marks_are_gone_after_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
