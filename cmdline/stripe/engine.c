/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coordinator: it fills slots, retires them, and decides how many are in flight. */
#include "stripe/engine_inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/mem.h"
#include "os/clock.h"
#include "report/progress.h"
#include "stripe/tune.h"

/* ---- slots ---- */

static struct flight *flight_new(const struct engine *engine)
{
	struct flight *flight = mem_zalloc(sizeof(*flight));

	slot_init(&flight->slot, engine->array, engine->job->reads_parity, engine->job->extra_size);
	return flight;
}

static void flight_free(struct flight *flight)
{
	slot_done(&flight->slot);
	free(flight);
}

/* The slot used last comes first: its buffers are in the cache. */
static struct flight *flight_take(struct engine *engine)
{
	struct flight *flight = engine->free_list;

	if (flight == NULL)
		return flight_new(engine);
	engine->free_list = flight->next_free;
	return flight;
}

/* Giving memory back takes the kernel a while: what no stripe will fill goes while the disks still read. */
static void flight_give(struct engine *engine, struct flight *flight)
{
	if (engine->ending) {
		flight_free(flight);
		return;
	}
	flight->next_free = engine->free_list;
	engine->free_list = flight;
}

static void flights_free(struct engine *engine)
{
	while (engine->free_list != NULL) {
		struct flight *flight = engine->free_list;

		engine->free_list = flight->next_free;
		flight_free(flight);
	}
}

/* Choose the kernels, while the disks bring the first stripes. A slot that comes next lends its buffers. */
static void tune(struct engine *engine)
{
	if (engine->job->reads_parity || engine->job->writes_parity) {
		struct flight *flight = flight_take(engine);

		stripe_tune(&flight->slot, engine->array, bitmap_count(engine->run->stripes));
		flight_give(engine, flight);
	}
	atomic_store(&engine->tuned, true);
	gate_wake(&engine->compute_gate);
}

/* ---- coordinator ---- */

static void fill(struct engine *engine, stripe_t at)
{
	struct flight *flight = flight_take(engine);
	uint64_t number = atomic_load(&engine->filled);

	slot_fill(&flight->slot, engine->array, at);
	memset(flight->slot.extra, 0, engine->job->extra_size);
	engine->job->fill(&flight->slot, engine->run->context);
	if (engine->rate.limit != 0)
		stats_limit(&engine->stats)->waited_us += rate_take(&engine->rate, slot_bytes_read(&flight->slot));
	flight->marks = (struct stats_marks){ .reader = NULL };
	atomic_store(&flight->reads_left, engine->reader_count);
	atomic_store(&flight->computed, false);
	atomic_store(&flight->done, false);
	engine->ring[number % WINDOW_MAX] = flight;
	atomic_store(&engine->filled, number + 1);
	workers_wake(engine, number);
}

static bool retire_ready(void *argument, uint64_t number)
{
	struct engine *engine = argument;

	return atomic_load(&flight_of(engine, number)->done);
}

static uint64_t in_flight(const struct engine *engine)
{
	return atomic_load(&engine->filled) - engine->retired;
}

/* Wait for the oldest slot and retire it. */
static int retire(struct engine *engine, struct progress *progress)
{
	struct flight *flight = flight_of(engine, engine->retired);
	uint64_t before, after;
	bool disk;
	int rc;

	if (!atomic_load(&engine->tuned))
		tune(engine);
	before = os_monotonic_us();
	/* Not read yet, or computed and not written: a disk is waited for, and not a core. */
	disk = atomic_load(&flight->reads_left) > 0 || atomic_load(&flight->computed);
	gate_wait(&engine->done_gate, retire_ready, engine, engine->retired);
	after = os_monotonic_us();
	stats_waited(&engine->stats, &flight->marks, before, after);
	window_adapt(&engine->window, disk ? after - before : 0, after, os_cpu_us);
	rc = engine->job->retire(&flight->slot, engine->run->context);
	rate_owe(&engine->rate, slot_bytes_written(&flight->slot));
	engine->stats.retired = ++engine->retired;
	if (progress != NULL)
		progress_step(progress, flight->slot.at, slot_bytes_read(&flight->slot) + slot_bytes_written(&flight->slot));
	flight_give(engine, flight);
	return rc;
}

