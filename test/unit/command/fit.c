/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/fit.h"

#include "capture.h"

static const uint8_t some_hash[64];

static int run(struct session *session)
{
	struct parity *none[LEVEL_MAX] = { NULL };

	return fit_parity(session, none);
}

/* No level, which has room for anything. One disk, all of which but two stripes of the possible ones is taken. */
static struct session make_session(void)
{
	struct session session = { .array = array_new(1024, 16) };
	struct disk *disk = array_add_disk(session.array, "d1", "/a/");

	array_map_disks(session.array);
	put_file(disk, "old", &(struct stamp){ (STRIPE_COUNT_MAX - 2) * 1024, 1, 1 }, 1, STRIPE_COUNT_MAX - 2, BLOCK_BLK,
		 some_hash);
	return session;
}

static void the_last_stripe_that_any_program_knows_can_be_used(void **state)
{
	struct session session = make_session();
	struct disk *disk = session.array->disk[0];

	(void)state;
	put_file(disk, "new", &(struct stamp){ 1000, 1, 1 }, STRIPE_COUNT_MAX - 1, 1, BLOCK_CHG, some_hash);
	assert_int_equal(capture(run, &session, 0), 0);
	assert_int_equal(session.errors.soft, 0);
	assert_int_equal(disk->file_count, 2);
	assert_int_equal(array_stripe_count(session.array), STRIPE_COUNT_MAX);
	array_free(session.array);
}

/* Or there would be a content file that nobody can load. */
static void files_beyond_it_are_named_and_left_out_and_what_fits_is_not(void **state)
{
	struct session session = make_session();
	struct disk *disk = session.array->disk[0];
	struct file *small;

	(void)state;
	put_file(disk, "large", &(struct stamp){ 3000, 1, 1 }, STRIPE_COUNT_MAX - 1, 3, BLOCK_CHG, some_hash);
	disk_add_link(disk, "link", "large", true);
	small = put_file(disk, "small", &(struct stamp){ 2000, 1, 1 }, STRIPE_COUNT_MAX + 2, 2, BLOCK_CHG, some_hash);
	assert_int_equal(capture(run, &session, 0), 0);
	assert_non_null(strstr(capture_log, "4294967296"));
	assert_non_null(strstr(capture_log, "\noutofparity:d1:large\n"));
	assert_null(strstr(capture_log, "small"));
	assert_int_equal(session.errors.soft, 1);
	assert_int_equal(session.left_out, 1);
	assert_int_equal(disk->file_count, 2);
	assert_int_equal(disk->link_count, 0);
	assert_int_equal(small->extent->at, 0);
	assert_int_equal(array_stripe_count(session.array), STRIPE_COUNT_MAX);
	array_free(session.array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_stripe_that_any_program_knows_can_be_used),
		cmocka_unit_test(files_beyond_it_are_named_and_left_out_and_what_fits_is_not),
	};

	return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
