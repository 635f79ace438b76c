/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Side files: what is remembered comes back, whatever the bytes are nothing else does, and each moment of a save
 * has a side file that fits the content file in place. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/le.h"
#include "base/xattrs.h"
#include "content/side.h"
#include "os/file.h"

static const struct binding bound = { 0x12345678, 4711 };

/* Two disks, of which one is not in the content file. */
static struct array *bare(void)
{
	struct array *array = array_new(1024, 16);
	const struct stamp stamp = { 10, -5, 7 };
	struct disk *disk = array_add_disk(array, "d1", "/1/");

	disk->column = 3;
	disk->map_order = 0;
	disk_add_file(disk, "a/b/c", &stamp, 1);
	disk_add_file(disk, "x", &stamp, 2);
	disk_add_link(disk, "l", "x", false);
	disk_add_link(disk, "h", "x", true);
	disk_add_dir(disk, "e/f");
	array_add_disk(array, "d2", "/2/");
	for (; array->level_count < 2; array->level_count++)
		array->level[array->level_count].split[0] =
			(struct split){ .path = mem_strdup(array->level_count == 0 ? "/p" : "/q"), .size_bytes = 1024 };
	array->level[0].split_count = array->level[1].split_count = 1;
	array->keep_metadata = true;
	return array;
}

static struct file *file_at(const struct array *array, unsigned index)
{
	struct tommy_node *node = tommy_list_head(&array->disk[0]->files);

	while (index-- > 0)
		node = node->next;
	return node->data;
}

static struct link *first_link(const struct array *array)
{
	return tommy_list_head(&array->disk[0]->links)->data;
}

static void add_dir(struct disk *disk, const char *path, struct meta *meta, bool has_time)
{
	disk->kept_dir = mem_realloc(disk->kept_dir, (disk->kept_dir_count + 1) * sizeof(*disk->kept_dir));
	disk->kept_dir[disk->kept_dir_count++] =
		(struct kept_dir){ path, meta, has_time, has_time ? 99 : 0, has_time ? 3 : 0 };
}

static struct array *full(void)
{
	struct array *array = bare();
	struct buf xattrs = { 0 };
	struct meta plain = { .mode = 0640, .uid = 1000, .gid = 7 }, rich = { .mode = 04755, .sparse = true };

	xattrs_add(&xattrs, &(struct xattr){ "user.a", (const uint8_t *)"one\0two", 7 });
	xattrs_add(&xattrs, &(struct xattr){ "user.b", NULL, 0 });
	rich.xattrs = (const uint8_t *)xattrs.data;
	rich.xattr_bytes = xattrs.size;
	file_at(array, 0)->kept = (struct kept){ meta_intern(array->metas, &rich), -70, 999999999, 2 };
	file_at(array, 1)->kept = (struct kept){ meta_intern(array->metas, &plain), INT64_MAX, 0, 1 };
	file_at(array, 1)->suspect = true;
	first_link(array)->kept = (struct kept){ meta_intern(array->metas, &plain), INT64_MIN, 5, 0 };
	add_dir(array->disk[0], "", meta_intern(array->metas, &plain), false);
	add_dir(array->disk[0], "a", meta_intern(array->metas, &rich), true);
	buf_done(&xattrs);
	return array;
}

static enum side_state decode(const struct buf *image, struct array *array)
{
	return side_decode((const uint8_t *)image->data, image->size, &bound, array);
}

static bool knows_nothing(const struct array *array)
{
	return file_at(array, 0)->kept.meta == NULL && file_at(array, 1)->kept.meta == NULL &&
	       !file_at(array, 1)->suspect && first_link(array)->kept.meta == NULL && array->disk[0]->kept_dir_count == 0;
}

