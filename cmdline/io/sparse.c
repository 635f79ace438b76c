/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/sparse.h"

#include "base/mem.h"
#include "os/attr.h"
#include "os/file.h"

/* How many bytes at the beginning of `data` are written, or left out, in one go. */
static uint32_t run_length(const uint8_t *data, uint32_t bytes, bool *hole)
{
	uint32_t size = 0;

	*hole = bytes >= SPARSE_PAGE && mem_is_zero(data, SPARSE_PAGE);
	while (bytes - size >= SPARSE_PAGE && mem_is_zero(data + size, SPARSE_PAGE) == *hole)
		size += SPARSE_PAGE;
	/* Less than a page is left: it goes with the data before it. */
	return !*hole && bytes - size < SPARSE_PAGE ? bytes : size;
}

int sparse_write(int fd, const uint8_t *data, uint32_t bytes, uint64_t offset)
{
	uint32_t size;
	bool hole;

	for (uint32_t at = 0; at < bytes; at += size) {
		size = run_length(data + at, bytes - at, &hole);
		if ((!hole || os_punch(fd, offset + at, size) < 0) && os_pwrite_all(fd, data + at, size, offset + at) < 0)
			return -1;
	}
	return 0;
}
