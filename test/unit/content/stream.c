/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "content/stream.h"

static const struct {
	uint64_t value;
	const char *bytes;
	size_t size;
} known[] = {
	{ 0, "\x80", 1 },
	{ 5, "\x85", 1 },
	{ 127, "\xff", 1 },
	{ 128, "\x00\x81", 2 },
	{ 3000, "\x38\x97", 2 },
	{ 262144, "\x00\x00\x90", 3 },
	{ 1577934245, "\x25\x3b\x35\x70\x85", 5 },
	{ UINT32_MAX, "\x7f\x7f\x7f\x7f\x8f", 5 },
	{ UINT64_MAX, "\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x81", 10 },
	{ (uint64_t)-152391233, "\x3f\x63\x2a\x37\x7f\x7f\x7f\x7f\x7f\x81", 10 },
};

static void known_integers_go_both_ways(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const uint8_t *bytes = (const uint8_t *)known[i].bytes;
		struct cursor in = { bytes, bytes + known[i].size, false };
		struct sink sink;
		uint64_t value;

		assert_int_equal(stream_integer(&in, 64, &value), STREAM_OK);
		assert_int_equal(value, known[i].value);
		assert_ptr_equal(in.at, in.end);
		sink_init(&sink, NULL, 0);
		sink_integer(&sink, known[i].value);
		assert_int_equal(sink.used, known[i].size);
		assert_memory_equal(sink.data, bytes, known[i].size);
		sink_done(&sink);
	}
}

static enum stream_result read_bytes(const char *bytes, size_t size, unsigned bits)
{
	struct cursor in = { (const uint8_t *)bytes, (const uint8_t *)bytes + size, false };
	uint64_t value;

	return stream_integer(&in, bits, &value);
}

static void integers_that_end_too_late_or_never_are_refused(void **state)
{
	(void)state;
	assert_int_equal(read_bytes("\x08\x80", 2, 32), STREAM_OK);
	assert_int_equal(read_bytes("", 0, 32), STREAM_END);
	assert_int_equal(read_bytes("\x01", 1, 32), STREAM_END);
	assert_int_equal(read_bytes("\x7f\x7f\x7f\x7f\x90", 5, 32), STREAM_TOO_LONG);
	assert_int_equal(read_bytes("\x01\x01\x01\x01\x01\x80", 6, 32), STREAM_TOO_LONG);
	assert_int_equal(read_bytes("\x01\x01\x01\x01\x01\x80", 6, 64), STREAM_OK);
	assert_int_equal(read_bytes("\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x82", 10, 64), STREAM_TOO_LONG);
	assert_int_equal(read_bytes("\1\1\1\1\1\1\1\1\1\1\x80", 11, 64), STREAM_TOO_LONG);
}

static void a_sink_writes_all_copies_with_the_checksum_at_the_end(void **state)
{
	char name[2][32] = { "/tmp/sink-XXXXXX", "/tmp/sink-XXXXXX" };
	int fd[2] = { mkstemp(name[0]), mkstemp(name[1]) };
	size_t size = ((size_t)5 << 19) + 3;
	uint8_t *data = malloc(size), *back = malloc(size + 4);
	struct sink sink;
	uint32_t crc;

	(void)state;
	for (size_t i = 0; i < size; i++)
		data[i] = (uint8_t)(i * 7 + i / 1000);
	sink_init(&sink, fd, 2);
	sink_byte(&sink, data[0]);
	sink_bytes(&sink, data + 1, size - 1);
	assert_int_equal(sink_finish(&sink), 0);
	crc = crc32c(0, data, size);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pread(fd[i], back, size + 4, 0), (ssize_t)size + 4);
		assert_memory_equal(back, data, size);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(back[size + k], (uint8_t)(crc >> 8 * k));
		assert_int_equal(crc32c(0, back, size + 4), sink.crc);
		assert_int_equal(sink.size, size + 4);
		close(fd[i]);
		unlink(name[i]);
	}
	sink_done(&sink);
	free(data);
	free(back);
}

static void a_failed_copy_is_named(void **state)
{
	int fd[2] = { open("/dev/null", O_WRONLY), open("/dev/full", O_WRONLY) };
	struct sink sink;

	(void)state;
	sink_init(&sink, fd, 2);
	sink_string(&sink, "text");
	assert_int_equal(sink_finish(&sink), -1);
	assert_int_equal(sink.failed, 1);
	assert_int_not_equal(sink.error, 0);
	sink_done(&sink);
	close(fd[0]);
	close(fd[1]);
}

/* Larger than what is written at once, so that each has its thread. */
static void a_copy_that_fails_does_not_keep_the_others_from_being_whole(void **state)
{
	char name[2][32] = { "/tmp/sink-XXXXXX", "/tmp/sink-XXXXXX" };
	int fd[3] = { mkstemp(name[0]), open("/dev/full", O_WRONLY), mkstemp(name[1]) };
	size_t size = (size_t)3 << 20;
	uint8_t *data = calloc(size, 1);
	struct sink sink;

	(void)state;
	sink_init(&sink, fd, 3);
	for (int i = 0; i < 4; i++)
		sink_bytes(&sink, data, size);
	assert_int_equal(sink_finish(&sink), -1);
	assert_int_equal(sink.failed, 1);
	assert_int_equal(sink.error, ENOSPC);
	for (int i = 0; i < 3; i += 2)
		assert_int_equal(lseek(fd[i], 0, SEEK_END), (off_t)(4 * size + 4));
	sink_done(&sink);
	for (int i = 0; i < 3; i++)
		close(fd[i]);
	for (int i = 0; i < 2; i++)
		unlink(name[i]);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_integers_go_both_ways),
		cmocka_unit_test(integers_that_end_too_late_or_never_are_refused),
		cmocka_unit_test(a_sink_writes_all_copies_with_the_checksum_at_the_end),
		cmocka_unit_test(a_failed_copy_is_named),
		cmocka_unit_test(a_copy_that_fails_does_not_keep_the_others_from_being_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
