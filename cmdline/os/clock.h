/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef OS_CLOCK_H
#define OS_CLOCK_H

#include "base/types.h"

uint64_t os_monotonic_ms(void);
uint64_t os_monotonic_us(void);
uint64_t os_monotonic_ns(void);
uint64_t os_cpu_us(void);		/* used by all threads of the process */
uint64_t os_memory_bytes(void);		/* the most that the process had */
int64_t os_wall_seconds(void);
struct timespec;
void os_wall_tick(struct timespec *now);	/* the time that a file written now gets */
void os_sleep_ms(unsigned ms);	/* a signal ends it early, so that a stop need not wait */
/* Bytes from the system's random source; aborts if there is none. */
void os_random(void *data, size_t size);

#endif
