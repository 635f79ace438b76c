/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "report/text.h"

static struct buf out;

#define RENDER(target, text, ...)                                                                            \
	(buf_clear(&out),                                                                                    \
	 text_render(&out, text, target,                                                                     \
		     sizeof((const struct field[]){ __VA_ARGS__ }) / sizeof(struct field),                   \
		     (const struct field[]){ __VA_ARGS__ }),                                                 \
	 out.data)

static void numbers_are_aligned_filled_and_rounded(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_PIPE, "{0}|", FIELD(-5)), "-5|");
	assert_string_equal(RENDER(TEXT_PIPE, "{0:8} equal", FIELD(42u)), "      42 equal");
	assert_string_equal(RENDER(TEXT_PIPE, "{0:8} equal", FIELD(1234567890u)), "1234567890 equal");
	assert_string_equal(RENDER(TEXT_PIPE, "{0}:{1:02}", FIELD(3), FIELD(4u)), "3:04");
	assert_string_equal(RENDER(TEXT_PIPE, "{0:5}|{0:05}", FIELD(-12)), "  -12|-0012");
	assert_string_equal(RENDER(TEXT_PIPE, "{0:.1}", FIELD(2.25)), "2.2");
	assert_string_equal(RENDER(TEXT_PIPE, "{0:8.1}", FIELD(2.5)), "     2.5");
	assert_string_equal(RENDER(TEXT_PIPE, "{0}", FIELD(UINT64_MAX)), "18446744073709551615");
	assert_string_equal(RENDER(TEXT_PIPE, "{0}", FIELD(INT64_MIN)), "-9223372036854775808");
	assert_string_equal(RENDER(TEXT_PIPE, "{0}", FIELD(true)), "1");
}

static void fields_may_come_in_any_order_and_more_than_once(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_PIPE, "{1} {0} {1}", FIELD("a"), FIELD("b")), "b a b");
	assert_string_equal(RENDER(TEXT_PIPE, "{{0} {0}", FIELD("a")), "{0} a");
}

static void a_null_string_is_empty(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_PIPE, "<{0}> <{0:q}> <{0:3}>", FIELD((char *)NULL)), "<> <''> <   >");
}

static void a_field_that_was_not_given_does_not_end_the_run(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_PIPE, "{0} {1}", FIELD(1)), "1 ?");
}

static void names_are_escaped_for_a_shell_where_asked(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_PIPE, "add {0:e}", FIELD("a b(1)")), "add a\\ b\\(1\\)");
	assert_string_equal(RENDER(TEXT_PIPE, "add {0:e}", FIELD("(a  b")), "add \\(a\\ \\ b");
	assert_string_equal(RENDER(TEXT_PIPE, "add {0:e}", FIELD("")), "add ");
	assert_string_equal(RENDER(TEXT_PIPE, "add {0}", FIELD("a b(1)")), "add a b(1)");
}

static void quoted_names_keep_all_but_control_bytes(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_PIPE, "Missing file {0:q}.", FIELD("/d1/a b\\\n\x7f\xff")),
			    "Missing file '/d1/a b\\\\x0a\\x7f\xff'.");
}

static void a_name_cannot_move_the_cursor_of_a_terminal(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_TERMINAL, "{0}\n", FIELD("x\033[2J\r\xc2\x9b")),
			    "x\\x1b[2J\\x0d\\xc2\\x9b\n");
	assert_null(strchr(RENDER(TEXT_TERMINAL, "{0:e}", FIELD("\033[2J")), '\033'));
	assert_null(strchr(RENDER(TEXT_TERMINAL, "{0:q}", FIELD("\033[2J")), '\033'));
	assert_string_equal(RENDER(TEXT_TERMINAL, "{0}", FIELD("h\xc3\xa9")), "h\xc3\xa9");
}

static void a_pipe_gets_names_as_they_are(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_PIPE, "{0}", FIELD("x\033[2J\xff")), "x\033[2J\xff");
}

static int done(void **state)
{
	(void)state;
	buf_done(&out);
	return 0;
}

static const char *dir_of(const void *argument, const char *disk)
{
	return strcmp(disk, argument) == 0 ? "/mnt/one/" : NULL;
}

static void names_of_files_are_told_as_was_asked(void **state)
{
	(void)state;
	assert_string_equal(RENDER(TEXT_PIPE, "add {1@0:e}", FIELD("d1"), FIELD("a b")), "add a\\ b");
	text_name_files(NAMES_WITH_DISK, dir_of, "d1");
	assert_string_equal(RENDER(TEXT_PIPE, "add {1@0:e} {0}", FIELD("d1"), FIELD("a b")), "add d1:a\\ b d1");
	text_name_files(NAMES_FULL, dir_of, "d1");
	assert_string_equal(RENDER(TEXT_PIPE, "add {1@0}", FIELD("d1"), FIELD("a b")), "add /mnt/one/a b");
	assert_string_equal(RENDER(TEXT_PIPE, "add {1@0}", FIELD("d2"), FIELD("a b")), "add a b");
	assert_string_equal(RENDER(TEXT_TERMINAL, "add {1}", FIELD("d1"), FIELD("a b")), "add a b");
	text_name_files(NAMES_IN_DISK, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_aligned_filled_and_rounded),
		cmocka_unit_test(fields_may_come_in_any_order_and_more_than_once),
		cmocka_unit_test(a_null_string_is_empty),
		cmocka_unit_test(a_field_that_was_not_given_does_not_end_the_run),
		cmocka_unit_test(names_are_escaped_for_a_shell_where_asked),
		cmocka_unit_test(quoted_names_keep_all_but_control_bytes),
		cmocka_unit_test(a_name_cannot_move_the_cursor_of_a_terminal),
		cmocka_unit_test(names_of_files_are_told_as_was_asked),
		cmocka_unit_test(a_pipe_gets_names_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