static void what_is_remembered_comes_back(void **state)
{
	struct array *from = full(), *to = bare();
	struct buf image = { 0 };
	const struct kept *kept;
	struct xattr xattr;

	(void)state;
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_FITS);
	assert_string_equal(to->parity_path[0][0], "/p");
	assert_string_equal(to->parity_path[1][0], "/q");
	kept = &file_at(to, 0)->kept;
	assert_int_equal(kept->meta->mode, 04755);
	assert_true(kept->meta->sparse);
	assert_int_equal(kept->time_sec, -70);
	assert_int_equal(kept->time_nsec, 999999999);
	assert_int_equal(kept->link_count, 2);
	assert_true(xattrs_find(kept->meta->xattrs, kept->meta->xattr_bytes, "user.a", &xattr));
	assert_int_equal(xattr.size, 7);
	assert_memory_equal(xattr.value, "one\0two", 7);
	assert_true(xattrs_find(kept->meta->xattrs, kept->meta->xattr_bytes, "user.b", &xattr));
	assert_false(file_at(to, 0)->suspect);
	kept = &file_at(to, 1)->kept;
	assert_int_equal(kept->meta->uid, 1000);
	assert_int_equal(kept->meta->gid, 7);
	assert_int_equal(kept->time_sec, INT64_MAX);
	assert_true(file_at(to, 1)->suspect);
	assert_ptr_equal(first_link(to)->kept.meta, kept->meta);
	assert_int_equal(first_link(to)->kept.time_sec, INT64_MIN);
	assert_int_equal(to->disk[0]->kept_dir_count, 2);
	assert_false(to->disk[0]->kept_dir[0].has_time);
	assert_string_equal(to->disk[0]->kept_dir[1].path, "a");
	assert_int_equal(to->disk[0]->kept_dir[1].mtime_sec, 99);
	array_free(from);
	array_free(to);
	buf_done(&image);
}

static void it_tells_of_which_files_rep_blocks_were_synced(void **state)
{
	struct array *from = full(), *to = bare();
	struct buf image = { 0 };
	uint8_t hash[16] = { 1 };

	(void)state;
	from->keep_metadata = false;
	extent_insert(from->disk[0]->map, file_at(from, 1), 0, 5, 1, BLOCK_BLK, hash, false);
	file_note_synced(file_at(from, 1));
	side_encode(from, &bound, &image);
	assert_int_equal(image.size, 0);		/* which ones they are goes without saying */
	extent_set(from->disk[0]->map, 5, BLOCK_REP, NULL);
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_FITS);
	assert_false(file_at(to, 0)->was_synced);
	assert_true(file_at(to, 1)->was_synced);
	tommy_list_remove(&to->disk[0]->files, &file_at(to, 1)->node);
	file_at(to, 0)->was_synced = true;
	assert_int_equal(decode(&image, to), SIDE_DAMAGED);
	assert_false(file_at(to, 0)->was_synced);
	array_free(from);
	array_free(to);
	buf_done(&image);
}

static void it_tells_where_the_parity_was(void **state)
{
	struct array *from = full(), *to = bare();
	struct buf image = { 0 };

	(void)state;
	from->level[0].recorded = true;		/* and the other one came to the configuration */
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_FITS);
	assert_string_equal(to->parity_path[0][0], "/p");
	assert_null(to->parity_path[1][0]);
	array_free(to);
	to = bare();
	from->level[1].recorded = true;
	from->level[0].split[0].size_bytes = 0;
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_FITS);
	assert_null(to->parity_path[0][0]);
	assert_string_equal(to->parity_path[1][0], "/q");
	array_free(from);
	array_free(to);
	buf_done(&image);
}

static void it_tells_of_which_code_the_third_level_is(void **state)
{
	struct array *from = full(), *to;
	struct buf image = { 0 };

	(void)state;
	for (int z = 0; z < 3; z++) {
		to = bare();
		from->z_parity = z != 0;
		from->level_count = z == 2 ? 2 : 3;	/* without a third level it is of none */
		side_encode(from, &bound, &image);
		assert_int_equal(decode(&image, to), SIDE_FITS);
		assert_int_equal(to->z_known, z != 2);
		assert_int_equal(to->z_was, z == 1);
		array_free(to);
	}
	from->level_count = 3;
	from->level[0].recorded = true;		/* and the third one came to the configuration */
	to = bare();
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_FITS);
	assert_false(to->z_known);
	array_free(to);
	array_free(from);
	buf_done(&image);
}

static void it_tells_when_its_content_file_was_saved(void **state)
{
	struct array *from = full(), *to = bare();
	struct buf image = { 0 };

	(void)state;
	from->saved = 1700000000000000007;
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_FITS);
	assert_int_equal(to->saved, from->saved);
	array_free(to);
	to = bare();
	from->saved = INT64_MAX;
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_DAMAGED);
	array_free(to);
	array_free(from);
	buf_done(&image);
}

static void with_nothing_to_keep_there_is_no_side_file(void **state)
{
	struct array *array = full();
	struct buf image = { 0 };

	(void)state;
	array->keep_metadata = false;
	side_encode(array, &bound, &image);
	assert_int_equal(image.size, 0);
	array_free(array);
	buf_done(&image);
}

