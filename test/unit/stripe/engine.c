/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine with a job that only notes what happens: order, back-pressure, draining and stops. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "base/mem.h"
#include "stripe/engine.h"

#define DISKS 3

struct log {
	stripe_t next_retired;		/* what retire must see */
	stripe_t retired;		/* how many */
	atomic_uint computed;
	stripe_t fail_at;		/* retire says -1 there */
	stripe_t stop_at, drain_at;	/* pace says so before it */
	unsigned drained_with_in_flight;
	unsigned rests;
	stripe_t filled;
};

static struct array *make_array(stripe_t stripes)
{
	struct array *array = array_new(1024, 16);

	for (unsigned d = 0; d < DISKS; ++d) {
		char name[8] = { 'd', (char)('1' + d), 0 };

		array_add_disk(array, name, "/nowhere/");
	}
	assert_true(array_map_disks(array));
	(void)stripes;
	return array;
}

static void fill(struct slot *slot, void *context)
{
	struct log *log = context;

	++log->filled;
	for (column_t c = 0; c < slot->column_count; ++c) {
		slot->cell[c].read = true;
		slot->cell[c].bytes = 1024;
		slot->cell[c].want = (struct data_want){ .key = (const struct file *)log, .path = "none" };
	}
	assert_int_equal(((uint8_t *)slot->extra)[0], 0);
}

static void compute(struct slot *slot, void *const *scratch, void *context)
{
	struct log *log = context;

	memset(scratch[1], 1, 1024);
	((uint8_t *)slot->extra)[0] = 1;
	/* No disk is there: the readers must have said so for every cell. */
	for (column_t c = 0; c < slot->column_count; ++c)
		if (slot->cell[c].result != DATA_MISSING)
			abort();
	slot->cell[0].write = true;
	atomic_fetch_add(&log->computed, 1);
}

static int write_data(const struct slot *slot, column_t column, void *context)
{
	(void)context;
	return column == 0 && ((const uint8_t *)slot->extra)[0] == 1 ? 77 : 0;
}

static int retire(const struct slot *slot, void *context)
{
	struct log *log = context;

	assert_true(slot->at >= log->next_retired);
	assert_int_equal(slot->cell[0].write_error, 77);
	log->next_retired = slot->at + 1;
	++log->retired;
	return slot->at == log->fail_at ? -1 : 0;
}

static enum pace pace(void *argument, stripe_t next)
{
	struct log *log = argument;

	if (next == log->stop_at)
		return PACE_STOP;
	return next == log->drain_at ? PACE_DRAIN : PACE_GO;
}

static int rest(void *argument)
{
	struct log *log = argument;

	log->drained_with_in_flight += log->filled != log->retired;
	++log->rests;
	return 0;
}

static const struct stripe_job job = {
	.writes_data = true,
	.extra_size = 8,
	.scratch_blocks = 2,
	.fill = fill,
	.compute = compute,
	.write_data = write_data,
	.retire = retire,
};

static enum run_end run_job(struct log *log, stripe_t stripes, unsigned slots)
{
	struct array *array = make_array(stripes);
	struct bitmap *all = bitmap_new();
	int roots[COLUMN_MAX];
	struct stripe_run run = { .array = array, .stripes = all, .job = &job, .context = log, .root_fd = roots,
				  .slots = slots, .pace = pace, .rest = rest, .pace_argument = log };
	enum run_end end;

	for (unsigned c = 0; c < COLUMN_MAX; ++c)
		roots[c] = -1;
	/* Every third stripe is not wanted. */
	for (stripe_t at = 0; at < stripes; ++at)
		if (at % 3 != 2)
			bitmap_set(all, at);
	end = stripe_run(&run);
	bitmap_free(all);
	array_free(array);
	return end;
}

#define NEVER .fail_at = STRIPE_NONE, .stop_at = STRIPE_NONE, .drain_at = STRIPE_NONE

static void every_chosen_stripe_is_retired_once_in_order(void **state)
{
	static const unsigned slots[] = { 1, 2, 7, 0 };

	(void)state;
	for (unsigned i = 0; i < 4; ++i) {
		struct log log = { NEVER };

		assert_int_equal(run_job(&log, 3000, slots[i]), RUN_COMPLETE);
		assert_int_equal(log.retired, 2000);
		assert_int_equal(atomic_load(&log.computed), 2000);
	}
}

static void an_empty_plan_is_complete(void **state)
{
	struct log log = { NEVER };

	(void)state;
	assert_int_equal(run_job(&log, 0, 0), RUN_COMPLETE);
	assert_int_equal(log.retired, 0);
}

static void a_stop_retires_what_is_in_flight_and_no_more(void **state)
{
	struct log log = { NEVER };

	(void)state;
	log.stop_at = 300;
	assert_int_equal(run_job(&log, 3000, 0), RUN_STOPPED);
	assert_int_equal(log.retired, 200);
	assert_int_equal(log.next_retired, 299);
}

