/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots are numbered in the order they are filled. Number n is
 *	filled		by the coordinator, which then raises `filled` above n
 *	read		by each reader in turn, which keeps its own next number; the last one to finish queues it
 *	computed	by any worker, which then raises `computed` of the slot
 *	handed on	in order, to the writers that have a part of it to write
 *	written		by them; the last one to finish marks it done
 *	retired		by the coordinator, in order.
 * A slot is handed on by an atomic with release order, and taken with acquire order. */
#ifndef STRIPE_ENGINE_INSIDE_H
#define STRIPE_ENGINE_INSIDE_H

#include "io/rate.h"
#include "stripe/engine.h"
#include "stripe/gate.h"
#include "stripe/member.h"
#include "stripe/window.h"

struct flight {
	struct slot slot;
	atomic_uint reads_left, writes_left;
	atomic_bool computed, done;
	struct stats_marks marks;
	struct flight *next_free;
};

struct reader {
	struct engine *engine;
	thread_t thread;
	struct member member;
};

struct computer {
	struct engine *engine;
	thread_t thread;
	void *scratch_memory;
	void **scratch;
};

struct writer {
	struct engine *engine;
	thread_t thread;
	struct member member;
	struct gate gate;
	struct flight *given[WINDOW_MAX];	/* what it is to write; it counts them by itself */
	atomic_uint_fast64_t given_count;
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

	mutex_t hand_lock;
	uint64_t handed;		/* numbers below it are with their writers, or done */

	mutex_t before_lock;
	bool asked, may_write;		/* before_write was called; what it said */

	struct gate read_gate, compute_gate, done_gate;
	struct reader *reader;
	struct computer *computer;
	struct writer *writer;
	unsigned reader_count, computer_count, writer_count;
};

static inline struct flight *flight_of(const struct engine *engine, uint64_t number)
{
	return engine->ring[number % WINDOW_MAX];
}

/* stripe/workers.c: all threads but the coordinator. They end when nothing is in flight. */
void workers_start(struct engine *engine);
void workers_stop(struct engine *engine);
/* That number was filled. */
void workers_wake(struct engine *engine, uint64_t number);

#endif
