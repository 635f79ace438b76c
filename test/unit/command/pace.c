/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "command/pace.h"
#include "device/thermal.h"
#include "os/clock.h"
#include "os/signal.h"

static char name[] = "d1", dir[] = "./";
static struct config_disk disk = { .name = name, .dir = dir };
static const struct options options = { .test.fake_device = true };

static int saved;

static int save(void *argument)
{
	saved++;
	return *(const int *)argument;
}

static void begin(struct pace_state *pace, struct session *session, struct config *config, int *result)
{
	config->disk = &disk;
	config->disk_count = 1;
	config->temp_sleep_minutes = 3;
	*session = (struct session){ .config = config, .options = &options, .array = array_new(1024, 16) };
	array_add_disk(session->array, name, dir);
	pace_begin(pace, session);
	pace->left = 100;
	pace->save = save;
	pace->save_argument = result;
	saved = 0;
}

static void end(struct session *session)
{
	thermal_stop(session->thermal);
	array_free(session->array);
}

static void autosave_comes_every_so_many_bytes_but_not_shortly_before_the_end(void **state)
{
	struct config config = { .autosave_bytes = 30 * 1024 };
	struct session session;
	struct pace_state pace;
	int result = 0;
	stripe_t at;

	(void)state;
	begin(&pace, &session, &config, &result);
	for (at = 0; at < 100; ++at)
		if (pace_next(&pace, at) == PACE_DRAIN) {
			assert_true(at == 30 || at == 60);
			assert_int_equal(pace_rest(&pace), 0);
		}
	assert_int_equal(saved, 2);
	end(&session);
}

static void a_save_that_fails_stops_the_run(void **state)
{
	struct config config = { .autosave_bytes = 1024 };
	struct session session;
	struct pace_state pace;
	int result = -1;

	(void)state;
	begin(&pace, &session, &config, &result);
	assert_int_equal(pace_next(&pace, 0), PACE_GO);
	assert_int_equal(pace_next(&pace, 1), PACE_DRAIN);
	assert_int_equal(pace_rest(&pace), -1);
	end(&session);
}

/* The made-up disk has 27 degrees. */
static void a_cool_disk_is_let_run(void **state)
{
	struct config config = { .temp_limit = 27 };
	struct session session;
	struct pace_state pace;
	int result = 0;

	(void)state;
	begin(&pace, &session, &config, &result);
	assert_non_null(session.thermal);
	for (stripe_t at = 0; at < 100; ++at)
		assert_int_equal(pace_next(&pace, at), PACE_GO);
	end(&session);
}

/* The last test, as it ends with a signal: else the pause would take three minutes. */
static void a_hot_disk_rests_after_a_save_until_a_signal(void **state)
{
	struct config config = { .temp_limit = 26 };
	struct session session;
	struct pace_state pace;
	uint64_t begun;
	int result = 0;

	(void)state;
	begin(&pace, &session, &config, &result);
	assert_int_equal(pace_next(&pace, 0), PACE_DRAIN);
	os_stop_install();
	kill(getpid(), SIGTERM);
	begun = os_monotonic_ms();
	assert_int_equal(pace_rest(&pace), 0);
	assert_true(os_monotonic_ms() - begun < 60000);
	assert_int_equal(saved, 1);
	assert_int_equal(pace_next(&pace, 0), PACE_STOP);
	assert_true(pace.signal_hit);
	end(&session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(autosave_comes_every_so_many_bytes_but_not_shortly_before_the_end),
		cmocka_unit_test(a_save_that_fails_stops_the_run),
		cmocka_unit_test(a_cool_disk_is_let_run),
		cmocka_unit_test(a_hot_disk_rests_after_a_save_until_a_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
