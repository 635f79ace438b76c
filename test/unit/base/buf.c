/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static void added_pieces_follow_each_other_and_end_with_nul(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	buf_str(&buf, "ab");
	buf_char(&buf, 'c');
	buf_add(&buf, "d\0e", 3);
	buf_printf(&buf, "%s-%d", "f", 7);
	assert_int_equal(buf.size, 9);
	assert_memory_equal(buf.data, "abcd\0ef-7", 10);
	buf_done(&buf);
	assert_null(buf.data);
	assert_int_equal(buf.size, 0);
	assert_int_equal(buf.room, 0);
}

static void adding_nothing_still_gives_a_string(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	buf_add(&buf, NULL, 0);
	assert_string_equal(buf.data, "");
	assert_int_equal(buf.size, 0);
	buf_done(&buf);
}

static void it_grows_byte_by_byte_without_losing_any(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	for (unsigned i = 0; i < 100000; ++i)
		buf_char(&buf, (char)(i % 251));
	assert_int_equal(buf.size, 100000);
	for (unsigned i = 0; i < 100000; ++i)
		assert_int_equal((unsigned char)buf.data[i], i % 251);
	assert_int_equal(buf.data[100000], 0);
	buf_done(&buf);
}

static void a_long_formatted_text_fits(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	buf_printf(&buf, "%0*d", 3000, 5);
	assert_int_equal(buf.size, 3000);
	assert_int_equal(strlen(buf.data), 3000);
	assert_int_equal(buf.data[2999], '5');
	buf_done(&buf);
}

static void numbers_are_filled_up_in_front(void **state)
{
	struct buf buf = { 0 };

	(void)state;
	buf_decimal(&buf, 0, 0, ' ');
	buf_decimal(&buf, 7, 3, ' ');
	buf_decimal(&buf, 42, 2, '0');
	buf_decimal(&buf, 42, 5, '0');
	buf_decimal(&buf, UINT64_MAX, 4, '0');
	assert_string_equal(buf.data, "0  7420004218446744073709551615");
	buf_clear(&buf);
	buf_decimal(&buf, 1, 100, ' ');
	assert_int_equal(buf.size, 100);
	assert_string_equal(buf.data + 98, " 1");
	buf_done(&buf);
}

static void clear_empties_and_keeps_the_memory(void **state)
{
	struct buf buf = { 0 };
	size_t room;

	(void)state;
	buf_clear(&buf);
	buf_str(&buf, "something");
	room = buf.room;
	buf_clear(&buf);
	assert_string_equal(buf.data, "");
	assert_int_equal(buf.size, 0);
	assert_int_equal(buf.room, room);
	buf_done(&buf);
}

static void a_cursor_reads_up_to_the_last_byte(void **state)
{
	static const uint8_t data[] = { 1, 2, 3 };
	struct cursor c = { .at = data, .end = data + 3 };

	(void)state;
	assert_int_equal(cursor_byte(&c), 1);
	assert_ptr_equal(cursor_bytes(&c, 0), data + 1);
	assert_ptr_equal(cursor_bytes(&c, 2), data + 1);
	assert_false(c.bad);
	assert_ptr_equal(c.at, c.end);
}

static void a_cursor_past_the_end_gives_zeros_and_stays_bad(void **state)
{
	static const uint8_t data[] = { 1, 2, 3 };
	struct cursor c = { .at = data, .end = data + 3 };

	(void)state;
	assert_null(cursor_bytes(&c, 4));
	assert_true(c.bad);
	assert_int_equal(cursor_byte(&c), 0);
	assert_null(cursor_bytes(&c, SIZE_MAX));
	assert_true(c.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(added_pieces_follow_each_other_and_end_with_nul),
		cmocka_unit_test(adding_nothing_still_gives_a_string),
		cmocka_unit_test(it_grows_byte_by_byte_without_losing_any),
		cmocka_unit_test(a_long_formatted_text_fits),
		cmocka_unit_test(numbers_are_filled_up_in_front),
		cmocka_unit_test(clear_empties_and_keeps_the_memory),
		cmocka_unit_test(a_cursor_reads_up_to_the_last_byte),
		cmocka_unit_test(a_cursor_past_the_end_gives_zeros_and_stays_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
