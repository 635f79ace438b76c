/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Packed integers and texts: what was put in comes out, in windows of any fill, and nothing is read over the end. */
#include "base/mem.h"
#include "content/pack.h"

#define COUNT	100000

/* Of all lengths, so that they lie across the ends of windows in every way. */
static uint64_t number(unsigned i)
{
	return UINT64_MAX >> i * 7 % 64;
}

static void pack(struct buf *stream)
{
	struct packer *packer = mem_alloc(sizeof(*packer));

	packer_begin(packer, stream);
	for (unsigned i = 0; i < COUNT; i++) {
		pack_integer(packer, number(i));
		pack_signed(packer, -(int64_t)i);
	}
	pack_string(packer, "the end");
	packer_end(packer);
	free(packer);
}

static void what_is_packed_comes_out(void **state)
{
	struct unpacker *unpacker = mem_alloc(sizeof(*unpacker));
	struct buf stream = { 0 }, text = { 0 };

	(void)state;
	pack(&stream);
	unpacker_begin(unpacker, (const uint8_t *)stream.data, stream.size);
	for (unsigned i = 0; i < COUNT; i++) {
		assert_int_equal(unpack_integer(unpacker), number(i));
		assert_int_equal(unpack_signed(unpacker), -(int64_t)i);
	}
	assert_false(unpacker_is_at_end(unpacker));
	unpack_string(unpacker, 7, &text);
	assert_string_equal(text.data, "the end");
	assert_true(unpacker_is_at_end(unpacker));
	assert_int_equal(unpack_integer(unpacker), 0);
	assert_true(unpacker->bad);
	unpacker_end(unpacker);
	free(unpacker);
	buf_done(&stream);
	buf_done(&text);
}

static void a_stream_that_is_cut_gives_zeros(void **state)
{
	struct unpacker *unpacker = mem_alloc(sizeof(*unpacker));
	struct buf stream = { 0 };
	unsigned good = 0;

	(void)state;
	pack(&stream);
	unpacker_begin(unpacker, (const uint8_t *)stream.data, stream.size / 2);
	while (unpack_integer(unpacker) == number(good) && unpack_signed(unpacker) == -(int64_t)good && !unpacker->bad)
		good++;
	assert_in_range(good, 1, COUNT - 1);
	assert_true(unpacker->bad);
	assert_int_equal(unpack_integer(unpacker), 0);
	assert_false(unpacker_is_at_end(unpacker));
	unpacker_end(unpacker);
	free(unpacker);
	buf_done(&stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_packed_comes_out),
		cmocka_unit_test(a_stream_that_is_cut_gives_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
