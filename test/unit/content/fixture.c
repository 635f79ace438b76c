/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Files that other programs wrote, against what an independent decoder says of them. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <json-c/json.h>

#include "content/copies.h"
#include "content/record.h"
#include "os/file.h"

#include "image.h"

static char *fixture_path(const char *name)
{
	const char *srcdir = getenv("srcdir");

	return mem_printf("%s/test/fixtures/%s", srcdir != NULL ? srcdir : ".", name);
}

/* Call fn(name without suffix) for each. */
static void each_fixture(void (*fn)(const char *name))
{
	char *path = fixture_path("");
	DIR *dir = opendir(path);
	struct dirent *entry;
	unsigned count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		char *suffix = strstr(entry->d_name, ".content");

		if (suffix == NULL)
			continue;
		*suffix = '\0';
		fn(entry->d_name);
		count++;
	}
	assert_true(count >= 45);
	closedir(dir);
	free(path);
}

static struct buf fixture_bytes(const char *name)
{
	char *file = mem_printf("%s.content", name), *path = fixture_path(file);
	struct buf bytes = { 0 };

	assert_int_equal(os_read_file(path, 1 << 20, &bytes), 0);
	free(file);
	free(path);
	return bytes;
}

static enum trouble decode(const void *data, size_t size, struct array **array)
{
	struct decoder *d = mem_zalloc(sizeof(*d));
	enum trouble trouble;
	int rc;

	*array = array_new(1024, 16);
	d->array = *array;
	rc = record_decode(d, data, size);
	assert_int_equal(rc, d->trouble == TROUBLE_NONE ? 0 : -1);
	trouble = d->trouble;
	decoder_done(d);
	free(d);
	return trouble;
}

/* What would be saved. */
static struct buf encode(struct array *array)
{
	int fd = memfd_create("content", 0);
	struct buf bytes = { 0 };
	struct sink sink;
	char *data;

	array_forget_unused(array);
	sink_init(&sink, &fd, 1);
	assert_int_equal(record_encode(array, INT64_MAX, &sink), 0);
	data = malloc(sink.size);
	assert_int_equal(pread(fd, data, sink.size, 0), (ssize_t)sink.size);
	buf_add(&bytes, data, sink.size);
	free(data);
	sink_done(&sink);
	close(fd);
	return bytes;
}

static struct json_object *get(struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value))
		fail_msg("no %s", key);
	return value;
}

static int64_t number(struct json_object *object, const char *key)
{
	return json_object_get_int64(get(object, key));
}

static const char *text(struct json_object *object, const char *key)
{
	return json_object_get_string(get(object, key));
}

/* Bytes that are not UTF-8 came out of the JSON parser as U+FFFD. */
static void same_name(const char *name, const char *expected)
{
	while (*name != '\0' || *expected != '\0') {
		if (memcmp(expected, "\xef\xbf\xbd", strnlen(expected, 3)) == 0 && *expected != '\0') {
			assert_true((uint8_t)*name >= 0x80);
			name++;
			expected += 3;
		} else {
			assert_int_equal(*name++, *expected++);
		}
	}
}

static void same_hash(const uint8_t *hash, unsigned size, const char *hex)
{
	assert_int_equal(strlen(hex), size * 2);
	for (unsigned i = 0; i < size; i++) {
		char digits[3] = { hex[2 * i], hex[2 * i + 1], 0 };

		assert_int_equal(hash[i], strtoul(digits, NULL, 16));
	}
}

static enum block_state state_of(const char *name)
{
	return strcmp(name, "BLK") == 0 ? BLOCK_BLK :
	       strcmp(name, "CHG") == 0 ? BLOCK_CHG :
	       strcmp(name, "REP") == 0 ? BLOCK_REP :
					  BLOCK_DELETED;
}

static void same_run(const struct array *array, const struct disk *disk, const struct file *file,
		     block_t first, struct json_object *run)
{
	struct json_object *hashes = get(run, "hashes");

	for (int64_t i = 0; i < number(run, "count"); i++) {
		stripe_t at = (stripe_t)(number(run, "pos") + i);
		const struct extent *extent = extent_at(disk->map, at);

		assert_non_null(extent);
		assert_int_equal(extent->state, state_of(text(run, "state")));
		assert_ptr_equal(extent->file, file);
		if (file != NULL)
			assert_int_equal(extent->first + (at - extent->at), first + (block_t)i);
		same_hash(extent_hash(disk->map, extent, at), array->hash_size,
			  json_object_get_string(json_object_array_get_idx(hashes, (size_t)i)));
	}
}

