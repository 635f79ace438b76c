/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>

uint64_t os_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t os_monotonic_us(void)
{
	return os_monotonic_ns() / 1000;
}

uint64_t os_monotonic_ms(void)
{
	return os_monotonic_us() / 1000;
}

uint64_t os_cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t os_memory_bytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss * 1024;
}

int64_t os_wall_seconds(void)
{
	return time(NULL);
}

void os_wall_tick(struct timespec *now)
{
	clock_gettime(CLOCK_REALTIME_COARSE, now);
}

void os_sleep_ms(unsigned ms)
{
	const struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

void os_random(void *data, size_t size)
{
	char *at = data;

	while (size > 0) {
		ssize_t got = getrandom(at, size, 0);

		if (got < 0) {
			if (errno == EINTR)
				continue;
			/* A guessed seed is worse than no run. */
			fprintf(stderr, "error: the system gives no random bytes: %s\n", strerror(errno));
			abort();
		}
		at += got;
		size -= (size_t)got;
	}
}
