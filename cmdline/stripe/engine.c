/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots are numbered in the order they are filled. Number n is
 *	filled		by the coordinator, which then raises `filled` above n
 *	read		by each reader in turn, which keeps its own next number; the last one to finish queues it
 *	computed	by any worker, which then raises `computed` of the slot
 *	written		by each writer in turn, like the readers; the last one to finish marks it done
 *	retired		by the coordinator, in order.
 * A slot is handed on by an atomic with release order, and taken with acquire order. */
#include "stripe/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/mem.h"
#include "io/rate.h"
#include "os/clock.h"
#include "report/progress.h"
#include "stripe/gate.h"
#include "stripe/stats.h"
#include "stripe/tune.h"
#include "stripe/window.h"

struct flight {
	struct slot slot;
	atomic_uint reads_left, writes_left;
	atomic_bool computed, done;
	struct stats_marks marks;
	struct flight *next_free;
};

struct engine;

struct worker {
	struct engine *engine;
	thread_t thread;
	column_t column;		/* of a reader or writer of data; COLUMN_NONE: of parity */
	level_t level;
	struct data_reader *reader;
	struct stats_lane *lane;
	void *scratch_memory;
	void **scratch;
};

struct engine {
	const struct stripe_run *run;
	const struct stripe_job *job;
	struct array *array;
	unsigned level_count;

	struct flight *ring[WINDOW_MAX];	/* by number modulo WINDOW_MAX */
	struct flight *free_list;
	struct window window;
	struct rate rate;
	struct stats stats;
	bool ending;			/* no stripe is left to fill */

	atomic_uint_fast64_t filled;	/* numbers below it are filled */
	uint64_t retired;		/* coordinator only */
	atomic_bool closing;		/* nothing more will be filled */
	atomic_bool tuned;		/* computing may begin */

	/* numbers ready to compute, in the order they became so */
	mutex_t queue_lock;
	uint64_t queue[WINDOW_MAX];
	atomic_uint_fast64_t queue_head, queue_tail;

	mutex_t before_lock;
	bool asked, may_write;		/* before_write was called; what it said */

	struct gate read_gate, compute_gate, write_gate, done_gate;
	struct worker *reader, *computer, *writer;
	unsigned reader_count, computer_count, writer_count;
};

static struct flight *flight_of(const struct engine *engine, uint64_t number)
{
	return engine->ring[number % WINDOW_MAX];
}

/* ---- readers ---- */

static bool read_ready(void *argument, uint64_t number)
{
	struct engine *engine = argument;

	return atomic_load(&engine->filled) > number || atomic_load(&engine->closing);
}

static void queue_push(struct engine *engine, uint64_t number)
{
	mutex_lock(&engine->queue_lock);
	engine->queue[atomic_load(&engine->queue_tail) % WINDOW_MAX] = number;
	atomic_fetch_add(&engine->queue_tail, 1);
	mutex_unlock(&engine->queue_lock);
	gate_wake(&engine->compute_gate);
}

static void note_work(struct stats_lane *lane, uint64_t begin_us, uint64_t end_us, uint64_t bytes)
{
	atomic_fetch_add(&lane->busy_us, end_us - begin_us);
	atomic_fetch_add(&lane->bytes, bytes);
}

static bool read_data(struct worker *worker, struct slot *slot)
{
	struct cell *cell = &slot->cell[worker->column];

	if (cell->read)
		cell->result = data_read(worker->reader, &cell->want, cell->block * slot->block_size, cell->bytes,
					 slot->used, cell->data, &cell->changed, &cell->error);
	return cell->read;
}

static bool read_parity(struct worker *worker, struct slot *slot)
{
	struct parity_cell *cell = &slot->parity[worker->level];

	if (!cell->read)
		return false;
	cell->have = parity_read(worker->engine->run->parity[worker->level], slot->at, cell->stored) == 0;
	cell->error = cell->have ? 0 : errno;
	return true;
}

static void *reader_main(void *argument)
{
	struct worker *worker = argument;
	struct engine *engine = worker->engine;

	for (uint64_t number = 0;; ++number) {
		struct flight *flight;
		uint64_t begin, end;
		bool moved;

		gate_wait(&engine->read_gate, read_ready, engine, number);
		if (atomic_load(&engine->filled) <= number)
			return NULL;
		flight = flight_of(engine, number);
		begin = os_monotonic_us();
		moved = worker->column != COLUMN_NONE ? read_data(worker, &flight->slot)
						      : read_parity(worker, &flight->slot);
		end = os_monotonic_us();
		note_work(worker->lane, begin, end, moved ? flight->slot.block_size : 0);
		atomic_store(&worker->lane->read, number + 1);
		if (atomic_fetch_sub(&flight->reads_left, 1) == 1) {
			flight->marks.reader = worker->lane;
			flight->marks.read_us = end;
			queue_push(engine, number);
		}
	}
}

