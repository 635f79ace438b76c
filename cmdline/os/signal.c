/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/signal.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Written by a handler and read by any thread: a lock-free atomic may be both. */
static atomic_int stop_signal;

static void stop_handler(int number)
{
	int none = 0;

	atomic_compare_exchange_strong(&stop_signal, &none, number);
}

void os_stop_install(void)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	/* After its first signal a handler is gone, so a second one of the kind kills. No SA_RESTART: a wait
	 * of the main thread ends and sees the flag. */
	struct sigaction action = { .sa_handler = stop_handler, .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;

	sigemptyset(&action.sa_mask);
	for (unsigned i = 0; i < sizeof(stops) / sizeof(stops[0]); ++i) {
		/* Under nohup the terminal may go, and the run goes on. */
		if (stops[i] == SIGHUP && sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
			continue;
		sigaction(stops[i], &action, NULL);
	}
}

int os_stop_signal(void)
{
	return atomic_load_explicit(&stop_signal, memory_order_relaxed);
}

static const char *bus_words;

static void bus_handler(int number)
{
	(void)number;
	if (write(STDERR_FILENO, bus_words, strlen(bus_words)) < 0)
		_exit(2);	/* nobody can be told */
	_exit(1);
}

void os_bus_error_install(const char *words)
{
	struct sigaction action = { .sa_handler = bus_handler };

	sigemptyset(&action.sa_mask);
	bus_words = words;
	sigaction(SIGBUS, &action, NULL);
}

void os_die_by(int number)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t only;

	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
	sigemptyset(&only);
	sigaddset(&only, number);
	pthread_sigmask(SIG_UNBLOCK, &only, NULL);
	raise(number);
	_exit(128 + number);	/* a signal that kills nobody */
}
