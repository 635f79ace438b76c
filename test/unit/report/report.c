/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "capture.h"
#include "report/report.h"

static struct capture captured;
static char log_name[] = "/tmp/report-XXXXXX";

static const char *out(void) { return captured.text[0]; }
static const char *err(void) { return captured.text[1]; }

static const char *log_text(void)
{
	static char text[65536];
	FILE *file = fopen(log_name, "r");
	size_t size;

	assert_non_null(file);
	size = fread(text, 1, sizeof text - 1, file);
	text[size] = '\0';
	fclose(file);
	return text;
}

/* One event of several levels, as far as this folder has them. */
static void say_all(void)
{
	report(EV_LOCK_HELD, "/c.lock");		/* fatal */
	report(EV_USAGE, "an answer");			/* report */
	report(EV_PROGRESS_DONE, 100, 5, 0, 7);		/* progress */
	report(EV_COMMAND, "sy:nc");			/* log */
}

static void before_it_is_open_only_fatal_and_answers_are_printed(void **state)
{
	(void)state;
	capture_begin(&captured, false);
	say_all();
	capture_end(&captured);
	assert_string_equal(out(), "an answer\n");
	assert_non_null(strstr(err(), "SnapRAID is already in use!"));
}

static void quiet_removes_progress_and_never_the_answer(void **state)
{
	(void)state;
	for (int verbosity = 1; verbosity >= -5; --verbosity) {
		capture_begin(&captured, false);
		assert_int_equal(report_open(&(struct report_options){ .verbosity = verbosity }), 0);
		say_all();
		report_close();
		capture_end(&captured);
		assert_string_equal(out(), verbosity >= 0
						   ? "an answer\n100% completed, 5 MB accessed in 0:07\n"
						   : "an answer\n");
	}
}

static void the_log_has_all_levels_whatever_is_quiet(void **state)
{
	(void)state;
	capture_begin(&captured, false);
	assert_int_equal(report_open(&(struct report_options){ .verbosity = -5, .log = log_name }), 0);
	assert_true(report_has_log());
	say_all();
	report_close();
	capture_end(&captured);
	assert_string_equal(out(), "an answer\n");
	assert_non_null(strstr(err(), "SnapRAID is already in use!"));
	assert_string_equal(log_text(), "msg:fatal: SnapRAID is already in use! Another run holds the lock "
					"'/c.lock'. Wait until it ends.\n"
					"msg:status: an answer\n"
					"msg:progress: 100% completed, 5 MB accessed in 0:07\n"
					"command:sy\\dnc\n");
	assert_false(report_has_log());
}

static void a_log_to_stderr_is_among_its_text(void **state)
{
	(void)state;
	capture_begin(&captured, false);
	assert_int_equal(report_open(&(struct report_options){ .log = ">&2" }), 0);
	say_all();
	report_close();
	capture_end(&captured);
	assert_non_null(strstr(err(), "command:sy\\dnc\n"));
	assert_null(strstr(out(), "command:"));
}

static void a_log_that_fails_is_said_once_and_the_run_goes_on(void **state)
{
	const char *warning;

	(void)state;
	capture_begin(&captured, false);
	assert_int_equal(report_open(&(struct report_options){ .log = "/dev/full" }), 0);
	say_all();
	say_all();
	assert_false(report_has_log());
	report_close();
	capture_end(&captured);
	warning = strstr(err(), "WARNING! Cannot write the log '/dev/full'");
	assert_non_null(warning);
	assert_null(strstr(warning + 1, "WARNING!"));
	assert_non_null(strstr(out(), "100% completed"));
}

static void the_moving_line_is_only_on_a_terminal_and_makes_room_for_text(void **state)
{
	(void)state;
	capture_begin(&captured, false);
	assert_int_equal(report_open(&(struct report_options){ 0 }), 0);
	report_moving("5%, 0 MB");
	report_close();
	capture_end(&captured);
	assert_string_equal(out(), "");

	capture_begin(&captured, true);
	assert_int_equal(report_open(&(struct report_options){ 0 }), 0);
	report_moving("5%, 10 MB");
	report_moving("6%, 9 MB");
	report(EV_USAGE, "x\033y");
	report_close();
	capture_end(&captured);
	assert_string_equal(out(), "5%, 10 MB\r6%, 9 MB \r\r        \rx\\x1by\n");
}

static void no_moving_line_when_quiet_or_with_a_gui(void **state)
{
	(void)state;
	for (int i = 0; i < 2; ++i) {
		capture_begin(&captured, true);
		assert_int_equal(report_open(&(struct report_options){ .verbosity = -i, .gui = i == 0 }), 0);
		report_moving("5%, 10 MB");
		report_close();
		capture_end(&captured);
		assert_string_equal(out(), "");
	}
}

static void an_event_takes_up_to_ten_fields_of_any_kind(void **state)
{
	enum report_level level = REPORT_STATUS;
	char buffer[] = "b";

	(void)state;
	capture_begin(&captured, false);
	assert_int_equal(report_open(&(struct report_options){ .log = log_name }), 0);
	report(EV_RUN_END);
	report(EV_RUN_POS, 1, true, level, buffer, "s", (unsigned char)6, (short)-7, 8ul, 9.5,
	       (const char *)NULL);
	report_close();
	capture_end(&captured);
	assert_string_equal(log_text(), "run:end\nrun:pos:1:1:4:b:s:6:-7:8:9.5:\n");
}

static int begin(void **state)
{
	int fd = mkstemp(log_name);

	(void)state;
	close(fd);
	return fd < 0;
}

static int end(void **state)
{
	(void)state;
	return unlink(log_name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_it_is_open_only_fatal_and_answers_are_printed),
		cmocka_unit_test(quiet_removes_progress_and_never_the_answer),
		cmocka_unit_test(the_log_has_all_levels_whatever_is_quiet),
		cmocka_unit_test(a_log_to_stderr_is_among_its_text),
		cmocka_unit_test(a_log_that_fails_is_said_once_and_the_run_goes_on),
		cmocka_unit_test(the_moving_line_is_only_on_a_terminal_and_makes_room_for_text),
		cmocka_unit_test(no_moving_line_when_quiet_or_with_a_gui),
		cmocka_unit_test(an_event_takes_up_to_ten_fields_of_any_kind),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
