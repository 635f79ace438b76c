/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Files made by hand, with a right checksum and one thing wrong: each is refused with its reason. And some
 * that are unusual but right. */
#include "content/record.h"

#include "image.h"

#define SIZES	"'z 1024 'x 3 'c 'k #1 "
#define DISK	"'M \"d1\" 0 100 50 \"\" "
#define DISK2	"'M \"d2\" 1 100 50 \"\" "
#define LEVEL	"'P 0 100 50 \"\" "
#define FILE_A	"'f 0 3000 5 1 7 \"a\" 'b 0 3 #3 "
#define NO_HOLE	"'h 0 3 'O "
#define INFO	"'i 800 3 1 0 "
#define HEAD	SIZES DISK LEVEL

/* What the array is made of in the configuration: d1, d2, d9 on a known file system; one level of one file. */
static struct array *configured(void)
{
	struct array *array = array_new(1024, 16);

	array_add_disk(array, "d1", "/1/");
	array_add_disk(array, "d2", "/2/");
	array_add_disk(array, "d9", "/9/")->uuid_now = mem_strdup("uuid-9");
	array->level_count = 1;
	array->level[0] = (struct level){ .name = "parity", .split_count = 1 };
	array->level[0].split[0] = (struct split){ .path = mem_strdup("/p"), .uuid = mem_strdup(""),
						   .size_bytes = SPLIT_SIZE_UNKNOWN };
	return array;
}

/* Decodes; `*text` is what was said to be wrong. */
static enum trouble decode(char version, const char *words, const struct content_load *load, struct array *array,
			   char **text)
{
	struct decoder *d = mem_zalloc(sizeof(*d));
	struct buf image = { 0 };
	enum trouble trouble;
	uint8_t *exact;
	int rc;

	image_begin(&image, version);
	image_words(&image, words);
	image_seal(&image);
	/* Of exactly that size, for the sanitizer to see a step beyond. Lives as long as the test. */
	exact = arena_alloc(array->arena, image.size, 1);
	memcpy(exact, image.data, image.size);
	d->load = load;
	d->array = array;
	rc = record_decode(d, exact, image.size);
	assert_int_equal(rc, d->trouble == TROUBLE_NONE ? 0 : -1);
	trouble = d->trouble;
	*text = mem_strdup(d->text != NULL ? d->text : "");
	decoder_done(d);
	free(d);
	buf_done(&image);
	return trouble;
}

