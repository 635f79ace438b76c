/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What loading a content file costs in memory, counted: the linker sends the allocations of our code through here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "content/content.h"
#include "content/side.h"

static size_t calls, bytes;

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_posix_memalign(void **data, size_t align, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_posix_memalign(void **data, size_t align, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
	calls++;
	bytes += count * size;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	calls++;
	bytes += size;
	return __real_realloc(old, size);
}

int __wrap_posix_memalign(void **data, size_t align, size_t size)
{
	calls++;
	bytes += size;
	return __real_posix_memalign(data, align, size);
}

/* Save an array of so many files and blocks, and count while it is loaded. */
static void count_load(unsigned files, unsigned blocks, size_t *its_calls, size_t *its_bytes)
{
	char name[] = "/tmp/snapraid-count.XXXXXX", path[64], side[72];
	const char *const list[] = { path };
	struct array *array = array_new(1024, HASH_BYTES_MAX);
	struct disk *disk = array_add_disk(array, "d1", "/d1/");
	struct content *content;

	assert_non_null(mkdtemp(name));
	snprintf(path, sizeof(path), "%s/content", name);
	snprintf(side, sizeof(side), "%s.side", path);
	array->hash.kind = HASH_SPOOKY2;
	array->keep_metadata = true;
	array_map_disks(array);
	for (unsigned i = 0; i < files; i++) {
		const struct stamp stamp = { (uint64_t)blocks * 1024, 1000, 5 };
		uint8_t *hash = arena_alloc(array->arena, (size_t)blocks * HASH_BYTES_MAX, 1);
		char file[32];

		memset(hash, 7, (size_t)blocks * HASH_BYTES_MAX);
		snprintf(file, sizeof(file), "dir/file %u", i);
		extent_insert(disk->map, disk_add_file(disk, file, &stamp, i + 1), 0, (stripe_t)i * blocks, blocks,
			      BLOCK_BLK, hash, true);
	}
	info_set_run(array->info, 0, (stripe_t)files * blocks, &(struct info){ .time = 8000 });
	assert_int_equal(content_save(list, 1, array), 0);
	array_free(array);

	calls = bytes = 0;
	array = content_load_alone(path, &content);
	*its_calls = calls;
	*its_bytes = bytes;
	assert_non_null(array);
	assert_int_equal(array->disk[0]->file_count, files);
	array_free(array);
	content_close(content);
	unlink(path);
	unlink(side);
	rmdir(name);
}

static void loading_costs_no_memory_for_a_block(void **state)
{
	size_t few_calls, few_bytes, many_calls, many_bytes;

	(void)state;
	count_load(50, 10, &few_calls, &few_bytes);
	count_load(50, 10000, &many_calls, &many_bytes);
	assert_int_equal(few_calls, many_calls);
	/* But a word for 4096 stripes of equal time. */
	assert_in_range(many_bytes, few_bytes, few_bytes + 50 * 10000 / 4096 * 64);
}

static void loading_costs_no_allocation_for_a_file(void **state)
{
	size_t few_calls, few_bytes, many_calls, many_bytes;

	(void)state;
	count_load(1000, 1, &few_calls, &few_bytes);
	count_load(20000, 1, &many_calls, &many_bytes);
	assert_in_range(many_calls, few_calls, few_calls + 100);
	/* The record of a file, its path, its run and what finds paths that come twice. */
	assert_in_range((many_bytes - few_bytes) / 19000, 0, 400);
}

/* What a side file with such attributes of one file costs until it is refused. */
static size_t count_refusal(const uint8_t *xattrs, size_t size)
{
	const struct binding binding = { 1, 2 };
	const struct meta meta = { .mode = 0644, .xattrs = xattrs, .xattr_bytes = size };
	struct array *array = array_new(1024, HASH_BYTES_MAX);
	struct disk *disk = array_add_disk(array, "d1", "/d1/");
	struct file *file = disk_add_file(disk, "f", &(struct stamp){ 0, 1, 1 }, 1);
	struct buf image = { 0 };

	array->keep_metadata = true;
	array_map_disks(array);
	disk->map_order = 0;
	file->kept.meta = meta_intern(array->metas, &meta);
	side_encode(array, &binding, &image);
	calls = bytes = 0;
	assert_int_equal(side_decode((const uint8_t *)image.data, image.size, &binding, array), SIDE_DAMAGED);
	buf_done(&image);
	array_free(array);
	return bytes;
}

static void attributes_that_no_file_can_have_cost_no_memory(void **state)
{
	const size_t size = 64 << 20;
	uint8_t *xattrs = mem_alloc(size);

	(void)state;
	memset(xattrs, 'a', size);			/* a name without an end */
	assert_in_range(count_refusal(xattrs, size), 0, 1 << 20);
	xattrs[1] = 0;					/* a value of 1.5 GB */
	assert_in_range(count_refusal(xattrs, size), 0, 1 << 20);
	for (size_t at = 0; at < size; at += 128) {	/* names without a value, without an end */
		memset(xattrs + at + 123, 0, 5);
		xattrs[at] = (uint8_t)(1 + at / 128 / 62500);
		xattrs[at + 1] = (uint8_t)(1 + at / 128 / 250 % 250);
		xattrs[at + 2] = (uint8_t)(1 + at / 128 % 250);
	}
	assert_in_range(count_refusal(xattrs, size), 0, 1 << 20);
	free(xattrs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loading_costs_no_memory_for_a_block),
		cmocka_unit_test(loading_costs_no_allocation_for_a_file),
		cmocka_unit_test(attributes_that_no_file_can_have_cost_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