static int drain(struct engine *engine, struct progress *progress)
{
	int rc = 0;

	while (in_flight(engine) > 0)
		if (retire(engine, progress) < 0)
			rc = -1;
	return rc;
}

/* For one more. With a limit what is done is retired at once, so that its writes are counted in time. */
static int make_room(struct engine *engine, struct progress *progress)
{
	if (engine->rate.limit != 0 && in_flight(engine) > 0 && !atomic_load(&engine->tuned))
		tune(engine);
	while (in_flight(engine) >= engine->window.size ||
	       (engine->rate.limit != 0 && in_flight(engine) > 0 && retire_ready(engine, engine->retired)))
		if (retire(engine, progress) < 0)
			return -1;
	return 0;
}

static enum run_end coordinate(struct engine *engine, struct progress *progress)
{
	const struct stripe_run *run = engine->run;
	stripe_t at = bitmap_next(run->stripes, 0);
	enum run_end end = RUN_COMPLETE;

	while (at != STRIPE_NONE) {
		enum pace pace = run->pace == NULL ? PACE_GO : run->pace(run->pace_argument, at);

		if (pace == PACE_STOP) {
			end = RUN_STOPPED;
			break;
		}
		if (pace == PACE_DRAIN && (drain(engine, progress) < 0 || run->rest(run->pace_argument) < 0)) {
			end = RUN_FAILED;
			break;
		}
		if (make_room(engine, progress) < 0) {
			end = RUN_FAILED;
			break;
		}
		fill(engine, at);
		at = bitmap_next(run->stripes, at + 1);
	}
	engine->ending = true;
	flights_free(engine);
	/* What is in flight has been read and perhaps written: it is retired whatever happened. */
	if (drain(engine, progress) < 0)
		end = RUN_FAILED;
	return end;
}

/* ---- a run ---- */

static struct progress *begin_progress(struct engine *engine)
{
	const struct stripe_run *run = engine->run;
	const struct lane_source lanes = {
		.count = stats_count(&engine->stats), .ask = stats_ask, .argument = &engine->stats,
	};
	const struct progress_job job = {
		.first = 0,
		.end = bitmap_end(run->stripes),
		.count = bitmap_count(run->stripes),
		.always = run->force_progress,
		.lanes = &lanes,
		.table = run->stats,
		.degrees = run->degrees,
		.degrees_argument = run->degrees_argument,
	};

	return progress_begin(&job);
}

enum run_end stripe_run(const struct stripe_run *run)
{
	struct engine *engine = mem_zalloc(sizeof(*engine));
	struct gate *gates[] = { &engine->read_gate, &engine->compute_gate, &engine->done_gate };
	struct progress *progress = NULL;
	enum run_end end;

	engine->run = run;
	engine->job = run->job;
	engine->array = run->array;
	engine->level_count = run->array->level_count;
	engine->rate.limit = run->bandwidth;
	mutex_init(&engine->queue_lock);
	mutex_init(&engine->hand_lock);
	mutex_init(&engine->before_lock);
	for (unsigned i = 0; i < sizeof(gates) / sizeof(gates[0]); ++i)
		gate_init(gates[i]);
	window_init(&engine->window, slot_bytes(engine->array, engine->job->reads_parity), run->slots,
		    thread_cpu_count(), os_monotonic_us(), os_cpu_us());
	stats_cores(&engine->stats);
	if (run->bandwidth != 0)
		stats_limit(&engine->stats);
	workers_start(engine);
	if (run->progress)
		progress = begin_progress(engine);
	end = coordinate(engine, progress);
	workers_stop(engine);
	if (progress != NULL)
		progress_end(progress, end == RUN_COMPLETE);
	for (unsigned i = 0; i < sizeof(gates) / sizeof(gates[0]); ++i)
		gate_done(gates[i]);
	mutex_done(&engine->before_lock);
	mutex_done(&engine->hand_lock);
	mutex_done(&engine->queue_lock);
	free(engine);
	return end;
}