static const struct {
	const char *words;
	enum trouble trouble;
	const char *text;
} refused[] = {
	/* The frame. */
	{ HEAD FILE_A NO_HOLE INFO, TROUBLE_BROKEN, "unknown kind" },	/* the checksum is met as a record */
	{ HEAD FILE_A NO_HOLE INFO "'N ~00", TROUBLE_BROKEN, "not at the end" },
	{ HEAD FILE_A NO_HOLE INFO "'N ~00000000 'N", TROUBLE_BROKEN, "not at the end" },
	{ HEAD "'? 'N", TROUBLE_BROKEN, "unknown kind 0x3f" },
	{ HEAD "~00 'N", TROUBLE_BROKEN, "unknown kind 0x00" },
	{ HEAD "'f 0 3000 5 1 7 \"a\" 'b 0 3 #2", TROUBLE_BROKEN, "hashes" },
	{ HEAD "'f 0 3000 5 1 7 ~90 'N", TROUBLE_BROKEN, "inside a name" },
	{ "'z 1024 'x ~000000000000000000000080 'N", TROUBLE_BROKEN, "too long" },
	{ "'z ~7f7f7f7f90 'N", TROUBLE_BROKEN, "too long" },
	/* Sizes. */
	{ "'z 0 'x 0 'c 'k #1 'N", TROUBLE_CONFIG, "block size of 0" },
	{ "'z 1000 'x 0 'c 'k #1 'N", TROUBLE_CONFIG, "block size" },
	{ "'z 33554432 'x 0 'c 'k #1 'N", TROUBLE_CONFIG, "block size" },
	{ "'z 2048 'x 0 'c 'k #1 'N", TROUBLE_CONFIG, "2 KiB but the configuration says 1" },
	{ "'z 1024 'x 0 'y 1 'c 'k #1 'N", TROUBLE_CONFIG, "hash size" },
	{ "'z 1024 'x 0 'y 17 'c 'k #1 'N", TROUBLE_CONFIG, "hash size" },
	{ "'z 1024 'x 0 'y 8 'c 'k #1 'N", TROUBLE_CONFIG, "hash size is 8 but the configuration says 16" },
	{ "'z 1024 'x 18446744073709551615 'c 'k #1 'N", TROUBLE_NEWER, "more than this program" },
	{ "'z 1024 'x 0 'c '? #1 'N", TROUBLE_NEWER, "hash kind" },
	{ "'z 1024 'x 0 'c 'm #1 'N", TROUBLE_NEWER, "hash kind" },
	{ "'z 1024 'x 0 'N", TROUBLE_BROKEN, "lacks" },
	{ "'x 0 'c 'k #1 'N", TROUBLE_BROKEN, "lacks" },
	{ "'z 1024 'c 'k #1 'N", TROUBLE_BROKEN, "lacks" },
	{ "'z 1024 'c 'k #1 " DISK "'f 0 0 5 1 7 \"a\" 'N", TROUBLE_BROKEN, "before their size" },
	{ HEAD FILE_A "'z 1024 'N", TROUBLE_BROKEN, "after the first blocks" },
	{ HEAD FILE_A "'y 16 'N", TROUBLE_BROKEN, "after the first blocks" },
	{ HEAD FILE_A "'x 3 'N", TROUBLE_BROKEN, "after the first blocks" },
	/* Disks and levels. */
	{ SIZES "'M \"\" 0 100 50 \"\" 'N", TROUBLE_BROKEN, "no name" },
	{ SIZES "'M \"d1\" 251 100 50 \"\" 'N", TROUBLE_BROKEN, "column 251" },
	{ SIZES "'M \"d1\" 4294967295 100 50 \"\" 'N", TROUBLE_BROKEN, "column" },
	{ SIZES DISK "'M \"d2\" 0 100 50 \"\" 'N", TROUBLE_BROKEN, "in one column" },
	{ SIZES DISK "'M \"d1\" 1 100 50 \"\" 'N", TROUBLE_CONFIG, "two of its disks" },
	{ SIZES "'M \"d7\" 0 100 50 \"\" 'N", TROUBLE_CONFIG, "'d7'" },
	{ SIZES "'M \"d7\" 0 100 50 \"uuid-7\" 'N", TROUBLE_CONFIG, "'d7' (UUID 'uuid-7')" },
	{ SIZES "'M \"d9\" 0 1 1 \"\" 'M \"d7\" 1 1 1 \"uuid-9\" 'N", TROUBLE_CONFIG, "two of its disks" },
	{ SIZES "'P 6 100 50 \"\" 'N", TROUBLE_BROKEN, "level 7" },
	{ SIZES "'Q 4294967295 100 50 0 'N", TROUBLE_BROKEN, "level" },
	{ SIZES "'Q 0 100 50 9 'N", TROUBLE_BROKEN, "9 parts" },
	{ SIZES "'Q 0 100 50 2 \"/p\" \"\" 3072 \"/q\" \"\" 1024 'N", TROUBLE_CONFIG, "part 2 of parity, '/q'" },
	{ SIZES "'Q 0 100 50 2 \"/p\" \"\" 3072 \"/q\" \"\" 18446744073709551615 'N", TROUBLE_CONFIG, "part 2" },
	/* Files. */
	{ HEAD "'f 1 3000 5 1 7 \"a\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "disk number 1 of 1" },
	{ HEAD "'f 4294967295 3000 5 1 7 \"a\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "disk number" },
	{ HEAD "'f 0 3000 5 1000000001 7 \"a\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "nanoseconds" },
	{ HEAD "'f 0 3000 5 1 7 \"\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'f 0 3000 5 1 7 \"/etc/passwd\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'f 0 3000 5 1 7 \"a/../../b\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'f 0 3000 5 1 7 \"..\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'f 0 3000 5 1 7 \"a/./b\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'f 0 3000 5 1 7 \"a%00b\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "NUL" },
	{ HEAD "'f 0 3000 5 1 7 4096 'N", TROUBLE_BROKEN, "longer than 4095" },
	{ HEAD "'f 0 3000 5 1 7 18446744073709551615 'N", TROUBLE_BROKEN, "longer than 4095" },
	{ HEAD "'f 0 9000000000 5 1 7 \"a\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "larger than the array" },
	{ HEAD "'f 0 18446744073709551615 5 1 7 \"a\" 'b 0 3 #3 'N", TROUBLE_BROKEN, "larger than the array" },
	{ HEAD "'f 0 3000 5 1 7 \"a\" 'b 0 4 #4 'N", TROUBLE_BROKEN, "more blocks than" },
	{ HEAD "'f 0 3000 5 1 7 \"a\" 'b 1 3 #3 'N", TROUBLE_BROKEN, "beyond the last stripe" },
	{ HEAD "'f 0 3000 5 1 7 \"a\" 'b 18446744073709551615 3 #3 'N", TROUBLE_BROKEN, "beyond the last stripe" },
	{ HEAD "'f 0 3000 5 1 7 \"a\" 'x 0 3 #3 'N", TROUBLE_BROKEN, "unknown state" },
	{ HEAD "'f 0 2000 5 1 7 \"a\" 'b 0 1 #1 'b 0 1 #1 'N", TROUBLE_BROKEN, "two blocks in one" },
	{ HEAD FILE_A "'f 0 1 5 1 7 \"b\" 'b 2 1 #1 'N", TROUBLE_BROKEN, "two blocks in one" },
	{ HEAD FILE_A "'f 0 0 5 1 7 \"a\" " NO_HOLE INFO "'N", TROUBLE_BROKEN, "'a' twice" },
	{ HEAD FILE_A "'s 0 \"a\" \"x\" 'N", TROUBLE_BROKEN, "'a' twice" },
	{ HEAD FILE_A "'r 0 \"a\" 'N", TROUBLE_BROKEN, "'a' twice" },
	{ HEAD "'a 0 \"l\" \"\" 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'a 0 \"l\" \"../a\" 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'a 0 \"\" \"a\" 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'s 0 \"../l\" \"a\" 'N", TROUBLE_BROKEN, "could lead out" },
	{ HEAD "'s 0 \"l\" \"a%00\" 'N", TROUBLE_BROKEN, "NUL" },
	{ HEAD "'s 5 \"l\" \"a\" 'N", TROUBLE_BROKEN, "disk number" },
	{ HEAD "'r 0 \"/\" 'N", TROUBLE_BROKEN, "could lead out" },
	/* Deleted blocks, files gone, times. */
	{ HEAD FILE_A "'h 0 4 'O 'N", TROUBLE_BROKEN, "beyond the last stripe" },
	{ HEAD FILE_A "'h 0 2 'O 1 'o #1 'N", TROUBLE_BROKEN, "two blocks in one" },
	{ HEAD FILE_A "'h 0 3 'x 'N", TROUBLE_BROKEN, "unknown kind" },
	{ HEAD FILE_A "'h 0 18446744073709551615 'o 'N", TROUBLE_BROKEN, "beyond the last stripe" },
	{ HEAD FILE_A "'d 0 1 \"g\" 18446744073709551615 5 1 'N", TROUBLE_BROKEN, "hashes" },
	{ HEAD FILE_A "'d 0 18446744073709551615 \"g\" 0 5 1 'N", TROUBLE_BROKEN, "name" },
	{ HEAD FILE_A NO_HOLE "'i 800 4 1 0 'N", TROUBLE_BROKEN, "beyond the last stripe" },
	{ HEAD FILE_A NO_HOLE "'i 800 3 5 0 'N", TROUBLE_BROKEN, "previous hash" },
	{ HEAD FILE_A NO_HOLE "'i 18446744073709551615 3 1 0 'N", TROUBLE_BROKEN, "too large" },
	{ "'z 1024 'x 9999 'c 'k #1 " DISK FILE_A "'h 0 9999 'O 'i 800 1 1 0 9998 1 1 'N", TROUBLE_BROKEN, "than it has bytes" },
	{ HEAD FILE_A NO_HOLE "'i 1 3 1 9223372036854775807 'N", TROUBLE_BROKEN, "too large" },
	/* The whole. */
	{ HEAD "'f 0 2000 5 1 7 \"a\" 'b 0 2 #2 'h 0 3 'O 'i 800 2 1 0 1 0 'N", TROUBLE_BROKEN, "3 stripes but its files need 2" },
	{ "'z 1024 'x 4294967296 'c 'k #1 " DISK FILE_A "'N", TROUBLE_BROKEN, "4294967296 stripes" },
};

static void one_wrong_thing_is_refused_with_its_reason(void **state)
{
	struct content_load load = { .block_size_given = true, .hash_size_given = true };

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct array *array = configured();
		char *text;
		enum trouble trouble = decode('3', refused[i].words, &load, array, &text);

		if (trouble != refused[i].trouble || strstr(text, refused[i].text) == NULL)
			fail_msg("case %zu: %s\ntrouble %d, '%s'", i, refused[i].words, (int)trouble, text);
		assert_non_null(strstr(text, "(byte "));
		free(text);
		array_free(array);
	}
}

static void a_file_without_hash_size_has_hashes_of_16_bytes(void **state)
{
	const struct content_load load = { .hash_size_given = true };
	struct array *array = configured();
	char *text;

	(void)state;
	array_set_hash_size(array, 4);
	assert_int_equal(decode('2', HEAD FILE_A NO_HOLE INFO "'N", &load, array, &text), TROUBLE_CONFIG);
	assert_non_null(strstr(text, "hash size is 16 but the configuration says 4"));
	free(text);
	array_free(array);
}

static struct array *decode_good(char version, const char *words, const struct content_load *load)
{
	struct array *array = configured();
	char *text;
	enum trouble trouble = decode(version, words, load, array, &text);

	if (trouble != TROUBLE_NONE)
		fail_msg("%s: %s", words, text);
	free(text);
	return array;
}

static const struct content_load plain;

static void unusual_but_right_files_are_read(void **state)
{
	static const char *const words[] = {
		"'z 1024 'x 0 'c 'k #1 'N",
		HEAD FILE_A NO_HOLE INFO "'N",
		HEAD FILE_A INFO "'N",
		HEAD "'h 0 3 'O " FILE_A INFO "'N",
		HEAD "'f 0 3000 5 1 7 \"a\" 'b 0 1 #1 'b 1 0 'b 1 2 #2 " NO_HOLE INFO "'N",
		"'z ~000880 'x 3 'x 3 'z 1024 'c 'u #1 'c 'k #1 " DISK "'f 0 3000 5 1 7 ~018061 'b 0 3 #3 " INFO "'N",
		"'z 1024 'x 3 'y 16 'c 'k #1 'C 'u #1 " DISK FILE_A "'i 800 3 5 0 'N",
		HEAD FILE_A NO_HOLE "'d 0 1 \"g\" 1500 5 1 #2 " INFO "'N",
		HEAD FILE_A NO_HOLE "'i 800 3 17 0 'N",
		HEAD FILE_A NO_HOLE "'i 0 3 3 8 " INFO "'N",
		SIZES DISK "'Q 0 100 50 1 \"/elsewhere\" \"\" 4096 'Q 3 1 1 1 \"/q\" \"\" 5 " FILE_A INFO "'N",
		HEAD FILE_A "'s 0 \"l\" \"\" 's 0 \"k\" \"/any/../where\" 'a 0 \"h\" \"nowhere\" " INFO "'N",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (char version = '1'; version <= '4'; version++)
				array_free(decode_good(version, words[i], &plain));
}

static void a_very_old_file_has_disks_without_space_and_blocks_without_hash(void **state)
{
	struct array *array = decode_good('1', SIZES "'m \"d1\" 4 \"u\" 'f 0 3000 5 0 7 \"a\" 'b 0 1 #1 'n 1 2 'i 800 1 1 0 2 0 'N",
					  &plain);
	struct disk *disk = array_find_disk(array, "d1");
	const struct file *file = tommy_list_head(&disk->files)->data;
	const struct extent *extent = extent_at(disk->map, 2);

	(void)state;
	assert_int_equal(disk->column, 4);
	assert_int_equal(disk->total_blocks, 0);
	assert_string_equal(disk->uuid, "u");
	assert_int_equal(file->stamp.mtime_nsec, NSEC_UNKNOWN);
	assert_int_equal(extent->state, BLOCK_CHG);
	assert_int_equal(past_kind(extent_hash(disk->map, extent, 2), 16), PAST_ZERO);
	assert_true(array->was_unsynced);
	array_free(array);
}

static void billions_of_blocks_without_hash_need_no_memory_of_their_number(void **state)
{
	struct array *array = decode_good('1', "'z 1024 'x 4294967296 'c 'k #1 'm \"d1\" 0 \"\" 'f 0 4398046511104 5 0 7 \"a\" "
					  "'n 0 4294967296 'i 800 4294967296 1 0 'N", &plain);

	(void)state;
	assert_int_equal(array_stripe_count(array), UINT64_C(1) << 32);
	array_free(array);
}

static void a_synced_stripe_without_a_time_counts_as_bad(void **state)
{
	struct array *array = decode_good('2', HEAD FILE_A NO_HOLE "'i 800 2 1 0 1 0 'N", &plain);
	struct info info;

	(void)state;
	assert_true(info_get(array->info, 1, &info));
	assert_false(info.bad);
	assert_true(info_get(array->info, 2, &info));
	assert_true(info.bad);
	assert_int_equal(info.time, INFO_TIME_MIN);
	array_free(array);
}

static void sizes_of_the_file_count_where_the_configuration_says_none(void **state)
{
	struct array *array = decode_good('3', "'z 2048 'x 2 'y 8 'c 'k #1 " DISK "'f 0 3000 5 1 7 \"a\" 'b 0 2 #1 'i 800 2 1 0 'N",
					  &plain);

	(void)state;
	assert_int_equal(array->block_size, 2048);
	assert_int_equal(array->hash_size, 8);
	assert_int_equal(extent_hash(array->disk[0]->map, extent_at(array->disk[0]->map, 1), 1)[0], 9);
	array_free(array);
}

static void a_disk_known_by_its_uuid_alone_is_renamed(void **state)
{
	struct array *array = decode_good('2', "'z 1024 'x 3 'c 'k #1 'M \"old\" 2 100 50 \"uuid-9\" " FILE_A INFO "'N", &plain);

	(void)state;
	assert_int_equal(array_find_disk(array, "d9")->column, 2);
	assert_int_equal(array_find_disk(array, "d9")->file_count, 1);
	assert_true(array->changed);
	array_free(array);
}

static void a_uuid_of_two_disks_names_none_unless_the_first_is_meant(void **state)
{
	static const char words[] = "'z 1024 'x 3 'c 'k #1 'M \"old\" 2 100 50 \"uuid-9\" " FILE_A INFO "'N";
	struct content_load first = { .match_first_uuid = true };
	struct array *array = configured();
	char *text;

	(void)state;
	array->disk[1]->uuid_now = mem_strdup("uuid-9");
	assert_int_equal(decode('2', words, &plain, array, &text), TROUBLE_CONFIG);
	free(text);
	array_free(array);
	array = configured();
	array->disk[1]->uuid_now = mem_strdup("uuid-9");
	assert_int_equal(decode('2', words, &first, array, &text), TROUBLE_NONE);
	assert_int_equal(array->disk[1]->column, 2);
	free(text);
	array_free(array);
}

static void an_unused_part_of_parity_is_forgotten_and_a_new_one_is_empty(void **state)
{
	struct array *array = decode_good('3', SIZES DISK "'Q 0 100 50 2 \"/p\" \"u\" 3072 \"/q\" \"\" 0 " FILE_A INFO "'N", &plain);

	(void)state;
	assert_true(array->changed);
	assert_int_equal(array->level[0].split_count, 1);
	assert_int_equal(array->level[0].split[0].size_bytes, 3072);
	assert_string_equal(array->level[0].split[0].uuid, "u");
	assert_string_equal(array->level[0].split[0].path, "/p");
	array_free(array);
	array = decode_good('3', SIZES DISK "'Q 0 100 50 0 " FILE_A INFO "'N", &plain);
	assert_int_equal(array->level[0].split[0].size_bytes, 0);
	array_free(array);
	array = decode_good('2', SIZES DISK "'P 0 100 50 \"u\" " FILE_A INFO "'N", &plain);
	assert_int_equal(array->level[0].split[0].size_bytes, SPLIT_SIZE_UNKNOWN);
	array_free(array);
}

/* What would be saved, as bytes: all small enough for the buffer, which a flush leaves as it is. */
static void expect_saved(struct array *array, char version, int64_t now, const char *words)
{
	struct buf image = { 0 };
	struct sink sink;

	image_begin(&image, version);
	image_words(&image, words);
	image_seal(&image);
	array_forget_unused(array);
	sink_init(&sink, NULL, 0);
	assert_int_equal(record_encode(array, now, &sink), 0);
	assert_int_equal(sink.size, image.size);
	assert_memory_equal(sink.data, image.data, image.size);
	sink_done(&sink);
	buf_done(&image);
}

static void runs_are_written_whole_wherever_their_hashes_are(void **state)
{
	struct array *array = decode_good('2', SIZES DISK LEVEL "'f 0 3000 5 0 7 \"a\" 'g 0 1 #1 'g 1 2 #2 'i 0 3 0 'N", &plain);
	struct extent_map *map = array->disk[0]->map;
	uint8_t hash[16];

	(void)state;
	memcpy(hash, extent_hash(map, extent_at(map, 0), 0), 16);
	hash[15] = 0;
	extent_set(map, 1, BLOCK_BLK, hash);
	extent_set(map, 2, BLOCK_BLK, NULL);
	extent_set(map, 0, BLOCK_BLK, NULL);
	info_set_run(array->info, 0, 3, &(struct info){ .time = 808 });
	expect_saved(array, '2', 1000, SIZES DISK LEVEL
		     "'f 0 3000 5 0 7 \"a\" 'b 0 3 #1 ~0102030405060708090a0b0c0d0e0f00 #1 'h 0 3 'O 'i 808 3 1 0 'N");
	array_free(array);
}

static void deleted_blocks_that_meet_are_one_run_and_those_beyond_the_files_are_gone(void **state)
{
	struct array *array = decode_good('2', "'z 1024 'x 6 'c 'k #1 " DISK DISK2 LEVEL
		"'f 0 6000 5 1 7 \"a\" 'b 0 6 #6 'f 1 1000 5 1 7 \"b\" 'b 1 1 #1 'f 1 1000 5 1 7 \"c\" 'g 2 1 #1 "
		"'f 1 1000 5 1 7 \"d\" 'b 4 1 #1 'h 0 6 'O 'h 1 3 'O 1 'o #1 2 'O 'i 800 6 1 0 'N", &plain);
	struct disk *a = array->disk[0], *b = array->disk[1];

	(void)state;
	while (tommy_list_head(&b->files) != NULL)
		disk_remove_file(b, tommy_list_head(&b->files)->data);
	expect_saved(array, '2', 1000, "'z 1024 'x 6 'c 'k #1 " DISK DISK2 LEVEL
		     "'f 0 6000 5 1 7 \"a\" 'b 0 6 #6 'h 0 6 'O 'h 1 1 'O 4 'o #4 1 'O 'i 800 6 1 0 'N");
	/* No file is left: nothing is deleted any more, and no disk has a record. */
	disk_remove_file(a, tommy_list_head(&a->files)->data);
	expect_saved(array, '2', 1000, "'z 1024 'x 0 'c 'k #1 " LEVEL "'i 0 'N");
	array_free(array);
}

static void times_of_the_future_become_the_present(void **state)
{
	struct array *array = decode_good('2', HEAD FILE_A NO_HOLE "'i 800 1 1 0 1 1 800 1 9 1600 'N", &plain);

	(void)state;
	expect_saved(array, '2', 1234, HEAD FILE_A NO_HOLE "'i 800 1 1 0 1 1 434 1 9 434 'N");
	info_set(array->info, 2, &(struct info){ .time = 3000 });
	expect_saved(array, '2', 1234, HEAD FILE_A NO_HOLE "'i 800 1 1 0 2 1 434 'N");
	array_free(array);
}

static void the_lowest_version_that_tells_all_is_written(void **state)
{
	struct array *array = decode_good('4', "'z 1024 'x 0 'y 16 'c 'k #1 'C 'u #1 'Q 0 100 50 1 \"/p\" \"u\" 0 'i 0 'N", &plain);

	(void)state;
	expect_saved(array, '2', 1, "'z 1024 'x 0 'c 'k #1 'P 0 100 50 \"u\" 'i 0 'N");
	array->level[0].split[1] = (struct split){ .path = mem_strdup("/q"), .uuid = mem_strdup(""),
						   .uuid_now = mem_strdup("v"), .size_bytes = SPLIT_SIZE_UNKNOWN };
	array->level[0].split_count = 2;
	expect_saved(array, '3', 1, "'z 1024 'x 0 'y 16 'c 'k #1 'Q 0 100 50 2 \"/p\" \"u\" 0 \"/q\" \"v\" "
		     "18446744073709551615 'i 0 'N");
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_wrong_thing_is_refused_with_its_reason),
		cmocka_unit_test(a_file_without_hash_size_has_hashes_of_16_bytes),
		cmocka_unit_test(unusual_but_right_files_are_read),
		cmocka_unit_test(a_very_old_file_has_disks_without_space_and_blocks_without_hash),
		cmocka_unit_test(billions_of_blocks_without_hash_need_no_memory_of_their_number),
		cmocka_unit_test(a_synced_stripe_without_a_time_counts_as_bad),
		cmocka_unit_test(sizes_of_the_file_count_where_the_configuration_says_none),
		cmocka_unit_test(a_disk_known_by_its_uuid_alone_is_renamed),
		cmocka_unit_test(a_uuid_of_two_disks_names_none_unless_the_first_is_meant),
		cmocka_unit_test(an_unused_part_of_parity_is_forgotten_and_a_new_one_is_empty),
		cmocka_unit_test(runs_are_written_whole_wherever_their_hashes_are),
		cmocka_unit_test(deleted_blocks_that_meet_are_one_run_and_those_beyond_the_files_are_gone),
		cmocka_unit_test(times_of_the_future_become_the_present),
		cmocka_unit_test(the_lowest_version_that_tells_all_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
