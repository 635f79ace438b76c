/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sched.h>
#include <signal.h>

#include "os/clock.h"
#include "os/thread.h"

struct shared {
	mutex_t mutex;
	cond_t cond;
	unsigned count;
	bool all_blocked;
};

static void *count_up(void *argument)
{
	struct shared *shared = argument;

	for (unsigned i = 0; i < 10000; ++i) {
		mutex_lock(&shared->mutex);
		++shared->count;
		mutex_unlock(&shared->mutex);
	}
	mutex_lock(&shared->mutex);
	cond_signal(&shared->cond);
	mutex_unlock(&shared->mutex);
	return NULL;
}

static void a_lock_keeps_threads_apart_and_a_signal_wakes(void **state)
{
	struct shared shared = { .count = 0 };
	thread_t thread[4];

	(void)state;
	mutex_init(&shared.mutex);
	cond_init(&shared.cond);
	for (unsigned i = 0; i < 4; ++i)
		thread_start(&thread[i], count_up, &shared);
	mutex_lock(&shared.mutex);
	while (shared.count < 40000)
		cond_wait(&shared.cond, &shared.mutex);
	mutex_unlock(&shared.mutex);
	for (unsigned i = 0; i < 4; ++i)
		thread_join(thread[i]);
	assert_int_equal(shared.count, 40000);
	cond_done(&shared.cond);
	mutex_done(&shared.mutex);
}

static void a_timed_wait_ends(void **state)
{
	uint64_t start = os_monotonic_ms();
	mutex_t mutex;
	cond_t cond;

	(void)state;
	mutex_init(&mutex);
	cond_init(&cond);
	mutex_lock(&mutex);
	while (cond_wait_ms(&cond, &mutex, 30))	/* true: woken for no reason */
		;
	assert_true(os_monotonic_ms() - start >= 29);
	mutex_unlock(&mutex);
	cond_done(&cond);
	mutex_done(&mutex);
}

static void *wake(void *argument)
{
	struct shared *shared = argument;

	mutex_lock(&shared->mutex);
	shared->count = 1;
	cond_broadcast(&shared->cond);
	mutex_unlock(&shared->mutex);
	return NULL;
}

static void a_timed_wait_tells_that_it_was_woken(void **state)
{
	struct shared shared = { .count = 0 };
	bool woken = false;
	thread_t thread;

	(void)state;
	mutex_init(&shared.mutex);
	cond_init(&shared.cond);
	mutex_lock(&shared.mutex);
	thread_start(&thread, wake, &shared);
	while (shared.count == 0)
		woken = cond_wait_ms(&shared.cond, &shared.mutex, 60900);
	mutex_unlock(&shared.mutex);
	assert_true(woken);
	thread_join(thread);
	cond_done(&shared.cond);
	mutex_done(&shared.mutex);
}

static void *look_at_mask(void *argument)
{
	struct shared *shared = argument;
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	shared->all_blocked = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1 &&
			      sigismember(&mask, SIGHUP) == 1;
	return NULL;
}

static void signals_are_blocked_in_a_thread_and_not_here(void **state)
{
	struct shared shared = { .all_blocked = false };
	thread_t thread;
	sigset_t mask;

	(void)state;
	thread_start(&thread, look_at_mask, &shared);
	thread_join(thread);
	assert_true(shared.all_blocked);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	assert_int_equal(sigismember(&mask, SIGINT), 0);
}

static void the_cores_are_those_of_this_process(void **state)
{
	cpu_set_t before, one;

	(void)state;
	assert_true(thread_cpu_count() >= 1);
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	CPU_ZERO(&one);
	for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(thread_cpu_count(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lock_keeps_threads_apart_and_a_signal_wakes),
		cmocka_unit_test(a_timed_wait_ends),
		cmocka_unit_test(a_timed_wait_tells_that_it_was_woken),
		cmocka_unit_test(signals_are_blocked_in_a_thread_and_not_here),
		cmocka_unit_test(the_cores_are_those_of_this_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