static void a_rest_comes_when_nothing_is_in_flight(void **state)
{
	struct log log = { NEVER };

	(void)state;
	log.drain_at = 600;
	assert_int_equal(run_job(&log, 3000, 0), RUN_COMPLETE);
	assert_int_equal(log.rests, 1);
	assert_int_equal(log.drained_with_in_flight, 0);
	assert_int_equal(log.retired, 2000);
}

static void a_failed_retire_ends_the_run_after_what_is_in_flight(void **state)
{
	struct log log = { NEVER };

	(void)state;
	log.fail_at = 30;
	assert_int_equal(run_job(&log, 3000, 4), RUN_FAILED);
	assert_true(log.retired >= 21 && log.retired <= 25);
	assert_int_equal(log.retired, log.filled);
}

/* ---- what must be done before the first write ---- */

#define STRIPES 40

struct gatekeeper {
	struct level *level;
	unsigned calls;
	int answer;
	off_t written_at_call;		/* bytes of parity that are not zeros */
	unsigned canceled;
};

static void want_parity(struct slot *slot, void *const *scratch, void *context)
{
	(void)scratch;
	(void)context;
	memset(slot->parity[0].fresh, 1, 1024);
	slot->parity[0].write = true;
}

static void read_nothing(struct slot *slot, void *context)
{
	(void)slot;
	(void)context;
}

static int count_canceled(const struct slot *slot, void *context)
{
	((struct gatekeeper *)context)->canceled += slot->parity[0].write_error == ECANCELED;
	return slot->parity[0].write_error == 0 ? 0 : -1;
}

static off_t nonzero_bytes(const char *path)
{
	FILE *file = fopen(path, "r");
	off_t bytes = 0;

	assert_non_null(file);
	for (int c; (c = getc(file)) != EOF;)
		bytes += c != 0;
	fclose(file);
	return bytes;
}

static int keep_gate(void *argument)
{
	struct gatekeeper *keeper = argument;

	++keeper->calls;
	keeper->written_at_call = nonzero_bytes(keeper->level->split[0].path);
	return keeper->answer;
}

static const struct stripe_job parity_job = {
	.writes_parity = true, .fill = read_nothing, .compute = want_parity, .retire = count_canceled,
};

static enum run_end run_parity(struct gatekeeper *keeper, off_t *written)
{
	char path[] = "/tmp/unit-engine.XXXXXX";
	struct array *array = make_array(STRIPES);
	struct bitmap *all = bitmap_new();
	struct level *level = &array->level[0];
	int roots[COLUMN_MAX] = { -1, -1, -1 };
	struct parity *parity[LEVEL_MAX] = { NULL };
	struct stripe_run run = { .array = array, .stripes = all, .job = &parity_job, .context = keeper,
				  .root_fd = roots, .parity = parity, .before_write = keep_gate, .write_argument = keeper };
	enum run_end end;
	unsigned split;

	close(mkstemp(path));
	array->level_count = 1;
	array->hash.kind = HASH_SPOOKY2;
	level->name = "parity";
	level->split_count = 1;
	level->split[0].path = mem_strdup(path);
	keeper->level = level;
	parity[0] = parity_open(level, 1024, PARITY_CREATE, &split);
	assert_non_null(parity[0]);
	assert_int_equal(parity_resize(parity[0], STRIPES, 0, 0), STRIPES);
	for (stripe_t at = 0; at < STRIPES; ++at)
		bitmap_set(all, at);
	end = stripe_run(&run);
	*written = nonzero_bytes(path);
	parity_close(parity[0]);
	unlink(path);
	bitmap_free(all);
	array_free(array);
	return end;
}

static void nothing_is_written_before_it_may_be(void **state)
{
	struct gatekeeper keeper = { .answer = 0 };
	off_t written;

	(void)state;
	assert_int_equal(run_parity(&keeper, &written), RUN_COMPLETE);
	assert_int_equal(keeper.calls, 1);
	assert_int_equal(keeper.written_at_call, 0);
	assert_int_equal(written, STRIPES * 1024);
}

static void if_it_may_not_be_nothing_is_written_at_all(void **state)
{
	struct gatekeeper keeper = { .answer = -1 };
	off_t written;

	(void)state;
	assert_int_equal(run_parity(&keeper, &written), RUN_FAILED);
	assert_int_equal(keeper.calls, 1);
	assert_true(keeper.canceled > 0);
	assert_int_equal(written, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_chosen_stripe_is_retired_once_in_order),
		cmocka_unit_test(an_empty_plan_is_complete),
		cmocka_unit_test(a_stop_retires_what_is_in_flight_and_no_more),
		cmocka_unit_test(a_rest_comes_when_nothing_is_in_flight),
		cmocka_unit_test(a_failed_retire_ends_the_run_after_what_is_in_flight),
		cmocka_unit_test(nothing_is_written_before_it_may_be),
		cmocka_unit_test(if_it_may_not_be_nothing_is_written_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
