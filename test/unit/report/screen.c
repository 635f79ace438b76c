/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "capture.h"
#include "report/report.h"
#include "report/screen.h"

static struct capture captured;

static void environment(const char *term, const char *no_color)
{
	setenv("TERM", term, 1);
	if (no_color != NULL)
		setenv("NO_COLOR", no_color, 1);
	else
		unsetenv("NO_COLOR");
}

/* What a good end looks like. */
static const char *good_end(bool terminal)
{
	capture_begin(&captured, terminal);
	assert_int_equal(report_open(&(struct report_options){ 0 }), 0);
	report(EV_EVERYTHING_OK);
	report_close();
	capture_end(&captured);
	return captured.text[0];
}

static void colours_are_for_a_terminal_that_wants_them(void **state)
{
	(void)state;
	environment("xterm", NULL);
	assert_string_equal(good_end(true), "\033[32mEverything OK\033[0m\n");
	assert_string_equal(good_end(false), "Everything OK\n");
	environment("xterm", "1");
	assert_string_equal(good_end(true), "Everything OK\n");
	environment("xterm", "");	/* empty is not set: https://no-color.org */
	assert_string_equal(good_end(true), "\033[32mEverything OK\033[0m\n");
	environment("dumb", NULL);
	assert_string_equal(good_end(true), "Everything OK\n");
}

static const char *moving(const char *first, const char *second)
{
	capture_begin(&captured, true);
	assert_int_equal(report_open(&(struct report_options){ 0 }), 0);
	report_moving(first);
	report_moving(second);
	report(EV_EVERYTHING_OK);
	report_close();
	capture_end(&captured);
	return captured.text[0];
}

static void a_moving_table_is_drawn_in_its_place_and_erased(void **state)
{
	(void)state;
	environment("xterm", "1");
	assert_string_equal(moving("head\nrow\n10%", "head\nrow\n9%"),
			    "head\033[K\nrow\033[K\n10%\r"
			    "\033[2A\rhead\033[K\nrow\033[K\n9% \r"
			    "\033[2A\r\033[JEverything OK\n");
	assert_int_equal(report_moving_height(), 24);
	environment("dumb", NULL);
	screen_open();
	assert_int_equal(report_moving_height(), 1);
}

static void sentences_break_at_words(void **state)
{
	struct buf text = { 0 };

	(void)state;
	buf_str(&text, "kept aa bb cc dddddddddddd ee\nff gg");
	screen_wrap(&text, 5, 5);
	assert_string_equal(text.data, "kept aa bb\ncc\ndddddddddddd\nee\nff gg");
	buf_clear(&text);
	buf_str(&text, "  12 a\\ b\\ c\\ d\\ e");
	screen_wrap(&text, 0, 8);
	assert_string_equal(text.data, "  12\na\\ b\\ c\\ d\\ e");
	buf_done(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_are_for_a_terminal_that_wants_them),
		cmocka_unit_test(a_moving_table_is_drawn_in_its_place_and_erased),
		cmocka_unit_test(sentences_break_at_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
