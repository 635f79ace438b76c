/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "one_slot.h"

#include <errno.h>

#include "io/restore.h"
#include "stripe/fix_cell.h"

/* Two files of d1 and d2, the first one wanted, and a parity that is of them. */
struct scene {
	struct bench *bench;
	struct fix fix;
	struct error_counts errors;
	unsigned unset_told;
};

static struct scene *scene_new(enum fix_mode mode)
{
	struct scene *scene = mem_zalloc(sizeof(*scene));
	struct bench *bench = bench_new(1);

	scene->bench = bench;
	scene->fix = (struct fix){ .array = bench->array, .mode = mode, .errors = &scene->errors,
				   .unset_told = &scene->unset_told, .open = { true } };
	bench_file(bench, 0, BLOCK_BLK)->mark = 1;
	bench_file(bench, 1, BLOCK_BLK);
	if (mode == FIX_WRITE)	/* compute only asks whether there is one */
		for (column_t c = 0; c < DISKS; ++c)
			scene->fix.restore[c] = restore_new(&(struct draft_place){ -1, NULL, ASIDE_NOTHING,
										      false, true, NULL });
	return scene;
}

static void scene_free(struct scene *scene)
{
	for (column_t c = 0; c < DISKS; ++c)
		restore_free(scene->fix.restore[c]);
	bench_free(scene->bench);
	free(scene);
}

static const struct stripe_job *job_of(const struct scene *scene)
{
	return scene->fix.mode == FIX_WRITE ? &job_fix : scene->fix.mode == FIX_CHECK ? &job_check : &job_audit;
}

static void read_all(struct scene *scene)
{
	struct bench *bench = scene->bench;

	bench_read(bench, job_of(scene), &scene->fix);
	for (unsigned i = 0; i < BLOCK; ++i)
		((uint8_t *)bench->slot.parity[0].stored)[i] = bench->right[0][i] ^ bench->right[1][i];
}

static void compute(struct scene *scene)
{
	job_of(scene)->compute(&scene->bench->slot, scene->bench->scratch, &scene->fix);
}

static void a_bad_block_of_a_wanted_file_is_solved_and_to_be_written(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct cell *cell = scene->bench->cell;

	(void)state;
	read_all(scene);
	((char *)cell[0].data)[100] = 'x';
	compute(scene);
	assert_int_equal(cell[0].flags, CELL_WANTED | CELL_BAD | CELL_PROVEN);
	assert_memory_equal(cell[0].data, scene->bench->right[0], BLOCK);
	assert_true(cell[0].write);
	assert_int_equal(cell[1].flags, 0);
	assert_false(cell[1].write);
	assert_false(scene->bench->slot.parity[0].write);
	scene_free(scene);
}

static void check_solves_and_writes_nothing(void **state)
{
	struct scene *scene = scene_new(FIX_CHECK);
	struct cell *cell = scene->bench->cell;

	(void)state;
	read_all(scene);
	cell[0].result = DATA_MISSING;
	compute(scene);
	assert_int_equal(cell[0].flags, CELL_WANTED | CELL_BAD | CELL_PROVEN);
	assert_false(cell[0].write);
	scene_free(scene);
}

static void an_audit_reads_wanted_files_alone_and_solves_nothing(void **state)
{
	struct scene *scene = scene_new(FIX_AUDIT);
	struct cell *cell = scene->bench->cell;

	(void)state;
	read_all(scene);
	assert_true(cell[0].read);
	assert_false(cell[1].read);
	((char *)cell[0].data)[0] = 'x';
	compute(scene);
	assert_int_equal(cell[0].flags, CELL_WANTED | CELL_BAD);
	scene_free(scene);
}

static void a_bad_block_of_another_file_is_not_written(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct cell *cell = scene->bench->cell;

	(void)state;
	scene->fix.judge[0] = true;	/* then it is solved all the same */
	read_all(scene);
	cell[1].result = DATA_IO;
	compute(scene);
	assert_int_equal(cell[1].flags, CELL_BAD | CELL_PROVEN);
	assert_false(cell[1].write);
	scene_free(scene);
}

