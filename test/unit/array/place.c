/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/place.h"

/* Hashes of 16 bytes whose first one tells which they are. */
static struct array *new_array(struct disk **disk)
{
	struct array *array = array_new(1024, 16);

	*disk = array_add_disk(array, "d1", "/");
	return array;
}

static struct file *add_file(struct array *array, struct disk *disk, uint64_t blocks)
{
	struct stamp stamp = { blocks * array->block_size, 1, 1 };

	return disk_add_file(disk, "file", &stamp, 1);
}

static struct file *add_blk(struct array *array, struct disk *disk, stripe_t at, uint64_t blocks)
{
	struct file *file = add_file(array, disk, blocks);
	uint8_t *hash = arena_alloc(array->arena, blocks * 16, 1);

	for (uint64_t i = 0; i < blocks; i++)
		memset(hash + i * 16, (int)(at + i + 1), 16);
	extent_insert(disk->map, file, 0, at, blocks, BLOCK_BLK, hash, true);
	return file;
}

static void expect(const struct disk *disk, const struct file *file, stripe_t at, enum block_state state,
		   uint8_t hash)
{
	const struct extent *extent = extent_at(disk->map, at);
	uint8_t expected[16];

	assert_non_null(extent);
	assert_ptr_equal(extent->file, file);
	assert_int_equal(extent->state, state);
	memset(expected, hash, 16);
	assert_memory_equal(extent_hash(disk->map, extent, at), expected, 16);
}

/* The example of behaviour.md 3.4. */
static void files_that_fit_into_no_hole_take_the_lowest_free_stripes(void **state)
{
	struct disk *disk;
	struct array *array = new_array(&disk);
	struct file *f[5], *g, *h;
	struct place place;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		f[i] = add_blk(array, disk, 2 * i, 2);
	disk_remove_file(disk, f[1]);
	disk_remove_file(disk, f[3]);
	g = add_file(array, disk, 5);
	h = add_file(array, disk, 1);
	place_begin(&place, array, disk, array_stripe_count(array));
	place_file(&place, g, NULL);
	place_file(&place, h, NULL);

	expect(disk, f[0], 0, BLOCK_BLK, 1);
	expect(disk, g, 2, BLOCK_CHG, 3);
	expect(disk, g, 3, BLOCK_CHG, 4);
	expect(disk, f[2], 4, BLOCK_BLK, 5);
	expect(disk, g, 6, BLOCK_CHG, 7);
	expect(disk, g, 7, BLOCK_CHG, 8);
	expect(disk, f[4], 8, BLOCK_BLK, 9);
	expect(disk, g, 10, BLOCK_CHG, 0xff);
	expect(disk, h, 11, BLOCK_CHG, 0xff);
	assert_int_equal(extent_map_end(disk->map), 12);
	assert_int_equal(g->extent->count, 2);
	place_end(&place);
	array_free(array);
}

static void a_new_file_takes_the_hole_that_holds_it_whole(void **state)
{
	struct disk *disk;
	struct array *array = new_array(&disk);
	struct file *gone[3], *three, *two, *four;
	struct place place;

	(void)state;
	gone[0] = add_blk(array, disk, 0, 1);
	add_blk(array, disk, 1, 1);
	gone[1] = add_blk(array, disk, 2, 4);
	add_blk(array, disk, 6, 1);
	gone[2] = add_blk(array, disk, 7, 3);
	add_blk(array, disk, 10, 1);
	for (unsigned i = 0; i < 3; i++)
		disk_remove_file(disk, gone[i]);
	three = add_file(array, disk, 3);
	two = add_file(array, disk, 2);
	four = add_file(array, disk, 4);
	place_begin(&place, array, disk, array_stripe_count(array));
	place_file(&place, three, NULL);
	place_file(&place, two, NULL);
	place_file(&place, four, NULL);
	expect(disk, three, 7, BLOCK_CHG, 8);
	expect(disk, three, 9, BLOCK_CHG, 10);
	expect(disk, two, 2, BLOCK_CHG, 3);
	/* Nothing holds four any more: the rest, and the end. */
	expect(disk, four, 0, BLOCK_CHG, 1);
	expect(disk, four, 4, BLOCK_CHG, 5);
	expect(disk, four, 5, BLOCK_CHG, 6);
	expect(disk, four, 11, BLOCK_CHG, 0xff);
	place_end(&place);
	array_free(array);
}

static void stripes_that_a_sync_left_unfinished_are_taken_last(void **state)
{
	struct disk *disk;
	struct array *array = new_array(&disk);
	struct file *two, *three, *one;
	struct place place;

	(void)state;
	array->unfinished = bitmap_new();
	bitmap_set_run(array->unfinished, 0, 2);
	add_blk(array, disk, 6, 1);
	two = add_file(array, disk, 2);
	three = add_file(array, disk, 3);
	one = add_file(array, disk, 1);
	place_begin(&place, array, disk, array_stripe_count(array));
	place_file(&place, two, NULL);
	expect(disk, two, 2, BLOCK_CHG, 0xff);
	/* Without them there is room for two more. */
	assert_true(place_has_room(&place, three));
	place_file(&place, three, NULL);
	expect(disk, three, 0, BLOCK_CHG, 0xff);
	expect(disk, three, 4, BLOCK_CHG, 0xff);
	assert_true(place_has_room(&place, one));
	assert_false(place_has_room(&place, two));
	place_file(&place, one, NULL);
	assert_false(place_has_room(&place, one));
	expect(disk, one, 5, BLOCK_CHG, 0xff);
	place_end(&place);
	array_free(array);
}