/* ---- compute ---- */

static bool compute_ready(void *argument, uint64_t unused)
{
	struct engine *engine = argument;

	(void)unused;
	if (!atomic_load(&engine->tuned))
		return false;
	return atomic_load(&engine->queue_head) < atomic_load(&engine->queue_tail) ||
	       (atomic_load(&engine->closing) && atomic_load(&engine->queue_head) == atomic_load(&engine->filled));
}

static bool queue_pop(struct engine *engine, uint64_t *number)
{
	bool got;

	mutex_lock(&engine->queue_lock);
	got = atomic_load(&engine->queue_head) < atomic_load(&engine->queue_tail);
	if (got) {
		*number = engine->queue[atomic_load(&engine->queue_head) % WINDOW_MAX];
		atomic_fetch_add(&engine->queue_head, 1);
	}
	mutex_unlock(&engine->queue_lock);
	return got;
}

static void *compute_main(void *argument)
{
	struct worker *worker = argument;
	struct engine *engine = worker->engine;

	for (;;) {
		struct flight *flight;
		uint64_t number;

		gate_wait(&engine->compute_gate, compute_ready, engine, 0);
		if (!queue_pop(engine, &number)) {
			if (atomic_load(&engine->closing) &&
			    atomic_load(&engine->queue_head) == atomic_load(&engine->filled)) {
				gate_wake(&engine->compute_gate);	/* the others sleep for the same news */
				return NULL;
			}
			continue;
		}
		flight = flight_of(engine, number);
		engine->job->compute(&flight->slot, worker->scratch, engine->run->context);
		flight->marks.computed_us = os_monotonic_us();
		atomic_fetch_add(&engine->stats.computed, 1);
		atomic_store(&flight->computed, true);
		if (engine->writer_count == 0) {
			atomic_store(&flight->done, true);
			gate_wake(&engine->done_gate);
		} else {
			gate_wake(&engine->write_gate);
		}
	}
}

/* ---- writers ---- */

static bool write_ready(void *argument, uint64_t number)
{
	struct engine *engine = argument;

	if (atomic_load(&engine->filled) > number)
		return atomic_load(&flight_of(engine, number)->computed);
	return atomic_load(&engine->closing);
}

static bool write_data(struct worker *worker, struct slot *slot)
{
	struct cell *cell = &slot->cell[worker->column];

	if (cell->write)
		cell->write_error = worker->engine->job->write_data(slot, worker->column, worker->engine->run->context);
	return cell->write;
}

static bool may_write(struct engine *engine)
{
	const struct stripe_run *run = engine->run;
	bool may;

	mutex_lock(&engine->before_lock);
	if (!engine->asked)
		engine->may_write = run->before_write == NULL || run->before_write(run->write_argument) == 0;
	engine->asked = true;
	may = engine->may_write;
	mutex_unlock(&engine->before_lock);
	return may;
}

static bool write_parity(struct worker *worker, struct slot *slot)
{
	struct parity_cell *cell = &slot->parity[worker->level];

	if (!cell->write)
		return false;
	if (!may_write(worker->engine))
		cell->write_error = ECANCELED;
	else if (parity_write(worker->engine->run->parity[worker->level], slot->at, cell->fresh) < 0)
		cell->write_error = errno;
	return true;
}

static void *writer_main(void *argument)
{
	struct worker *worker = argument;
	struct engine *engine = worker->engine;

	for (uint64_t number = 0;; ++number) {
		struct flight *flight;
		uint64_t begin;
		bool moved;

		gate_wait(&engine->write_gate, write_ready, engine, number);
		if (atomic_load(&engine->filled) <= number)
			return NULL;
		flight = flight_of(engine, number);
		begin = os_monotonic_us();
		moved = worker->column != COLUMN_NONE ? write_data(worker, &flight->slot)
						      : write_parity(worker, &flight->slot);
		note_work(worker->lane, begin, os_monotonic_us(), moved ? flight->slot.block_size : 0);
		atomic_store(&worker->lane->written, number + 1);
		if (atomic_fetch_sub(&flight->writes_left, 1) == 1) {
			flight->marks.writer = worker->lane;
			atomic_store(&flight->done, true);
			gate_wake(&engine->done_gate);
		}
	}
}

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
	atomic_store(&flight->writes_left, engine->writer_count);
	atomic_store(&flight->computed, false);
	atomic_store(&flight->done, false);
	engine->ring[number % WINDOW_MAX] = flight;
	atomic_store(&engine->filled, number + 1);
	if (engine->reader_count == 0)
		queue_push(engine, number);
	else
		gate_wake(&engine->read_gate);
	gate_wake(&engine->write_gate);
}