static void same_head(const struct array *array, struct json_object *json)
{
	struct json_object *disks = get(json, "disks"), *levels = get(json, "parities");
	struct json_object *hash = get(json, "hash"), *past = get(json, "prevhash");

	assert_int_equal(array->block_size, number(json, "blocksize"));
	assert_int_equal(array_stripe_count(array), number(json, "blockmax"));
	assert_int_equal(array->hash_size, number(json, "hashsize"));
	assert_string_equal(hash_by_kind(array->hash.kind)->name, text(hash, "kind"));
	same_hash(array->hash.seed, 16, text(hash, "seed"));
	if (past == NULL) {
		assert_int_equal(array->past_hash.kind, HASH_NONE);
	} else {
		assert_string_equal(hash_by_kind(array->past_hash.kind)->name, text(past, "kind"));
		same_hash(array->past_hash.seed, 16, text(past, "seed"));
	}
	assert_int_equal(array->disk_count, json_object_array_length(disks));
	for (unsigned i = 0; i < array->disk_count; i++) {
		struct json_object *d = json_object_array_get_idx(disks, i);

		assert_string_equal(array->disk[i]->name, text(d, "name"));
		assert_int_equal(array->disk[i]->map_order, number(d, "index"));
		assert_int_equal(array->disk[i]->column, number(d, "position"));
		assert_int_equal(array->disk[i]->total_blocks, number(d, "total_blocks"));
		assert_int_equal(array->disk[i]->free_blocks, number(d, "free_blocks"));
		assert_string_equal(array->disk[i]->uuid, text(d, "uuid"));
	}
	assert_int_equal(array->level_count, json_object_array_length(levels));
	for (unsigned i = 0; i < array->level_count; i++) {
		struct json_object *l = json_object_array_get_idx(levels, i), *splits = get(l, "splits");

		assert_int_equal(array->level[i].total_blocks, number(l, "total_blocks"));
		assert_int_equal(array->level[i].free_blocks, number(l, "free_blocks"));
		assert_int_equal(array->level[i].split_count, json_object_array_length(splits));
		for (unsigned k = 0; k < array->level[i].split_count; k++) {
			struct json_object *s = json_object_array_get_idx(splits, k);
			const struct split *split = &array->level[i].split[k];

			assert_string_equal(split->uuid, text(s, "uuid"));
			assert_string_equal(split->path, get(s, "path") != NULL ? text(s, "path") : "");
			if (get(s, "size") != NULL)
				assert_int_equal(split->size_bytes, number(s, "size"));
			else
				assert_int_equal(split->size_bytes, SPLIT_SIZE_UNKNOWN);
		}
	}
}

static void same_files(const struct array *array, struct json_object *files)
{
	struct tommy_node *next[COLUMN_MAX];
	size_t count = 0;

	for (unsigned i = 0; i < array->disk_count; i++) {
		next[i] = tommy_list_head(&array->disk[i]->files);
		count += array->disk[i]->file_count;
	}
	assert_int_equal(count, json_object_array_length(files));
	for (size_t i = 0; i < count; i++) {
		struct json_object *f = json_object_array_get_idx(files, i), *runs = get(f, "runs");
		const struct disk *disk = array_find_disk(array, text(f, "disk"));
		const struct file *file = next[disk->map_order]->data;
		block_t first = 0;

		next[disk->map_order] = next[disk->map_order]->next;
		same_name(file->path, text(f, "path"));
		assert_int_equal(file->stamp.size, number(f, "size"));
		assert_int_equal(file->stamp.mtime_sec, number(f, "mtime_sec"));
		if (get(f, "mtime_nsec") != NULL)
			assert_int_equal(file->stamp.mtime_nsec, number(f, "mtime_nsec"));
		else
			assert_int_equal(file->stamp.mtime_nsec, NSEC_UNKNOWN);
		assert_int_equal(file->inode, number(f, "inode"));
		assert_int_equal(file_block_count(file, array->block_size), number(f, "block_count"));
		for (size_t r = 0; r < json_object_array_length(runs); r++) {
			struct json_object *run = json_object_array_get_idx(runs, r);

			same_run(array, disk, file, first, run);
			first += (block_t)number(run, "count");
		}
	}
}