static void two_lost_blocks_of_one_level_stay_lost(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct cell *cell = scene->bench->cell;

	(void)state;
	read_all(scene);
	cell[0].result = cell[1].result = DATA_MISSING;
	compute(scene);
	assert_int_equal(cell[0].flags, CELL_WANTED | CELL_BAD);
	assert_false(cell[0].write);
	scene_free(scene);
}

static void a_changed_file_is_left_alone_where_only_damage_is_meant(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct cell *cell = scene->bench->cell;

	(void)state;
	scene->fix.skip_changed = true;
	read_all(scene);
	((char *)cell[0].data)[0] = 'x';
	cell[0].changed = true;
	compute(scene);
	assert_false(cell[0].write);
	scene_free(scene);
}

static void elsewhere_good_blocks_are_written_too(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct cell *cell = scene->bench->cell;

	(void)state;
	scene->fix.elsewhere = "/to";
	read_all(scene);
	compute(scene);
	assert_true(cell[0].write);
	assert_false(cell[1].write);
	assert_int_equal(cell[0].flags, CELL_WANTED);

	/* Nobody knows what a file without a hash was, if it was written to since. */
	extent_set(scene->bench->array->disk[0]->map, 0, BLOCK_CHG, NULL);
	read_all(scene);
	compute(scene);
	assert_int_equal(cell[0].flags, CELL_WANTED);
	read_all(scene);
	cell[0].changed = true;
	compute(scene);
	assert_true(cell[0].write);
	assert_int_equal(cell[0].flags, CELL_WANTED | CELL_BAD | CELL_DOUBTFUL);
	scene_free(scene);
}

static void a_promised_block_with_other_data_is_neither_solved_nor_written(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct cell *cell = scene->bench->cell;
	char other[BLOCK];

	(void)state;
	memset(other, 'x', BLOCK);
	extent_set(scene->bench->array->disk[0]->map, 0, BLOCK_REP, NULL);
	read_all(scene);
	memcpy(cell[0].data, other, BLOCK);
	memcpy(scene->bench->slot.parity[0].stored, scene->bench->right[1], BLOCK);	/* an empty place before */
	compute(scene);
	assert_int_equal(cell[0].flags, CELL_WANTED | CELL_OTHER);
	assert_memory_equal(cell[0].data, other, BLOCK);
	assert_false(cell[0].write);

	/* Somewhere else it is given as it is. */
	scene->fix.elsewhere = "/to";
	compute(scene);
	assert_memory_equal(cell[0].data, other, BLOCK);
	assert_true(cell[0].write);

	/* One that was written to since the scan is another version of the file. */
	scene->fix.elsewhere = NULL;
	read_all(scene);
	memcpy(cell[0].data, other, BLOCK);
	cell[0].changed = true;
	compute(scene);
	assert_int_equal(cell[0].flags, CELL_WANTED | CELL_BAD | CELL_PROVEN);
	assert_memory_equal(cell[0].data, scene->bench->right[0], BLOCK);
	assert_true(cell[0].write);
	scene_free(scene);
}

static void a_promised_block_that_the_parity_has_is_damaged_by_other_data(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct cell *cell = scene->bench->cell;

	(void)state;
	extent_set(scene->bench->array->disk[0]->map, 0, BLOCK_REP, NULL);
	read_all(scene);
	memset(cell[0].data, 'x', BLOCK);
	compute(scene);
	assert_int_equal(cell[0].flags, CELL_WANTED | CELL_BAD | CELL_PROVEN);
	assert_memory_equal(cell[0].data, scene->bench->right[0], BLOCK);
	assert_true(cell[0].write);
	scene_free(scene);
}

