/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where threads of the engine sleep until something has changed.
 *
 * What they wait for is atomic state outside the gate, so that nobody takes a lock as long as there is work.
 * Whoever changes that state calls gate_wake after it: it costs one load if nobody sleeps. */
#ifndef STRIPE_GATE_H
#define STRIPE_GATE_H

#include <stdatomic.h>
#include "os/thread.h"

struct gate {
	mutex_t lock;
	cond_t cond;
	atomic_uint sleepers;
};

static inline void gate_init(struct gate *gate)
{
	mutex_init(&gate->lock);
	cond_init(&gate->cond);
	atomic_init(&gate->sleepers, 0);
}

static inline void gate_done(struct gate *gate)
{
	cond_done(&gate->cond);
	mutex_done(&gate->lock);
}

/* Return once ready(argument, which) holds. It is asked under the lock of the gate, after this thread is
 * counted as a sleeper: a change made before that is seen, one made later wakes it. */
static inline void gate_wait(struct gate *gate, bool (*ready)(void *argument, uint64_t which), void *argument,
			     uint64_t which)
{
	if (ready(argument, which))
		return;
	mutex_lock(&gate->lock);
	atomic_fetch_add(&gate->sleepers, 1);
	while (!ready(argument, which))
		cond_wait(&gate->cond, &gate->lock);
	atomic_fetch_sub(&gate->sleepers, 1);
	mutex_unlock(&gate->lock);
}

static inline void gate_wake(struct gate *gate)
{
	if (atomic_load(&gate->sleepers) == 0)
		return;
	mutex_lock(&gate->lock);
	cond_broadcast(&gate->cond);
	mutex_unlock(&gate->lock);
}

#endif