static void same_links_and_dirs(const struct array *array, struct json_object *links,
				struct json_object *dirs)
{
	struct tommy_node *link_node[COLUMN_MAX], *dir_node[COLUMN_MAX];

	for (unsigned i = 0; i < array->disk_count; i++) {
		link_node[i] = tommy_list_head(&array->disk[i]->links);
		dir_node[i] = tommy_list_head(&array->disk[i]->dirs);
	}
	for (size_t i = 0; i < json_object_array_length(links); i++) {
		struct json_object *l = json_object_array_get_idx(links, i);
		unsigned at = array_find_disk(array, text(l, "disk"))->map_order;
		const struct link *link = link_node[at]->data;

		link_node[at] = link_node[at]->next;
		same_name(link->path, text(l, "path"));
		same_name(link->target, text(l, "target"));
		assert_int_equal(link->hard, strcmp(text(l, "type"), "hardlink") == 0);
	}
	for (size_t i = 0; i < json_object_array_length(dirs); i++) {
		struct json_object *d = json_object_array_get_idx(dirs, i);
		unsigned at = array_find_disk(array, text(d, "disk"))->map_order;
		const struct dir *dir = dir_node[at]->data;

		dir_node[at] = dir_node[at]->next;
		same_name(dir->path, text(d, "path"));
	}
	for (unsigned i = 0; i < array->disk_count; i++) {
		assert_null(link_node[i]);
		assert_null(dir_node[i]);
	}
}

static void same_holes(const struct array *array, struct json_object *holes)
{
	for (size_t i = 0; i < json_object_array_length(holes); i++) {
		struct json_object *h = json_object_array_get_idx(holes, i), *runs = get(h, "runs");
		const struct disk *disk = array_find_disk(array, text(h, "disk"));

		for (size_t r = 0; r < json_object_array_length(runs); r++) {
			struct json_object *run = json_object_array_get_idx(runs, r);

			if (strcmp(text(run, "state"), "DELETED") == 0) {
				same_run(array, disk, NULL, 0, run);
				continue;
			}
			for (int64_t k = 0; k < number(run, "count"); k++) {
				const struct extent *e =
					extent_at(disk->map, (stripe_t)(number(run, "pos") + k));

				assert_true(e == NULL || e->state != BLOCK_DELETED);
			}
		}
	}
}

static void same_info(const struct array *array, struct json_object *json)
{
	struct json_object *runs = get(json, "runs");

	for (size_t r = 0; r < json_object_array_length(runs); r++) {
		struct json_object *run = json_object_array_get_idx(runs, r);

		for (int64_t i = 0; i < number(run, "count"); i++) {
			struct info info;
			bool has = info_get(array->info, (stripe_t)(number(run, "pos") + i), &info);

			assert_int_equal(has, get(run, "time") != NULL);
			if (!has)
				continue;
			assert_int_equal(info.time, number(run, "time") / 8 * 8);
			assert_int_equal(info.bad, json_object_get_boolean(get(run, "bad")));
			assert_int_equal(info.rehash, json_object_get_boolean(get(run, "rehash")));
			assert_int_equal(info.just_synced, json_object_get_boolean(get(run, "justsynced")));
		}
	}
}

static void check_fixture(const char *name)
{
	char *file = mem_printf("%s.json", name), *path = fixture_path(file);
	struct json_object *json = json_object_from_file(path);
	struct buf bytes = fixture_bytes(name);
	struct array *array;

	print_message("%s\n", name);
	assert_non_null(json);
	assert_int_equal(decode(bytes.data, bytes.size, &array), TROUBLE_NONE);
	same_head(array, json);
	same_files(array, get(json, "files"));
	same_links_and_dirs(array, get(json, "links"), get(json, "dirs"));
	same_holes(array, get(json, "holes"));
	same_info(array, get(json, "info"));
	array_free(array);
	buf_done(&bytes);
	json_object_put(json);
	free(file);
	free(path);
}

static void every_fixture_agrees_with_its_json(void **state)
{
	(void)state;
	each_fixture(check_fixture);
}