static void one_of_another_content_file_is_not_taken(void **state)
{
	const struct binding other = { bound.tail, bound.size + 1 };
	struct array *array = full(), *to = bare();
	struct buf image = { 0 };

	(void)state;
	side_encode(array, &other, &image);
	assert_int_equal(decode(&image, to), SIDE_OTHER);
	assert_true(knows_nothing(to));
	array_free(array);
	array_free(to);
	buf_done(&image);
}

static void seal(struct buf *image)
{
	le32_store(image->data + image->size - 4, crc32c(0, image->data, image->size - 4));
}

static void every_truncation_is_noticed(void **state)
{
	struct array *array = full();
	struct buf image = { 0 };
	size_t first, second;

	(void)state;
	side_encode(array, &bound, &image);
	first = 24 + 12 + le32_load((uint8_t *)image.data + 24 + 4);
	second = first + 12 + le32_load((uint8_t *)image.data + first + 4);
	for (size_t size = 0; size < image.size; size++) {
		struct array *to = bare();
		struct buf cut = { mem_dup(image.data, size + 1), size, size + 1 };

		assert_int_not_equal(decode(&cut, to), SIDE_FITS);
		assert_true(knows_nothing(to));
		/* ... and with a right checksum */
		if (size >= 28) {
			seal(&cut);
			if (decode(&cut, to) == SIDE_FITS)	/* the first sections, or none at all */
				assert_true(size == 28 || size == first + 4 || size == second + 4);
			assert_true(knows_nothing(to));
		}
		array_free(to);
		buf_done(&cut);
	}
	array_free(array);
	buf_done(&image);
}

static void no_byte_makes_it_more_than_damaged(void **state)
{
	struct array *array = full();
	struct buf image = { 0 };

	(void)state;
	side_encode(array, &bound, &image);
	for (size_t at = 0; at < image.size; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			struct array *to = bare();
			enum side_state told;

			image.data[at] ^= (char)(1 << bit);
			assert_int_not_equal(decode(&image, to), SIDE_FITS);
			if (at < image.size - 4) {
				seal(&image);
				told = decode(&image, to);
				if (told != SIDE_FITS)
					assert_true(knows_nothing(to));
			}
			image.data[at] ^= (char)(1 << bit);
			seal(&image);
			array_free(to);
		}
	array_free(array);
	buf_done(&image);
}

/* A side file with one section of these integers. */
static void make(struct buf *image, const uint64_t *word, size_t count)
{
	uint8_t header[24] = "SNAPSIDE", section[12] = "META", crc[4] = { 0 };
	struct packer *packer = mem_alloc(sizeof(*packer));

	buf_clear(image);
	le32_store(header + 8, 1);
	le32_store(header + 12, bound.tail);
	le64_store(header + 16, bound.size);
	buf_add(image, header, 24);
	buf_add(image, section, 12);
	packer_begin(packer, image);
	for (size_t i = 0; i < count; i++)
		pack_integer(packer, word[i]);
	packer_end(packer);
	le64_store(image->data + 28, image->size - 36);
	buf_add(image, crc, 4);
	seal(image);
	free(packer);
}

static void counts_that_cannot_be_are_refused(void **state)
{
	static const uint64_t huge[] = { UINT64_MAX }, many[] = { 100 }, mode[] = { 1, 010000, 0, 0, 0, 0, 0 },
			      xattrs[] = { 1, 0, 0, 0, 0, UINT64_MAX }, disk[] = { 0, 1, 9 }, files[] = { 0, 1, 3, 3 },
			      record[] = { 0, 1, 3, 2, 2 }, end[] = { 0, 0, 0 },
			      twice[] = { 0, 2, 3, 2, 0, 0, 2, 0, 0, 0, 3 },
			      more[1 + 11 * 5 + 1] = { 11 };	/* than the 10 files, links and directories of both disks use */
	static const struct { const uint64_t *word; size_t count; } bad[] = {
		{ huge, 1 }, { many, 1 }, { mode, 7 }, { xattrs, 6 }, { disk, 3 }, { files, 4 }, { record, 5 },
		{ end, 3 }, { twice, 11 }, { more, 57 },
	};
	static const uint64_t fine[1 + 10 * 5 + 1] = { 10 };
	struct buf image = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct array *to = bare();

		make(&image, bad[i].word, bad[i].count);
		assert_int_equal(decode(&image, to), SIDE_DAMAGED);
		assert_true(knows_nothing(to));
		array_free(to);
	}
	{
		struct array *to = bare();

		make(&image, fine, 52);
		assert_int_equal(decode(&image, to), SIDE_FITS);
		array_free(to);
	}
	buf_done(&image);
}