static void an_empty_place_of_a_stripe_that_lost_all_files_is_not_taken_for_zeros(void **state)
{
	struct disk *disk;
	struct array *array = new_array(&disk);
	struct file *file;
	struct place place;

	(void)state;
	array->loaded_count = 3;
	info_set(array->info, 0, &(struct info){ .time = 8 });
	file = add_file(array, disk, 4);
	place_begin(&place, array, disk, array_stripe_count(array));
	place_file(&place, file, NULL);
	expect(disk, file, 0, BLOCK_CHG, 0xff);
	expect(disk, file, 1, BLOCK_CHG, 0);
	expect(disk, file, 2, BLOCK_CHG, 0);
	expect(disk, file, 3, BLOCK_CHG, 0xff);
	place_end(&place);
	array_free(array);
}

static void deleted_and_empty_neighbours_make_one_run(void **state)
{
	struct disk *disk;
	struct array *array = new_array(&disk);
	struct file *old = add_blk(array, disk, 2, 3), *file;
	struct place place;

	(void)state;
	disk_remove_file(disk, old);
	file = add_file(array, disk, 4);
	place_begin(&place, array, disk, array_stripe_count(array));
	place_file(&place, file, NULL);
	assert_int_equal(file->extent->count, 4);
	assert_null(file->extent->next);
	expect(disk, file, 1, BLOCK_CHG, 0xff);
	expect(disk, file, 3, BLOCK_CHG, 4);
	/* What was not needed is still deleted. */
	expect(disk, NULL, 4, BLOCK_DELETED, 5);
	place_end(&place);
	array_free(array);
}

static void a_known_copy_becomes_rep_but_chg_where_hashes_are_of_the_past_kind(void **state)
{
	struct disk *disk;
	struct array *array = new_array(&disk);
	struct file *old = add_blk(array, disk, 2, 3), *file;
	struct info rehash = { 80, false, true, false };
	uint8_t hashes[5 * 16];
	struct place place;

	(void)state;
	disk_remove_file(disk, old);
	info_set(array->info, 1, &rehash);
	info_set(array->info, 3, &rehash);
	memset(hashes, 0x77, sizeof(hashes));
	file = add_file(array, disk, 5);
	place_begin(&place, array, disk, array_stripe_count(array));
	place_file(&place, file, hashes);
	expect(disk, file, 0, BLOCK_REP, 0x77);
	expect(disk, file, 1, BLOCK_CHG, 0xff);
	expect(disk, file, 2, BLOCK_REP, 0x77);
	expect(disk, file, 3, BLOCK_CHG, 4);
	expect(disk, file, 4, BLOCK_REP, 0x77);
	place_end(&place);
	array_free(array);
}

static void an_empty_file_takes_no_stripe(void **state)
{
	struct disk *disk;
	struct array *array = new_array(&disk);
	struct file *file = add_file(array, disk, 0);
	struct place place;

	(void)state;
	place_begin(&place, array, disk, array_stripe_count(array));
	place_file(&place, file, NULL);
	assert_null(file->extent);
	assert_int_equal(extent_map_end(disk->map), 0);
	place_end(&place);
	array_free(array);
}

static void hashes_of_a_file_are_given_only_if_all_are_current(void **state)
{
	struct disk *disk;
	struct array *array = new_array(&disk);
	struct file *file = add_blk(array, disk, 3, 2), *empty = add_file(array, disk, 0);
	struct info rehash = { 80, false, true, false };
	uint8_t *hashes, more[16] = { 9 };

	(void)state;
	file->stamp.size += 1;
	extent_insert(disk->map, file, 2, 1, 1, BLOCK_REP, memcpy(arena_alloc(array->arena, 16, 1), more, 16),
		      true);
	hashes = place_hashes(array, disk, file);
	assert_non_null(hashes);
	assert_int_equal(hashes[0], 4);
	assert_int_equal(hashes[16], 5);
	assert_int_equal(hashes[32], 9);
	free(hashes);
	info_set(array->info, 2, &rehash);
	free(place_hashes(array, disk, file));
	info_set(array->info, 4, &rehash);
	assert_null(place_hashes(array, disk, file));
	info_clear_run(array->info, 4, 1);
	extent_set(disk->map, 4, BLOCK_CHG, NULL);
	assert_null(place_hashes(array, disk, file));
	assert_null(place_hashes(array, disk, empty));
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_fit_into_no_hole_take_the_lowest_free_stripes),
		cmocka_unit_test(a_new_file_takes_the_hole_that_holds_it_whole),
		cmocka_unit_test(stripes_that_a_sync_left_unfinished_are_taken_last),
		cmocka_unit_test(an_empty_place_of_a_stripe_that_lost_all_files_is_not_taken_for_zeros),
		cmocka_unit_test(deleted_and_empty_neighbours_make_one_run),
		cmocka_unit_test(a_known_copy_becomes_rep_but_chg_where_hashes_are_of_the_past_kind),
		cmocka_unit_test(an_empty_file_takes_no_stripe),
		cmocka_unit_test(hashes_of_a_file_are_given_only_if_all_are_current),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
