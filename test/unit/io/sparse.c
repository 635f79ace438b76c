/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/sparse.h"
#include "os/file.h"
#include "test/unit/os/scratch.h"

#define PAGES 8
#define MOST (PAGES * SPARSE_PAGE + SPARSE_PAGE)

static uint8_t data[MOST], found[2 * MOST];

/* Page i is zeros unless bit i is set. */
static void fill(unsigned mask)
{
	for (unsigned i = 0; i < MOST; i++)
		data[i] = mask >> (i / SPARSE_PAGE) & 1 ? (uint8_t)(i % 251 + 1) : 0;
}

static void whatever_is_written_is_what_is_read(void **state)
{
	(void)state;
	for (unsigned mask = 0; mask < 512; mask += 5) {
		uint32_t bytes = MOST - mask * 37 % MOST;
		int fd = open("file", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

		assert_true(fd >= 0);
		memset(found, 0xff, sizeof found);
		assert_int_equal(os_pwrite_all(fd, found, 2 * MOST, 0), 0);	/* what an earlier run has left */
		fill(mask);
		assert_int_equal(sparse_write(fd, data, bytes, 2 * SPARSE_PAGE), 0);
		assert_int_equal(os_pread_all(fd, found, 2 * MOST, 0), 2 * MOST);
		assert_int_equal(found[2 * SPARSE_PAGE - 1], 0xff);
		assert_memory_equal(found + 2 * SPARSE_PAGE, data, bytes);
		assert_int_equal(found[2 * SPARSE_PAGE + bytes], 0xff);
		close(fd);
	}
}

static void pages_of_zeros_take_no_room(void **state)
{
	int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct stat st;

	(void)state;
	fill(1);
	assert_int_equal(sparse_write(fd, data, PAGES * SPARSE_PAGE, 0), 0);
	fill(0);
	for (unsigned i = 1; i < 100; i++)
		assert_int_equal(sparse_write(fd, data, PAGES * SPARSE_PAGE, i * PAGES * SPARSE_PAGE), 0);
	assert_int_equal(os_truncate(fd, 100 * PAGES * SPARSE_PAGE), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_in_range(st.st_blocks, 1, 4 * SPARSE_PAGE / 512);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(whatever_is_written_is_what_is_read),
		in_scratch(pages_of_zeros_take_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