/* "a", "a/b", "e" and the root, beside which a fifth one lies by its path alone. */
static void no_more_directories_than_the_paths_tell_are_taken(void **state)
{
	struct array *from = full();
	struct buf image = { 0 };

	(void)state;
	for (unsigned count = 2; count <= 6; count++) {
		struct array *to = bare();

		side_encode(from, &bound, &image);
		assert_int_equal(decode(&image, to), count <= 5 ? SIDE_FITS : SIDE_DAMAGED);
		assert_int_equal(to->disk[0]->kept_dir_count, count <= 5 ? count : 0);
		array_free(to);
		add_dir(from->disk[0], "e", file_at(from, 0)->kept.meta, false);
	}
	array_free(from);
	buf_done(&image);
}

static void each_save_numbers_the_records_anew(void **state)
{
	struct array *from = full(), *to = bare();
	struct buf image = { 0 };
	struct kept first;

	(void)state;
	side_encode(from, &bound, &image);
	first = file_at(from, 0)->kept;
	file_at(from, 0)->kept = file_at(from, 1)->kept;
	file_at(from, 1)->kept = first;
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_FITS);
	assert_int_equal(file_at(to, 0)->kept.meta->mode, 0640);
	assert_int_equal(file_at(to, 1)->kept.meta->mode, 04755);
	array_free(from);
	array_free(to);
	buf_done(&image);
}

static void a_path_that_leaves_the_disk_is_refused(void **state)
{
	struct array *from = full(), *to = bare();
	struct buf image = { 0 };

	(void)state;
	from->disk[0]->kept_dir[1].path = "../a";
	side_encode(from, &bound, &image);
	assert_int_equal(decode(&image, to), SIDE_DAMAGED);
	assert_true(knows_nothing(to));
	array_free(from);
	array_free(to);
	buf_done(&image);
}

static void a_section_of_a_later_program_is_skipped(void **state)
{
	struct array *from = full(), *to = bare();
	struct buf image = { 0 }, longer = { 0 };
	uint8_t section[12 + 5] = "NEWS\5\0\0\0\0\0\0\0hello";

	(void)state;
	side_encode(from, &bound, &image);
	buf_add(&longer, image.data, 24);
	buf_add(&longer, section, sizeof(section));
	buf_add(&longer, image.data + 24, image.size - 24);
	seal(&longer);
	assert_int_equal(decode(&longer, to), SIDE_FITS);
	assert_non_null(file_at(to, 0)->kept.meta);
	array_free(from);
	array_free(to);
	buf_done(&image);
	buf_done(&longer);
}

/* A folder with a content file; only its size and last bytes matter here. */
struct folder {
	char dir[32], content[64], side[64], fresh[64];
};

static void folder_make(struct folder *folder)
{
	strcpy(folder->dir, "/tmp/side-XXXXXX");
	assert_non_null(mkdtemp(folder->dir));
	snprintf(folder->content, sizeof(folder->content), "%s/content", folder->dir);
	snprintf(folder->side, sizeof(folder->side), "%s/content.side", folder->dir);
	snprintf(folder->fresh, sizeof(folder->fresh), "%s/content.side.tmp", folder->dir);
}

static void folder_remove(struct folder *folder)
{
	unlink(folder->content);
	unlink(folder->side);
	unlink(folder->fresh);
	assert_int_equal(rmdir(folder->dir), 0);
}

static struct binding put_content(const struct folder *folder, uint32_t tail)
{
	uint8_t bytes[8] = { 0 };
	FILE *file = fopen(folder->content, "w");

	assert_non_null(file);
	le32_store(bytes + 4, tail);
	fwrite(bytes, 8, 1, file);
	fclose(file);
	return (struct binding){ tail, 8 };
}

/* Does a load of the folder know something? `*again`: the next sync has to save. */
static bool loads(const struct folder *folder, bool *again)
{
	const char *path = folder->content;
	struct copy *copy = copies_look(&path, 1);
	struct array *to = bare();
	bool knows;

	copy_ending(path, &copy->tail, &copy->size);
	side_load(copy, 1, copy, to);
	knows = !knows_nothing(to);
	*again = to->changed;
	array_free(to);
	free(copy);
	return knows;
}

