/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/tag.h"

static struct buf out;

static void strings_of_a_tag_are_escaped_and_numbers_are_not(void **state)
{
	const struct field fields[] = { FIELD("d:1"), FIELD("a\\b\nc\rd"), FIELD(-7), FIELD((char *)NULL) };

	(void)state;
	buf_clear(&out);
	tag_render(&out, "scan:add:{0}:{1}:{2}:{3}:", 4, fields);
	assert_string_equal(out.data, "scan:add:d\\d1:a\\\\b\\nc\\rd:-7::\n");
}

static void a_message_is_one_tag_for_each_of_its_lines(void **state)
{
	const struct field fields[] = { FIELD("x") };

	(void)state;
	buf_clear(&out);
	tag_render_message(&out, "fatal", "one {0}\n\nthree: {0}", 1, fields);
	assert_string_equal(out.data, "msg:fatal: one x\nmsg:fatal: three: x\n");
}

static void a_name_cannot_begin_a_line_of_the_log(void **state)
{
	const struct field fields[] = { FIELD("a\nsummary:exit:ok\r") };

	(void)state;
	buf_clear(&out);
	tag_render_message(&out, "error", "Missing file {0:q}, {0:e}, {0}", 1, fields);
	assert_string_equal(out.data, "msg:error: Missing file 'a\\x0asummary:exit:ok\\x0d', "
				      "a\\nsummary:exit:ok\\r, a\\nsummary:exit:ok\\r\n");
}

static void an_empty_message_is_left_out(void **state)
{
	(void)state;
	buf_clear(&out);
	tag_render_message(&out, "status", "", 0, NULL);
	assert_int_equal(out.size, 0);
}

static int done(void **state)
{
	(void)state;
	buf_done(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_of_a_tag_are_escaped_and_numbers_are_not),
		cmocka_unit_test(a_message_is_one_tag_for_each_of_its_lines),
		cmocka_unit_test(a_name_cannot_begin_a_line_of_the_log),
		cmocka_unit_test(an_empty_message_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
