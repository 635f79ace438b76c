/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/path.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void assert_result(char *result, const char *expected)
{
	assert_string_equal(result, expected);
	free(result);
}

static void join_puts_one_slash_between(void **state)
{
	(void)state;
	assert_result(path_join("a", "b"), "a/b");
	assert_result(path_join("a/", "b"), "a/b");
	assert_result(path_join("a//", "/b/c"), "a/b/c");
	assert_result(path_join("/", "b"), "/b");
	assert_result(path_join("", "b"), "b");
	assert_result(path_join("/mnt/d 1", "x\ny"), "/mnt/d 1/x\ny");
}

static void suffix_and_slash_are_added_at_the_end(void **state)
{
	(void)state;
	assert_result(path_add_suffix("/a/b", ".tmp"), "/a/b.tmp");
	assert_result(path_with_slash("/a/b"), "/a/b/");
	assert_result(path_with_slash("/a/b//"), "/a/b/");
	assert_result(path_with_slash("/"), "/");
}

static void parent_and_name_split_at_the_last_slash(void **state)
{
	static const struct {
		const char *path, *parent, *name;
	} row[] = {
		{ "a/b", "a", "b" },	  { "a", "", "a" },	{ "/a", "/", "a" },	 { "/", "/", "" },
		{ "//a", "/", "a" },	  { "a//b", "a", "b" }, { "/a/b/c", "/a/b", "c" }, { "", "", "" },
		{ "a/b/", "a/b", "" },
	};

	(void)state;
	for (unsigned i = 0; i < LENGTH(row); ++i) {
		assert_result(path_parent(row[i].path), row[i].parent);
		assert_result(path_dir(row[i].path), row[i].parent[0] != '\0' ? row[i].parent : ".");
		assert_string_equal(path_name(row[i].path), row[i].name);
	}
}

static void only_paths_that_stay_below_a_root_are_safe(void **state)
{
	static const char *const safe[] = {
		"a", "a/b", "...", "a/...", ".a/..b", "a b\n/\xff", "..a", "a./b.."
	};
	static const char *const unsafe[] = {
		"", "/", "/a", "a/", "a//b", ".", "..", "./a", "../a", "a/.", "a/..", "a/./b", "a/../b"
	};

	(void)state;
	for (unsigned i = 0; i < LENGTH(safe); ++i)
		assert_true(path_is_safe(safe[i], strlen(safe[i])));
	for (unsigned i = 0; i < LENGTH(unsafe); ++i)
		assert_false(path_is_safe(unsafe[i], strlen(unsafe[i])));
}

static void safety_looks_at_exactly_size_bytes(void **state)
{
	static const char no_nul[3] = { 'a', '/', 'b' };

	(void)state;
	assert_true(path_is_safe(no_nul, 3));
	assert_false(path_is_safe(no_nul, 2));
	assert_true(path_is_safe("a/..", 3 - 2));
	assert_false(path_is_safe("a\0b", 3));
	assert_false(path_is_safe("a", 2));
}

static void assert_escape(void (*escape)(struct buf *, const char *), const char *text, const char *expected)
{
	struct buf buf = { 0 };

	buf_str(&buf, ">");
	escape(&buf, text);
	assert_string_equal(buf.data + 1, expected);
	buf_done(&buf);
}

static void tag_fields_escape_what_ends_a_field_or_line(void **state)
{
	(void)state;
	assert_escape(path_escape_tag, "a:b\\c\nd\re f\t\xff", "a\\db\\\\c\\nd\\re f\t\xff");
	assert_escape(path_escape_tag, "", "");
}

static void shell_escapes_every_special_byte_and_no_other(void **state)
{
	static const char special[] = " \t\n\r~`#$&*()\\|[]{};'\"<>?=!";
	struct buf expected = { 0 };

	(void)state;
	for (unsigned c = 1; c < 256; ++c) {
		const char text[2] = { (char)c, '\0' };

		buf_clear(&expected);
		if (strchr(special, (int)c) != NULL)
			buf_char(&expected, '\\');
		buf_str(&expected, text);
		assert_escape(path_escape_shell, text, expected.data);
	}
	buf_done(&expected);
}

static void terminal_shows_control_bytes_and_invalid_utf8_as_hex(void **state)
{
	static const struct {
		const char *text, *expected;
	} row[] = {
		{ "plain \\ text", "plain \\ text" },
		{ "a\nb\x1b[2J\x7f", "a\\x0ab\\x1b[2J\\x7f" },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "\xc2\x9b", "\\xc2\\x9b" },				/* C1 control */
		{ "\xc2\xa0", "\xc2\xa0" },				/* the first character after C1 */
		{ "\xc0\xaf", "\\xc0\\xaf" },				/* overlong */
		{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf" },			/* overlong */
		{ "\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf" },		/* overlong */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },			/* surrogate */
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },		/* over U+10FFFF */
		{ "\xff\xfe", "\\xff\\xfe" },
		{ "x\xe2\x82", "x\\xe2\\x82" },				/* cut short by the end */
		{ "\xe2\x82z", "\\xe2\\x82z" },
		{ "\x80", "\\x80" },
	};

	(void)state;
	for (unsigned i = 0; i < LENGTH(row); ++i)
		assert_escape(path_escape_terminal, row[i].text, row[i].expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(join_puts_one_slash_between),
		cmocka_unit_test(suffix_and_slash_are_added_at_the_end),
		cmocka_unit_test(parent_and_name_split_at_the_last_slash),
		cmocka_unit_test(only_paths_that_stay_below_a_root_are_safe),
		cmocka_unit_test(safety_looks_at_exactly_size_bytes),
		cmocka_unit_test(tag_fields_escape_what_ends_a_field_or_line),
		cmocka_unit_test(shell_escapes_every_special_byte_and_no_other),
		cmocka_unit_test(terminal_shows_control_bytes_and_invalid_utf8_as_hex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