static bool retire_ready(void *argument, uint64_t number)
{
	struct engine *engine = argument;

	return atomic_load(&flight_of(engine, number)->done);
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

static uint64_t in_flight(const struct engine *engine)
{
	return atomic_load(&engine->filled) - engine->retired;
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

/* ---- set up and take down ---- */

static void start(struct engine *engine)
{
	const struct stripe_run *run = engine->run;
	unsigned disks = engine->array->disk_count, cores = thread_cpu_count();
	size_t stride = slot_stride(engine->array);

	engine->reader = mem_zalloc(sizeof(struct worker) * (disks + LEVEL_MAX));
	engine->writer = mem_zalloc(sizeof(struct worker) * (disks + LEVEL_MAX));
	engine->computer = mem_zalloc(sizeof(struct worker) * cores);
	for (unsigned d = 0; d < disks; ++d) {
		column_t column = engine->array->disk[d]->column;
		struct worker worker = { .engine = engine, .column = column,
					 .lane = stats_disk(&engine->stats, column, engine->array->disk[d]->name) };

		worker.lane->reads = true;
		if (engine->job->writes_data)
			engine->writer[engine->writer_count++] = worker;
		worker.reader = data_reader_new(run->root_fd[column]);
		engine->reader[engine->reader_count++] = worker;
	}
	for (level_t l = 0; l < engine->level_count; ++l) {
		struct worker worker = { .engine = engine, .column = COLUMN_NONE, .level = l };

		if (run->parity == NULL || run->parity[l] == NULL ||
		    (!engine->job->reads_parity && !engine->job->writes_parity))
			continue;
		worker.lane = stats_level(&engine->stats, l, engine->array->level[l].name);
		worker.lane->reads = engine->job->reads_parity;
		if (engine->job->reads_parity)
			engine->reader[engine->reader_count++] = worker;
		if (engine->job->writes_parity)
			engine->writer[engine->writer_count++] = worker;
	}
	for (engine->computer_count = 0; engine->computer_count < cores; ++engine->computer_count) {
		struct worker *worker = &engine->computer[engine->computer_count];
		unsigned blocks = engine->job->scratch_blocks;

		worker->engine = engine;
		worker->scratch = mem_zalloc(sizeof(void *) * (blocks + 1));
		worker->scratch_memory = mem_aligned(stride * (blocks + 1), 4096);
		for (unsigned b = 0; b < blocks; ++b)
			worker->scratch[b] = (char *)worker->scratch_memory + b * stride;
	}
	for (unsigned i = 0; i < engine->reader_count; ++i)
		thread_start(&engine->reader[i].thread, reader_main, &engine->reader[i]);
	for (unsigned i = 0; i < engine->computer_count; ++i)
		thread_start(&engine->computer[i].thread, compute_main, &engine->computer[i]);
	for (unsigned i = 0; i < engine->writer_count; ++i)
		thread_start(&engine->writer[i].thread, writer_main, &engine->writer[i]);
}

static void stop(struct engine *engine)
{
	atomic_store(&engine->closing, true);
	atomic_store(&engine->tuned, true);
	gate_wake(&engine->read_gate);
	gate_wake(&engine->compute_gate);
	gate_wake(&engine->write_gate);
	for (unsigned i = 0; i < engine->reader_count; ++i) {
		thread_join(engine->reader[i].thread);
		data_reader_free(engine->reader[i].reader);
	}
	for (unsigned i = 0; i < engine->computer_count; ++i) {
		thread_join(engine->computer[i].thread);
		free(engine->computer[i].scratch);
		free(engine->computer[i].scratch_memory);
	}
	for (unsigned i = 0; i < engine->writer_count; ++i)
		thread_join(engine->writer[i].thread);
	free(engine->reader);
	free(engine->computer);
	free(engine->writer);
}

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
	struct gate *gates[] = { &engine->read_gate, &engine->compute_gate, &engine->write_gate, &engine->done_gate };
	struct progress *progress = NULL;
	enum run_end end;

	engine->run = run;
	engine->job = run->job;
	engine->array = run->array;
	engine->level_count = run->array->level_count;
	engine->rate.limit = run->bandwidth;
	mutex_init(&engine->queue_lock);
	mutex_init(&engine->before_lock);
	for (unsigned i = 0; i < sizeof(gates) / sizeof(gates[0]); ++i)
		gate_init(gates[i]);
	window_init(&engine->window, slot_bytes(engine->array, engine->job->reads_parity), run->slots,
		    thread_cpu_count(), os_monotonic_us(), os_cpu_us());
	stats_cores(&engine->stats);
	if (run->bandwidth != 0)
		stats_limit(&engine->stats);
	start(engine);
	if (run->progress)
		progress = begin_progress(engine);
	end = coordinate(engine, progress);
	stop(engine);
	if (progress != NULL)
		progress_end(progress, end == RUN_COMPLETE);
	for (unsigned i = 0; i < sizeof(gates) / sizeof(gates[0]); ++i)
		gate_done(gates[i]);
	mutex_done(&engine->before_lock);
	mutex_done(&engine->queue_lock);
	free(engine);
	return end;
}
