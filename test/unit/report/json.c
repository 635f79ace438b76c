/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "capture.h"
#include "report/json.h"

static struct buf out;

static const char *rendered(const char *tag, unsigned count, const struct field *fields)
{
	buf_clear(&out);
	json_render(&out, tag, count, fields);
	return out.data;
}

static void a_tag_is_an_array_of_its_name_and_fields(void **state)
{
	const struct field fields[] = { field_s("d1"), field_s("a: b\\"), field_i(-5), field_u(7), field_d(0.5) };

	(void)state;
	assert_string_equal(rendered("run:end", 0, NULL), "{\"tag\":[\"run\",\"end\"]}\n");
	assert_string_equal(rendered("scan:add:{0}:{1}", 5, fields), "{\"tag\":[\"scan\",\"add\",\"d1\",\"a: b\\\\\"]}\n");
	assert_string_equal(rendered("x:{2}:{3}:{4}", 5, fields), "{\"tag\":[\"x\",-5,7,0.5]}\n");
	assert_string_equal(rendered("x::{0}:", 5, fields), "{\"tag\":[\"x\",\"\",\"d1\",\"\"]}\n");
	assert_string_equal(rendered("{0}/{3}:v", 5, fields), "{\"tag\":[\"d1/7\",\"v\"]}\n");
	assert_string_equal(rendered("x:{3}%:{3:02}:n{3}", 5, fields), "{\"tag\":[\"x\",\"7%\",\"07\",\"n7\"]}\n");
}

static void what_is_for_people_is_a_text_of_its_own(void **state)
{
	const struct field fields[] = { field_s("d1"), field_s("why: so"), field_i(3) };

	(void)state;
	assert_string_equal(rendered("e:{2}:{0}: Read error: {1} {2}", 3, fields),
			    "{\"tag\":[\"e\",3,\"d1\"],\"text\":\"Read error: why: so 3\"}\n");
}

static void lines_of_a_tag_are_lines(void **state)
{
	const struct field fields[] = { field_i(1), field_i(2) };

	(void)state;
	assert_string_equal(rendered("a:{0}\nb:{1}: t\nc", 2, fields),
			    "{\"tag\":[\"a\",1]}\n{\"tag\":[\"b\",2],\"text\":\"t\"}\n{\"tag\":[\"c\"]}\n");
}

static void what_is_no_utf8_and_no_number_is_still_json(void **state)
{
	const struct field fields[] = { field_s("\xc3\xa4\xff\xc0\x80\xed\xa0\x80\xf0\x9f\x98\x80\xe2\x82\"\n\x7f"),
					field_d(1.0 / 0.0) };

	(void)state;
	assert_string_equal(rendered("n:{0}", 2, fields),
			    "{\"tag\":[\"n\",\"\xc3\xa4\\udcff\\udcc0\\udc80\\udced\\udca0\\udc80\xf0\x9f\x98\x80\\udce2"
			    "\\udc82\\\"\\u000a\\u007f\"]}\n");
	assert_string_equal(rendered("n:{1}", 2, fields), "{\"tag\":[\"n\",\"inf\"]}\n");
}

static void a_message_has_its_level_and_no_empty_lines(void **state)
{
	const struct field fields[] = { field_s("x \"y\"") };

	(void)state;
	buf_clear(&out);
	json_render_message(&out, "status", "\nfirst {0}\n\nsecond", 1, fields);
	assert_string_equal(out.data, "{\"tag\":[\"msg\",\"status\"],\"text\":\"first x \\\"y\\\"\"}\n"
				      "{\"tag\":[\"msg\",\"status\"],\"text\":\"second\"}\n");
}

static void stdout_has_json_and_nothing_else_and_stderr_what_is_fatal(void **state)
{
	static struct capture captured;

	(void)state;
	capture_begin(&captured, false);
	assert_int_equal(report_open(&(struct report_options){ .json = true, .verbosity = -5 }), 0);
	assert_true(report_has_log());
	assert_true(report_gui());
	report(EV_EVERYTHING_OK);
	report(EV_LOCK_HELD, "/c.lock");
	report_close();
	capture_end(&captured);
	assert_string_equal(captured.text[0],
			    "{\"tag\":[\"msg\",\"status\"],\"text\":\"Everything OK\"}\n"
			    "{\"tag\":[\"msg\",\"fatal\"],\"text\":\"SnapRAID is already in use! Another run holds the "
			    "lock '/c.lock'. Wait until it ends.\"}\n");
	assert_non_null(strstr(captured.text[1], "already in use"));
}

static int free_out(void **state)
{
	(void)state;
	buf_done(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tag_is_an_array_of_its_name_and_fields),
		cmocka_unit_test(what_is_for_people_is_a_text_of_its_own),
		cmocka_unit_test(lines_of_a_tag_are_lines),
		cmocka_unit_test(what_is_no_utf8_and_no_number_is_still_json),
		cmocka_unit_test(a_message_has_its_level_and_no_empty_lines),
		cmocka_unit_test(stdout_has_json_and_nothing_else_and_stderr_what_is_fatal),
	};

	return cmocka_run_group_tests(tests, NULL, free_out);
}
