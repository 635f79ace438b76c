/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "one_slot.h"

#include "stripe/job_sync.h"

/* Run the job over the stripe; the file of d2 is read with that result. */
static struct error_counts run(struct bench *bench, struct sync_context *context, enum data_result result)
{
	struct error_counts errors = { 0, 0, 0, 0, 0 };

	context->array = bench->array;
	context->errors = &errors;
	bench_read(bench, &job_sync, context);
	bench->cell[1].result = result;
	job_sync.compute(&bench->slot, bench->scratch, context);
	assert_int_equal(job_sync.retire(&bench->slot, context), 0);
	return errors;
}

static enum block_state state_of(const struct bench *bench, column_t column)
{
	return extent_at(bench->array->disk[column]->map, 0)->state;
}

static void a_stripe_whose_file_changed_is_an_error_and_stays(void **state)
{
	struct bench *bench = bench_new(1);
	struct sync_context context = { .now = 1 };

	(void)state;
	bench_file(bench, 0, BLOCK_CHG);
	bench_file(bench, 1, BLOCK_BLK);
	assert_int_equal(run(bench, &context, DATA_CHANGED).soft, 1);
	assert_false(context.waits);
	assert_int_equal(state_of(bench, 0), BLOCK_CHG);
	assert_int_equal(run(bench, &context, DATA_OK).soft, 0);
	assert_int_equal(state_of(bench, 0), BLOCK_BLK);
	bench_free(bench);
}

static void where_files_move_one_that_changed_is_no_error_and_the_stripe_stays(void **state)
{
	const enum data_result gone[] = { DATA_CHANGED, DATA_MISSING };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct bench *bench = bench_new(1);
		struct sync_context context = { .now = 1, .may_wait = true };
		struct file *file;

		bench_file(bench, 0, BLOCK_REP)->was_synced = true;
		file = bench_file(bench, 1, BLOCK_BLK);
		assert_int_equal(run(bench, &context, gone[i]).soft, 0);
		assert_int_equal(file->mark, 0);
		assert_true(context.waits);
		assert_int_equal(state_of(bench, 0), BLOCK_REP);
		assert_false(bench->slot.parity[0].write);
		bench_free(bench);
	}
}

static void where_files_move_one_that_cannot_be_read_is_an_error(void **state)
{
	struct bench *bench = bench_new(1);
	struct sync_context context = { .now = 1, .may_wait = true };

	(void)state;
	bench_file(bench, 0, BLOCK_REP)->was_synced = true;
	bench_file(bench, 1, BLOCK_BLK);
	assert_int_equal(run(bench, &context, DATA_IO).io, 1);
	assert_int_equal(run(bench, &context, DATA_DENIED).soft, 1);
	assert_false(context.waits);
	assert_int_equal(state_of(bench, 0), BLOCK_REP);
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stripe_whose_file_changed_is_an_error_and_stays),
		cmocka_unit_test(where_files_move_one_that_changed_is_no_error_and_the_stripe_stays),
		cmocka_unit_test(where_files_move_one_that_cannot_be_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