static void other_data_than_promised_solves_a_lost_block(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct bench *bench = scene->bench;

	(void)state;
	extent_set(bench->array->disk[1]->map, 0, BLOCK_REP, NULL);
	read_all(scene);
	bench->cell[0].result = DATA_MISSING;
	memset(bench->cell[0].data, 0, BLOCK);
	memset(bench->cell[1].data, 'x', BLOCK);
	for (unsigned i = 0; i < BLOCK; ++i)
		((uint8_t *)bench->slot.parity[0].stored)[i] = bench->right[0][i] ^ 'x';
	compute(scene);
	assert_int_equal(bench->cell[0].flags, CELL_WANTED | CELL_BAD | CELL_PROVEN);
	assert_memory_equal(bench->cell[0].data, bench->right[0], BLOCK);
	assert_true(bench->cell[0].write);
	assert_int_equal(bench->cell[1].flags, CELL_OTHER);
	assert_false(bench->cell[1].write);
	scene_free(scene);
}

static void wrong_parity_is_written_if_it_is_asked_for_itself(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct parity_cell *parity = &scene->bench->slot.parity[0];
	char right[BLOCK];

	(void)state;
	read_all(scene);
	memcpy(right, parity->stored, BLOCK);
	((char *)parity->stored)[5] ^= 1;
	compute(scene);
	assert_false(parity->write);

	scene->fix.judge[0] = true;
	read_all(scene);
	((char *)parity->stored)[5] ^= 1;
	compute(scene);
	assert_true(parity->write);
	assert_memory_equal(parity->fresh, right, BLOCK);
	assert_int_equal(((struct verdict *)scene->bench->slot.extra)->wrong, 1);
	scene_free(scene);
}

static void a_block_that_the_parity_file_has_not_is_made_only_if_the_level_is(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);
	struct parity_cell *parity = &scene->bench->slot.parity[0];

	(void)state;
	scene->fix.judge[0] = true;
	read_all(scene);
	parity->have = false;
	parity->error = ENODATA;
	compute(scene);
	assert_false(parity->write);
	parity->error = EIO;	/* it has one, which cannot be read */
	compute(scene);
	assert_true(parity->write);

	scene->fix.make[0] = true;
	read_all(scene);
	parity->have = false;
	parity->error = ENODATA;
	compute(scene);
	assert_true(parity->write);
	scene_free(scene);
}

static void parity_of_a_stripe_with_a_pending_block_is_not_judged(void **state)
{
	struct scene *scene = scene_new(FIX_WRITE);

	(void)state;
	scene->fix.judge[0] = true;
	extent_set(scene->bench->array->disk[1]->map, 0, BLOCK_REP, NULL);
	read_all(scene);
	((char *)scene->bench->slot.parity[0].stored)[5] ^= 1;
	compute(scene);
	assert_false(((struct verdict *)scene->bench->slot.extra)->judged);
	assert_false(scene->bench->slot.parity[0].write);
	scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_block_of_a_wanted_file_is_solved_and_to_be_written),
		cmocka_unit_test(check_solves_and_writes_nothing),
		cmocka_unit_test(an_audit_reads_wanted_files_alone_and_solves_nothing),
		cmocka_unit_test(a_bad_block_of_another_file_is_not_written),
		cmocka_unit_test(two_lost_blocks_of_one_level_stay_lost),
		cmocka_unit_test(a_changed_file_is_left_alone_where_only_damage_is_meant),
		cmocka_unit_test(elsewhere_good_blocks_are_written_too),
		cmocka_unit_test(a_promised_block_with_other_data_is_neither_solved_nor_written),
		cmocka_unit_test(a_promised_block_that_the_parity_has_is_damaged_by_other_data),
		cmocka_unit_test(other_data_than_promised_solves_a_lost_block),
		cmocka_unit_test(wrong_parity_is_written_if_it_is_asked_for_itself),
		cmocka_unit_test(a_block_that_the_parity_file_has_not_is_made_only_if_the_level_is),
		cmocka_unit_test(parity_of_a_stripe_with_a_pending_block_is_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
