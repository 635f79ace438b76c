/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads and locks whose failure ends the run: they fail only by misuse or without memory. */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include <pthread.h>
#include "base/types.h"

typedef pthread_t thread_t;
typedef pthread_mutex_t mutex_t;
typedef pthread_cond_t cond_t;

void thread_start(thread_t *thread, void *(*run)(void *), void *argument);	/* signals blocked in it */
void thread_join(thread_t thread);
void mutex_init(mutex_t *mutex);
void mutex_done(mutex_t *mutex);
void mutex_lock(mutex_t *mutex);
void mutex_unlock(mutex_t *mutex);
void cond_init(cond_t *cond);
void cond_done(cond_t *cond);
void cond_wait(cond_t *cond, mutex_t *mutex);
/* false: `ms` passed without a signal. */
bool cond_wait_ms(cond_t *cond, mutex_t *mutex, unsigned ms);
void cond_signal(cond_t *cond);
void cond_broadcast(cond_t *cond);
unsigned thread_cpu_count(void);	/* cores this process may use, at least 1 */

#endif
