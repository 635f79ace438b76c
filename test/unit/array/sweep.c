/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array/sweep.h"

enum { STRIPES = 60, DISKS = 4 };

static uint8_t some_hash[STRIPES * 16];

static void fill(struct array *array)
{
	static const enum block_state states[] = { BLOCK_BLK, BLOCK_CHG, BLOCK_REP, BLOCK_DELETED };
	static const struct stamp stamp = { 1, 0, 0 };

	for (unsigned d = 0; d < DISKS; d++) {
		struct disk *disk = array_add_disk(array, "d", "/");

		for (int i = 0; i < 8; i++) {
			enum block_state state = states[rand() % 4];
			struct file *file = NULL;

			if (state != BLOCK_DELETED)
				file = disk_add_file(disk, "f", &stamp, 1);
			extent_insert(disk->map, file, 0, (stripe_t)rand() % 50, (stripe_t)rand() % 10 + 1,
				      state, some_hash, false);
		}
	}
	for (int i = 0; i < 8; i++) {
		struct info info = { 8 * (rand() % 3), false, false, false };

		info_set_run(array->info, (stripe_t)rand() % 50, (stripe_t)rand() % 10 + 1, &info);
	}
}

static void every_stripe_is_met_once_with_what_it_has(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct array *array = array_new(1024, 16);
		struct sweep sweep;
		stripe_t next = 0;

		srand(seed);
		fill(array);
		sweep_begin(&sweep, array);
		while (sweep_next(&sweep)) {
			assert_int_equal(sweep.at, next);
			assert_true(sweep.count > 0);
			for (; next < sweep.at + sweep.count; next++) {
				struct info info;
				unsigned file = 0, blk = 0, unsynced = 0;

				assert_int_equal(info_get(array->info, next, &info), sweep.has_info);
				assert_int_equal(info.time, sweep.info.time);
				for (unsigned d = 0; d < DISKS; d++) {
					const struct extent *e = extent_at(array->disk[d]->map, next);

					assert_ptr_equal(e, sweep.extent[d]);
					file += e != NULL && block_has_file(e->state);
					blk += e != NULL && e->state == BLOCK_BLK;
					unsynced += e != NULL && block_is_unsynced(e->state);
				}
				assert_int_equal(file, sweep.file);
				assert_int_equal(blk, sweep.blk);
				assert_int_equal(unsynced, sweep.unsynced);
			}
		}
		for (; next < STRIPES + 10; next++) {
			struct info info;

			assert_false(info_get(array->info, next, &info));
			for (unsigned d = 0; d < DISKS; d++)
				assert_null(extent_at(array->disk[d]->map, next));
		}
		array_free(array);
	}
}

static void an_empty_array_has_no_run(void **state)
{
	struct array *array = array_new(1024, 16);
	struct sweep sweep;

	(void)state;
	array_add_disk(array, "d", "/");
	sweep_begin(&sweep, array);
	assert_false(sweep_next(&sweep));
	array_free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_stripe_is_met_once_with_what_it_has),
		cmocka_unit_test(an_empty_array_has_no_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
