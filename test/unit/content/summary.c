/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "content/summary.h"
#include "os/file.h"
#include "report/report.h"

static uint8_t some_hash[10 * 16];

/* Stripes 0-3 of one file on d1, 1 changed; times 80 and 160; an unused stripe has info that counts for nothing. */
static struct array *sample(void)
{
	static const struct stamp stamp = { 4096, 1, 1 };
	struct array *array = array_new(1024, 16);
	struct disk *disk = array_add_disk(array, "d:1", "/1/");
	struct file *file = disk_add_file(disk, "f", &stamp, 1);

	array_add_disk(array, "new", "/2/");
	disk->map_order = 0;
	disk->total_blocks = 10;
	disk->free_blocks = 4;
	disk_add_link(disk, "h", "f", true);
	disk_add_link(disk, "s", "x", false);
	disk_add_link(disk, "t", "x", false);
	disk_add_dir(disk, "d");
	extent_insert(disk->map, file, 0, 0, 1, BLOCK_BLK, some_hash, false);
	extent_insert(disk->map, file, 1, 1, 1, BLOCK_CHG, some_hash, false);
	extent_insert(disk->map, file, 2, 2, 2, BLOCK_BLK, some_hash, false);
	info_set(array->info, 0, &(struct info){ .time = 160, .just_synced = true });
	info_set(array->info, 2, &(struct info){ .time = 80, .bad = true });
	info_set(array->info, 3, &(struct info){ .time = 160, .rehash = true });
	info_set(array->info, 7, &(struct info){ .time = 240, .bad = true });
	array->level_count = 1;
	array->level[0] = (struct level){ .name = "parity", .split_count = 2, .total_blocks = 20, .free_blocks = 5 };
	array->level[0].split[0] = (struct split){ .path = mem_strdup("/p"), .uuid = mem_strdup("u"),
						   .size_bytes = 4096 };
	array->level[0].split[1] = (struct split){ .path = mem_strdup("/q"), .uuid = mem_strdup(""),
						   .size_bytes = SPLIT_SIZE_UNKNOWN };
	return array;
}

static const char always[] =
	"content_data:d\\d1:10240:4096\n"
	"content_data_split:d\\d1:\n"
	"content_parity:parity:20480:5120\n"
	"content_parity_split:parity:u:/p:4096\n"
	"content_parity_split:parity/1::/q:-1\n";
static const char counts[] =
	"content_info:file:1\ncontent_info:hardlink:1\ncontent_info:symlink:2\ncontent_info:dir_empty:1\n"
	"content_info:block:4\ncontent_info:block_bad:1\ncontent_info:block_rehash:1\n"
	"content_info:block_unsynced:1\ncontent_info:block_unscrubbed:1\n";
static const char buckets[] =
	"list:bucket_begin\nbucket:count:2\nbucket:entry:80:1:0\nbucket:entry:160:1:1\n"
	"bucket:block_count:3\nlist:bucket_end\n";

static void everything_is_told_after_loading_and_no_times_after_saving(void **state)
{
	char path[] = "/tmp/summary-XXXXXX";
	struct report_options options = { .log = path };
	struct array *array = sample();
	struct buf log = { 0 };
	const char *at;

	(void)state;
	close(mkstemp(path));
	assert_int_equal(report_open(&options), 0);
	summary_report(array, true);
	summary_report(array, false);
	report_close();
	assert_int_equal(os_read_file(path, 1 << 20, &log), 0);
	at = strstr(log.data, always);
	assert_non_null(at);
	at = strstr(at, counts);
	assert_non_null(at);
	at = strstr(at, buckets);
	assert_non_null(at);
	at = strstr(at, always);
	assert_non_null(at);
	at = strstr(at, counts);
	assert_non_null(at);
	assert_null(strstr(at, "bucket"));
	/* A disk that is in no content file yet has nothing to tell. */
	assert_null(strstr(log.data, "content_data:new"));
	unlink(path);
	buf_done(&log);
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_told_after_loading_and_no_times_after_saving),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
