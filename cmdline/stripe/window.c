/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/window.h"

#define MOST_BYTES	(256u << 20)	/* of buffers, at most, unless MOST_MIN needs more */
#define MOST_MIN	4
#define FIRST_BYTES	(12u << 20)
#define FIRST_MIN	6
#define SLOW_WAIT_US	2000
/* With the cores busier than this it is they who are slow, and more stripes would only leave the cache: 6 disks of
 * 256 MiB in RAM, 2 cores, scrub and check 1.2 and 1.3 times as fast as SnapRAID 12.2 with a window grown to 60, 1.6
 * and 1.8 with 6. */
#define BUSY_PERCENT	50
#define BUSY_SPAN_US	10000	/* over which it is measured, at least */

static unsigned between(size_t least, size_t count, size_t most)
{
	return (unsigned)(count < least ? least : count > most ? most : count);
}

void window_init(struct window *window, size_t bytes, unsigned fixed, unsigned cores, uint64_t now_us, uint64_t cpu_us)
{
	*window = (struct window){ .cores = cores, .span_us = now_us, .span_cpu_us = cpu_us, .busy = true };
	window->most = between(MOST_MIN, MOST_BYTES / bytes, WINDOW_MAX);
	window->first = between(FIRST_MIN, FIRST_BYTES / bytes, WINDOW_MAX);
	if (fixed != 0)
		window->most = window->first = between(1, fixed, WINDOW_MAX);
	if (window->first > window->most)
		window->first = window->most;
	window->size = window->first;
}

/* Are the cores the ones that are slow? */
static bool is_busy(struct window *window, uint64_t now_us, uint64_t (*cpu_us)(void))
{
	uint64_t span = now_us - window->span_us, cpu;

	if (span < BUSY_SPAN_US)
		return window->busy;
	cpu = cpu_us();
	window->busy = (cpu - window->span_cpu_us) * 100 >= span * window->cores * BUSY_PERCENT;
	window->span_us = now_us;
	window->span_cpu_us = cpu;
	return window->busy;
}

void window_adapt(struct window *window, uint64_t waited_us, uint64_t now_us, uint64_t (*cpu_us)(void))
{
	if (is_busy(window, now_us, cpu_us)) {
		/* Slowly: the wait may have been for a core that another program had. */
		window->size -= (window->size - window->first + 15) / 16;
	} else if (waited_us >= SLOW_WAIT_US) {
		window->size *= 2;
		if (window->size > window->most)
			window->size = window->most;
	}
}