static void each_moment_of_a_save_has_one_that_fits(void **state)
{
	struct array *from = full();
	struct buf first = { 0 }, second = { 0 };
	struct folder folder;
	struct binding binding;
	const char *what;
	bool again;

	(void)state;
	folder_make(&folder);
	binding = put_content(&folder, 1);
	assert_false(loads(&folder, &again));
	side_encode(from, &binding, &first);
	assert_int_equal(side_prepare(folder.content, &first, &what), 0);
	side_commit(folder.content, &first);
	assert_true(loads(&folder, &again));
	assert_false(again);

	binding.tail = 2;
	side_encode(from, &binding, &second);
	assert_int_equal(side_prepare(folder.content, &second, &what), 0);
	assert_true(loads(&folder, &again));	/* by the old one */
	assert_true(again);			/* a save was killed */
	put_content(&folder, 2);
	assert_true(loads(&folder, &again));	/* by the new one, under its temporary name */
	assert_true(again);

	/* Killed here: a next save keeps the one that fits until its own content file is in place. */
	binding.tail = 3;
	side_encode(from, &binding, &first);
	assert_int_equal(side_prepare(folder.content, &first, &what), 0);
	assert_true(loads(&folder, &again));
	/* ... and again, before the content file was replaced */
	assert_int_equal(side_prepare(folder.content, &first, &what), 0);
	assert_true(loads(&folder, &again));
	put_content(&folder, 3);
	side_commit(folder.content, &first);
	assert_true(loads(&folder, &again));
	assert_false(again);
	assert_int_not_equal(access(folder.fresh, F_OK), 0);

	/* Nothing to be remembered any more. */
	buf_clear(&first);
	assert_int_equal(side_prepare(folder.content, &first, &what), 0);
	side_commit(folder.content, &first);
	assert_int_not_equal(access(folder.side, F_OK), 0);
	folder_remove(&folder);
	array_free(from);
	buf_done(&first);
	buf_done(&second);
}

static void a_save_that_fails_leaves_the_previous_one(void **state)
{
	struct array *from = full();
	struct buf image = { 0 };
	struct folder folder;
	struct binding binding;
	const char *what;
	bool again;

	(void)state;
	folder_make(&folder);
	binding = put_content(&folder, 1);
	side_encode(from, &binding, &image);
	assert_int_equal(side_prepare(folder.content, &image, &what), 0);
	side_commit(folder.content, &image);
	binding.tail = 2;
	side_encode(from, &binding, &image);
	assert_int_equal(side_prepare(folder.content, &image, &what), 0);
	side_discard(folder.content);
	assert_int_not_equal(access(folder.fresh, F_OK), 0);
	assert_true(loads(&folder, &again));

	/* The new content file has its name, and only making that durable failed. */
	assert_int_equal(side_prepare(folder.content, &image, &what), 0);
	put_content(&folder, 2);
	side_discard(folder.content);
	assert_true(loads(&folder, &again));
	assert_false(again);
	folder_remove(&folder);
	array_free(from);
	buf_done(&image);
}

static void what_is_no_file_is_no_side_file(void **state)
{
	struct folder folder;
	bool again;

	(void)state;
	folder_make(&folder);
	put_content(&folder, 1);
	assert_int_equal(mkdir(folder.side, 0700), 0);
	assert_false(loads(&folder, &again));
	assert_int_equal(rmdir(folder.side), 0);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_remembered_comes_back),
		cmocka_unit_test(it_tells_of_which_files_rep_blocks_were_synced),
		cmocka_unit_test(it_tells_where_the_parity_was),
		cmocka_unit_test(it_tells_of_which_code_the_third_level_is),
		cmocka_unit_test(it_tells_when_its_content_file_was_saved),
		cmocka_unit_test(with_nothing_to_keep_there_is_no_side_file),
		cmocka_unit_test(one_of_another_content_file_is_not_taken),
		cmocka_unit_test(every_truncation_is_noticed),
		cmocka_unit_test(no_byte_makes_it_more_than_damaged),
		cmocka_unit_test(counts_that_cannot_be_are_refused),
		cmocka_unit_test(no_more_directories_than_the_paths_tell_are_taken),
		cmocka_unit_test(each_save_numbers_the_records_anew),
		cmocka_unit_test(a_path_that_leaves_the_disk_is_refused),
		cmocka_unit_test(a_section_of_a_later_program_is_skipped),
		cmocka_unit_test(each_moment_of_a_save_has_one_that_fits),
		cmocka_unit_test(a_save_that_fails_leaves_the_previous_one),
		cmocka_unit_test(what_is_no_file_is_no_side_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
