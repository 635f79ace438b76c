/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "capture.h"
#include "report/progress.h"
#include "report/report.h"

static struct capture captured;

/* `steps` of a job of four stripes, two MB each. */
static void run_job(bool terminal, const struct report_options *options, unsigned steps, bool always,
		    bool complete)
{
	struct progress *progress;

	capture_begin(&captured, terminal);
	assert_int_equal(report_open(options), 0);
	progress = progress_begin(&(struct progress_job){ .first = 10, .end = 20, .count = 4, .always = always });
	for (unsigned i = 0; i < steps; ++i)
		progress_step(progress, 10 + 2 * i, 2000000);
	progress_end(progress, complete);
	report_close();
	capture_end(&captured);
}

static void in_a_pipe_there_is_the_closing_line_only(void **state)
{
	(void)state;
	run_job(false, &(struct report_options){ 0 }, 4, true, true);
	assert_string_equal(captured.text[0], "100% completed, 8 MB accessed in 0:00\n");
}

static void a_job_that_was_stopped_tells_how_far_it_came(void **state)
{
	(void)state;
	run_job(false, &(struct report_options){ 0 }, 1, true, false);
	assert_string_equal(captured.text[0], "25% completed, 2 MB accessed in 0:00\n");
}

static void a_terminal_gets_a_line_at_once_and_not_at_every_step(void **state)
{
	(void)state;
	run_job(true, &(struct report_options){ 0 }, 4, false, true);
	assert_string_equal(captured.text[0],
			    "25%, 2 MB\r\r         \r100% completed, 8 MB accessed in 0:00\n");
	run_job(true, &(struct report_options){ 0 }, 2, true, true);
	assert_string_equal(captured.text[0],
			    "25%, 2 MB\r50%, 4 MB\r\r         \r100% completed, 4 MB accessed in 0:00\n");
}

static void with_a_gui_the_log_has_it_and_the_screen_has_not(void **state)
{
	(void)state;
	run_job(true, &(struct report_options){ .gui = true, .log = ">&2" }, 1, false, true);
	assert_string_equal(captured.text[0], "");
	assert_string_equal(captured.text[1], "run:begin:10:20:4\nrun:pos:10:1:2000000:25::::0::\nrun:end\n");
}

static unsigned degrees(void *argument, unsigned *steady)
{
	*steady = 52;
	return *(const unsigned *)argument;
}

static void the_temperature_and_where_it_goes_are_in_the_log(void **state)
{
	unsigned now[] = { 45, 0 };

	(void)state;
	for (unsigned i = 0; i < 2; ++i) {
		struct progress *progress;

		capture_begin(&captured, false);
		assert_int_equal(report_open(&(struct report_options){ .gui = true, .log = ">&2" }), 0);
		progress = progress_begin(&(struct progress_job){ .end = 9, .count = 4, .degrees = degrees,
								  .degrees_argument = &now[i] });
		progress_step(progress, 3, 10);
		progress_end(progress, true);
		report_close();
		capture_end(&captured);
		assert_string_equal(captured.text[1],
				    i == 0 ? "run:begin:0:9:4\nrun:pos:3:1:10:25::::0:45:52\nrun:end\n"
					   : "run:begin:0:9:4\nrun:pos:3:1:10:25::::0::\nrun:end\n");
	}
}

static void nothing_to_do_is_all_done(void **state)
{
	struct progress *progress;

	(void)state;
	capture_begin(&captured, false);
	assert_int_equal(report_open(&(struct report_options){ 0 }), 0);
	progress = progress_begin(&(struct progress_job){ .count = 0 });
	progress_end(progress, false);
	report_close();
	capture_end(&captured);
	assert_string_equal(captured.text[0], "100% completed, 0 MB accessed in 0:00\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_a_pipe_there_is_the_closing_line_only),
		cmocka_unit_test(a_job_that_was_stopped_tells_how_far_it_came),
		cmocka_unit_test(a_terminal_gets_a_line_at_once_and_not_at_every_step),
		cmocka_unit_test(with_a_gui_the_log_has_it_and_the_screen_has_not),
		cmocka_unit_test(the_temperature_and_where_it_goes_are_in_the_log),
		cmocka_unit_test(nothing_to_do_is_all_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
