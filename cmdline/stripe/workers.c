/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of the engine: readers, those who compute, writers. What each does with a slot, and who gets it next. */
#include "stripe/engine_inside.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "os/clock.h"

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

static void *reader_main(void *argument)
{
	struct reader *reader = argument;
	struct engine *engine = reader->engine;

	for (uint64_t number = 0;; ++number) {
		struct flight *flight;
		uint64_t end;

		gate_wait(&engine->read_gate, read_ready, engine, number);
		if (atomic_load(&engine->filled) <= number)
			return NULL;
		flight = flight_of(engine, number);
		end = member_read(&reader->member, &flight->slot);
		if (atomic_fetch_sub(&flight->reads_left, 1) == 1) {
			flight->marks.reader = reader->member.lane;
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

static void mark_done(struct engine *engine, struct flight *flight)
{
	atomic_store(&flight->done, true);
	gate_wake(&engine->done_gate);
}

static bool has_to_write(const struct member *member, const struct slot *slot)
{
	return member->column != COLUMN_NONE ? slot->cell[member->column].write : slot->parity[member->level].write;
}

static void give_to(struct writer *writer, struct flight *flight)
{
	writer->given[atomic_load(&writer->given_count) % WINDOW_MAX] = flight;
	atomic_fetch_add(&writer->given_count, 1);
	gate_wake(&writer->gate);
}

/* Once the last one has it, it may be written, retired and filled anew. */
static void give_to_writers(struct engine *engine, struct flight *flight)
{
	struct writer *to[COLUMN_MAX + LEVEL_MAX];
	unsigned count = 0;

	for (unsigned i = 0; i < engine->writer_count; ++i)
		if (has_to_write(&engine->writer[i].member, &flight->slot))
			to[count++] = &engine->writer[i];
		else
			atomic_fetch_add(&engine->writer[i].member.lane->written, 1);
	atomic_store(&flight->writes_left, count);
	if (count == 0)
		mark_done(engine, flight);
	for (unsigned i = 0; i < count; ++i)
		give_to(to[i], flight);
}

/* All that is computed, up to the first that is not. */
static void hand_on(struct engine *engine)
{
	mutex_lock(&engine->hand_lock);
	for (; engine->handed < atomic_load(&engine->filled); engine->handed++) {
		struct flight *flight = flight_of(engine, engine->handed);

		if (!atomic_load(&flight->computed))
			break;
		give_to_writers(engine, flight);
	}
	mutex_unlock(&engine->hand_lock);
}

static void *compute_main(void *argument)
{
	struct computer *computer = argument;
	struct engine *engine = computer->engine;

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
		engine->job->compute(&flight->slot, computer->scratch, engine->run->context);
		flight->marks.computed_us = os_monotonic_us();
		atomic_fetch_add(&engine->stats.computed, 1);
		atomic_store(&flight->computed, true);
		if (engine->writer_count == 0)
			mark_done(engine, flight);
		else
			hand_on(engine);
	}
}

/* ---- writers ---- */

static bool write_ready(void *argument, uint64_t count)
{
	struct writer *writer = argument;

	return atomic_load(&writer->given_count) > count || atomic_load(&writer->engine->closing);
}

static void write_data(struct writer *writer, struct slot *slot)
{
	struct cell *cell = &slot->cell[writer->member.column];

	cell->write_error = writer->engine->job->write_data(slot, writer->member.column, writer->engine->run->context);
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

static void write_parity(struct writer *writer, struct slot *slot)
{
	struct parity_cell *cell = &slot->parity[writer->member.level];

	if (!may_write(writer->engine))
		cell->write_error = ECANCELED;
	else if (parity_write(writer->member.parity, slot->at, cell->fresh) < 0)
		cell->write_error = errno;
}

static void *writer_main(void *argument)
{
	struct writer *writer = argument;
	struct engine *engine = writer->engine;

	for (uint64_t count = 0;; ++count) {
		struct flight *flight;
		uint64_t begin;

		gate_wait(&writer->gate, write_ready, writer, count);
		if (atomic_load(&writer->given_count) <= count)
			return NULL;
		flight = writer->given[count % WINDOW_MAX];
		begin = os_monotonic_us();
		if (writer->member.column != COLUMN_NONE)
			write_data(writer, &flight->slot);
		else
			write_parity(writer, &flight->slot);
		member_note(&writer->member, begin, flight->slot.block_size);
		atomic_fetch_add(&writer->member.lane->written, 1);
		if (atomic_fetch_sub(&flight->writes_left, 1) == 1) {
			flight->marks.writer = writer->member.lane;
			mark_done(engine, flight);
		}
	}
}

/* ---- begin and end ---- */

void workers_wake(struct engine *engine, uint64_t number)
{
	if (engine->reader_count == 0)
		queue_push(engine, number);
	else
		gate_wake(&engine->read_gate);
}

static void add_reader(struct engine *engine, const struct member *member)
{
	engine->reader[engine->reader_count++] = (struct reader){
		.engine = engine, .member = *member,
	};
}

static void add_writer(struct engine *engine, const struct member *member)
{
	struct writer *writer = &engine->writer[engine->writer_count++];

	writer->engine = engine;
	writer->member = *member;
	gate_init(&writer->gate);
}

static void add_disk(struct engine *engine, const struct disk *disk)
{
	struct member member = {
		.column = disk->column, .lane = stats_disk(&engine->stats, disk->column, disk->name),
	};

	member.lane->reads = true;
	if (engine->job->writes_data)
		add_writer(engine, &member);
	member.reader = data_reader_new(engine->run->root_fd[disk->column]);
	add_reader(engine, &member);
}

static void add_level(struct engine *engine, level_t l, struct parity *parity)
{
	const struct stripe_job *job = engine->job;
	struct member member = { .column = COLUMN_NONE, .level = l, .parity = parity };

	if (parity == NULL || (!job->reads_parity && !job->writes_parity))
		return;
	member.lane = stats_level(&engine->stats, l, engine->array->level[l].name);
	member.lane->reads = job->reads_parity;
	if (job->reads_parity)
		add_reader(engine, &member);
	if (job->writes_parity)
		add_writer(engine, &member);
}

static void add_computer(struct engine *engine)
{
	struct computer *computer = &engine->computer[engine->computer_count++];
	unsigned blocks = engine->job->scratch_blocks;
	size_t stride = slot_stride(engine->array);

	computer->engine = engine;
	computer->scratch = mem_zalloc(sizeof(void *) * (blocks + 1));
	computer->scratch_memory = mem_aligned(stride * (blocks + 1), 4096);
	for (unsigned b = 0; b < blocks; ++b)
		computer->scratch[b] = (char *)computer->scratch_memory + b * stride;
}

void workers_start(struct engine *engine)
{
	const struct stripe_run *run = engine->run;
	unsigned disks = engine->array->disk_count, cores = thread_cpu_count();

	engine->reader = mem_zalloc(sizeof(*engine->reader) * (disks + LEVEL_MAX));
	engine->writer = mem_zalloc(sizeof(*engine->writer) * (disks + LEVEL_MAX));
	engine->computer = mem_zalloc(sizeof(*engine->computer) * cores);
	for (unsigned d = 0; d < disks; ++d)
		add_disk(engine, engine->array->disk[d]);
	for (level_t l = 0; l < engine->level_count; ++l)
		add_level(engine, l, run->parity != NULL ? run->parity[l] : NULL);
	while (engine->computer_count < cores)
		add_computer(engine);
	for (unsigned i = 0; i < engine->reader_count; ++i)
		thread_start(&engine->reader[i].thread, reader_main, &engine->reader[i]);
	for (unsigned i = 0; i < engine->computer_count; ++i)
		thread_start(&engine->computer[i].thread, compute_main, &engine->computer[i]);
	for (unsigned i = 0; i < engine->writer_count; ++i)
		thread_start(&engine->writer[i].thread, writer_main, &engine->writer[i]);
}

static void end_reader(struct reader *reader)
{
	thread_join(reader->thread);
	data_reader_free(reader->member.reader);
}

static void end_computer(struct computer *computer)
{
	thread_join(computer->thread);
	free(computer->scratch);
	free(computer->scratch_memory);
}

static void end_writer(struct writer *writer)
{
	gate_wake(&writer->gate);
	thread_join(writer->thread);
	gate_done(&writer->gate);
}

void workers_stop(struct engine *engine)
{
	atomic_store(&engine->closing, true);
	atomic_store(&engine->tuned, true);
	gate_wake(&engine->read_gate);
	gate_wake(&engine->compute_gate);
	for (unsigned i = 0; i < engine->reader_count; ++i)
		end_reader(&engine->reader[i]);
	for (unsigned i = 0; i < engine->computer_count; ++i)
		end_computer(&engine->computer[i]);
	for (unsigned i = 0; i < engine->writer_count; ++i)
		end_writer(&engine->writer[i]);
	free(engine->reader);
	free(engine->computer);
	free(engine->writer);
}
