/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "one_slot.h"

#include "stripe/job_suspect.h"

/* Run the job over the stripe, with the data of d1 as it is or another one. */
static struct error_counts run(struct bench *bench, bool accept, bool other)
{
	struct error_counts errors = { 0, 0, 0, 0, 0 };
	struct suspect_context context = { bench->array, &errors, accept };

	bench_read(bench, &job_suspect, &context);
	if (other)
		memset(bench->cell[0].data, 'x', BLOCK);
	job_suspect.compute(&bench->slot, bench->scratch, &context);
	assert_int_equal(job_suspect.retire(&bench->slot, &context), 0);
	return errors;
}

static bool is_bad(const struct bench *bench)
{
	struct info info;

	return info_get(bench->array->info, 0, &info) && info.bad;
}

static void only_synced_blocks_of_suspect_files_are_read(void **state)
{
	struct bench *bench = bench_new(1);
	struct file *file = bench_file(bench, 0, BLOCK_BLK);

	(void)state;
	bench_file(bench, 1, BLOCK_BLK);
	run(bench, false, false);
	assert_false(bench->cell[0].read);
	file->suspect = true;
	run(bench, false, false);
	assert_true(bench->cell[0].read);
	assert_true(bench->cell[0].want.same_stamp);
	assert_false(bench->cell[1].read);
	extent_set(bench->array->disk[0]->map, 0, BLOCK_CHG, NULL);
	run(bench, false, false);
	assert_false(bench->cell[0].read);
	bench_free(bench);
}

static void a_file_with_the_data_of_the_sync_is_none_the_worse(void **state)
{
	struct bench *bench = bench_new(1);
	struct file *file = bench_file(bench, 0, BLOCK_BLK);

	(void)state;
	file->suspect = true;
	bench->array->changed = false;
	assert_int_equal(run(bench, false, false).data, 0);
	assert_int_equal(file->mark, 0);
	assert_false(is_bad(bench));
	assert_false(bench->array->changed);
	bench_free(bench);
}

static void other_data_is_a_bad_stripe_and_stays_as_recorded(void **state)
{
	struct bench *bench = bench_new(1);
	struct file *file = bench_file(bench, 0, BLOCK_BLK);

	(void)state;
	file->suspect = true;
	assert_int_equal(run(bench, false, true).data, 1);
	assert_int_equal(file->mark, SUSPECT_OTHER);
	assert_true(is_bad(bench));
	assert_true(bench->array->changed);
	assert_int_equal(extent_at(bench->array->disk[0]->map, 0)->state, BLOCK_BLK);
	bench_free(bench);
}

static void a_stripe_that_sync_reads_anyhow_is_left_to_it(void **state)
{
	struct bench *bench = bench_new(1);
	struct file *file = bench_file(bench, 0, BLOCK_BLK);

	(void)state;
	file->suspect = true;
	bench_file(bench, 1, BLOCK_CHG);
	assert_int_equal(run(bench, false, true).data, 0);
	assert_int_equal(file->mark, SUSPECT_OTHER);
	assert_false(is_bad(bench));
	bench_free(bench);
}

static void accepted_data_is_a_change_whose_past_hash_is_kept(void **state)
{
	struct bench *bench = bench_new(1);
	struct file *file = bench_file(bench, 0, BLOCK_BLK);
	const struct extent_map *map = bench->array->disk[0]->map;
	uint8_t hash[HASH_BYTES_MAX];

	(void)state;
	file->suspect = true;
	memcpy(hash, extent_hash(map, extent_at(map, 0), 0), 16);
	assert_int_equal(run(bench, true, true).data, 0);
	assert_int_equal(extent_at(map, 0)->state, BLOCK_CHG);
	assert_memory_equal(extent_hash(map, extent_at(map, 0), 0), hash, 16);
	assert_false(is_bad(bench));
	bench_free(bench);
}

static void what_cannot_be_read_is_told_apart_from_other_data(void **state)
{
	struct bench *bench = bench_new(1);
	struct file *file = bench_file(bench, 0, BLOCK_BLK);
	struct error_counts errors = { 0, 0, 0, 0, 0 };
	struct suspect_context context = { bench->array, &errors, true };

	(void)state;
	file->suspect = true;
	bench_read(bench, &job_suspect, &context);
	bench->cell[0].result = DATA_CHANGED;
	job_suspect.compute(&bench->slot, bench->scratch, &context);
	job_suspect.retire(&bench->slot, &context);
	assert_int_equal(file->mark & (SUSPECT_OTHER | SUSPECT_UNREAD), SUSPECT_UNREAD);
	assert_int_equal(extent_at(bench->array->disk[0]->map, 0)->state, BLOCK_BLK);
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_synced_blocks_of_suspect_files_are_read),
		cmocka_unit_test(a_file_with_the_data_of_the_sync_is_none_the_worse),
		cmocka_unit_test(other_data_is_a_bad_stripe_and_stays_as_recorded),
		cmocka_unit_test(a_stripe_that_sync_reads_anyhow_is_left_to_it),
		cmocka_unit_test(accepted_data_is_a_change_whose_past_hash_is_kept),
		cmocka_unit_test(what_cannot_be_read_is_told_apart_from_other_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