/* Groups go in the order of the configuration, which these two files show not to be that of the records. */
static void configure_as_written(struct array *array, const char *name)
{
	if (strstr(name, "disk-removed") != NULL) {
		struct disk *first = array->disk[0];

		array->disk[0] = array->disk[1];
		array->disk[1] = first;
	} else if (strstr(name, "disk-added") != NULL) {
		struct disk *first = array->disk[0];

		array->disk[0] = array->disk[1];
		array->disk[1] = first;
	}
}

static void check_saved_again(const char *name)
{
	struct buf bytes = fixture_bytes(name), saved, again;
	struct array *array, *second;

	assert_int_equal(decode(bytes.data, bytes.size, &array), TROUBLE_NONE);
	configure_as_written(array, name);
	saved = encode(array);
	if (strncmp(name, "v12-", 4) == 0) {
		print_message("%s\n", name);
		assert_int_equal(saved.size, bytes.size);
		assert_memory_equal(saved.data, bytes.data, bytes.size);
	}
	/* The others are of a later version than they need: what is saved is stable, and says the same. */
	assert_int_equal(decode(saved.data, saved.size, &second), TROUBLE_NONE);
	configure_as_written(second, name);
	again = encode(second);
	assert_int_equal(again.size, saved.size);
	assert_memory_equal(again.data, saved.data, saved.size);
	array_free(array);
	array_free(second);
	buf_done(&bytes);
	buf_done(&saved);
	buf_done(&again);
}

static void a_file_of_12_2_saved_again_is_the_same_to_the_byte(void **state)
{
	(void)state;
	each_fixture(check_saved_again);
}

static const char *const small[] = { "v12-split-parity", "v15dev-interrupted" };

static void expect_refused(const char *path, const void *data, size_t size)
{
	struct content *content;
	char *why;
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_int_equal(os_write_all(fd, data, size), 0);
	close(fd);
	assert_int_not_equal(content_map(path, &content, &why), CONTENT_WHOLE);
	assert_null(content);
	assert_non_null(why);
	free(why);
}

/* Each byte; under the address sanitizer, which takes a minute for that, some. */
#ifdef __SANITIZE_ADDRESS__
#define BYTE_STEP 5
#else
#define BYTE_STEP 1
#endif

static void every_truncation_and_every_changed_byte_is_refused(void **state)
{
	char path[] = "/tmp/fixture-XXXXXX";

	(void)state;
	close(mkstemp(path));
	for (size_t i = 0; i < 2; i++) {
		struct buf bytes = fixture_bytes(small[i]);

		for (size_t at = 0; at < bytes.size; at += BYTE_STEP) {
			expect_refused(path, bytes.data, at);
			bytes.data[at] ^= (char)(1 << at % 8);
			expect_refused(path, bytes.data, bytes.size);
			bytes.data[at] ^= (char)(1 << at % 8);
		}
		buf_done(&bytes);
	}
	unlink(path);
}

/* With the checksum made right again, so that the reader gets to see what changed. */
static void decode_altered(struct buf *bytes, size_t size)
{
	struct buf altered = { 0 };
	uint8_t *exact;
	struct array *array;

	if (size > 0)
		buf_add(&altered, bytes->data, size);
	image_seal(&altered);
	exact = malloc(altered.size);
	memcpy(exact, altered.data, altered.size);
	if (decode(exact, altered.size, &array) == TROUBLE_NONE) {
		struct buf saved = encode(array);

		buf_done(&saved);
	}
	array_free(array);
	free(exact);
	buf_done(&altered);
}

static void no_truncation_and_no_flipped_bit_crashes_the_reader(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct buf bytes = fixture_bytes(small[i]);

		for (size_t at = 0; at < bytes.size - 4; at += BYTE_STEP) {
			decode_altered(&bytes, at);
			for (unsigned bit = 0; bit < 8; bit++) {
				bytes.data[at] ^= (char)(1 << bit);
				decode_altered(&bytes, bytes.size - 4);
				bytes.data[at] ^= (char)(1 << bit);
			}
		}
		buf_done(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fixture_agrees_with_its_json),
		cmocka_unit_test(a_file_of_12_2_saved_again_is_the_same_to_the_byte),
		cmocka_unit_test(every_truncation_and_every_changed_byte_is_refused),
		cmocka_unit_test(no_truncation_and_no_flipped_bit_crashes_the_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
