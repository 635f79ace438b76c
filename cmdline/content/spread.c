/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/spread.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "os/file.h"
#include "os/thread.h"

struct lane {
	struct spread *spread;
	thread_t thread;
	int fd;
	int error;		/* errno, 0: none */
};

struct spread {
	struct lane *lane;
	unsigned count;
	mutex_t lock;
	cond_t changed;
	/* Under the lock: */
	const void *data;	/* the piece at hand */
	size_t size;
	uint64_t pieces;	/* that were given out */
	unsigned busy;		/* lanes that still write the last one */
	bool ended;
};

static void *lane_main(void *argument)
{
	struct lane *lane = argument;
	struct spread *spread = lane->spread;

	mutex_lock(&spread->lock);
	for (uint64_t seen = 0;; seen++) {
		while (spread->pieces == seen && !spread->ended)
			cond_wait(&spread->changed, &spread->lock);
		if (spread->pieces == seen)
			break;
		mutex_unlock(&spread->lock);
		if (lane->error == 0 && os_write_all(lane->fd, spread->data, spread->size) < 0)
			lane->error = errno;
		mutex_lock(&spread->lock);
		if (--spread->busy == 0)
			cond_broadcast(&spread->changed);
	}
	mutex_unlock(&spread->lock);
	return NULL;
}

struct spread *spread_new(const int *fd, unsigned count)
{
	struct spread *spread = mem_zalloc(sizeof(*spread));

	mutex_init(&spread->lock);
	cond_init(&spread->changed);
	spread->count = count;
	spread->lane = mem_zalloc(count * sizeof(*spread->lane));
	for (unsigned i = 0; i < count; i++) {
		spread->lane[i] = (struct lane){ .spread = spread, .fd = fd[i] };
		thread_start(&spread->lane[i].thread, lane_main, &spread->lane[i]);
	}
	return spread;
}

/* With the lock. */
static void wait_for_lanes(struct spread *spread)
{
	while (spread->busy > 0)
		cond_wait(&spread->changed, &spread->lock);
}

void spread_write(struct spread *spread, const void *data, size_t size)
{
	mutex_lock(&spread->lock);
	wait_for_lanes(spread);
	spread->data = data;
	spread->size = size;
	spread->busy = spread->count;
	spread->pieces++;
	cond_broadcast(&spread->changed);
	mutex_unlock(&spread->lock);
}

int spread_end(struct spread *spread, unsigned *failed)
{
	int error = 0;

	mutex_lock(&spread->lock);
	wait_for_lanes(spread);
	spread->ended = true;
	cond_broadcast(&spread->changed);
	mutex_unlock(&spread->lock);
	for (unsigned i = 0; i < spread->count; i++) {
		thread_join(spread->lane[i].thread);
		if (error == 0 && spread->lane[i].error != 0) {
			error = spread->lane[i].error;
			*failed = i;
		}
	}
	cond_done(&spread->changed);
	mutex_done(&spread->lock);
	free(spread->lane);
	free(spread);
	return error;
}
