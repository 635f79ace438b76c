/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/thread.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The default follows 'ulimit -s', or is 128 KiB with some C libraries; a walk goes down as many levels as a path has. */
#define STACK_BYTES	(8u << 20)

/* Pthread calls return the error number. */
static void must(int error, const char *what)
{
	if (error != 0) {
		fprintf(stderr, "error: %s: %s; the run ends here, nothing was lost\n", what,
			strerror(error));
		abort();
	}
}

void thread_start(thread_t *thread, void *(*run)(void *), void *argument)
{
	sigset_t all, before;
	pthread_attr_t attributes;

	/* A thread inherits the mask. Signals go to the main thread, whose waits they end. */
	sigfillset(&all);
	must(pthread_sigmask(SIG_SETMASK, &all, &before), "cannot block signals");
	must(pthread_attr_init(&attributes), "cannot start a thread");
	must(pthread_attr_setstacksize(&attributes, STACK_BYTES), "cannot start a thread");
	must(pthread_create(thread, &attributes, run, argument), "cannot start a thread");
	pthread_attr_destroy(&attributes);
	must(pthread_sigmask(SIG_SETMASK, &before, NULL), "cannot unblock signals");
}

void thread_join(thread_t thread)
{
	must(pthread_join(thread, NULL), "cannot join a thread");
}

void mutex_init(mutex_t *mutex)
{
	must(pthread_mutex_init(mutex, NULL), "cannot make a lock");
}

void mutex_done(mutex_t *mutex)
{
	must(pthread_mutex_destroy(mutex), "cannot end a lock");
}

void mutex_lock(mutex_t *mutex)
{
	must(pthread_mutex_lock(mutex), "cannot lock");
}

void mutex_unlock(mutex_t *mutex)
{
	must(pthread_mutex_unlock(mutex), "cannot unlock");
}

void cond_init(cond_t *cond)
{
	pthread_condattr_t attr;

	must(pthread_condattr_init(&attr), "cannot make a condition");
	must(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC), "cannot set the clock of a condition");
	must(pthread_cond_init(cond, &attr), "cannot make a condition");
	pthread_condattr_destroy(&attr);
}

void cond_done(cond_t *cond)
{
	must(pthread_cond_destroy(cond), "cannot end a condition");
}

void cond_wait(cond_t *cond, mutex_t *mutex)
{
	must(pthread_cond_wait(cond, mutex), "cannot wait");
}

bool cond_wait_ms(cond_t *cond, mutex_t *mutex, unsigned ms)
{
	struct timespec until;
	int error;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		++until.tv_sec;
	}
	error = pthread_cond_timedwait(cond, mutex, &until);
	if (error == ETIMEDOUT)
		return false;
	must(error, "cannot wait");
	return true;
}

void cond_signal(cond_t *cond)
{
	must(pthread_cond_signal(cond), "cannot signal");
}

void cond_broadcast(cond_t *cond)
{
	must(pthread_cond_broadcast(cond), "cannot signal");
}

unsigned thread_cpu_count(void)
{
	cpu_set_t set;
	long online;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (unsigned)CPU_COUNT(&set);
	online = sysconf(_SC_NPROCESSORS_ONLN);		/* more processors than a set has bits */
	return online > 0 ? (unsigned)online : 1;
}
