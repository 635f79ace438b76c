/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers for tests which end at a page that nobody may touch; those of whole pages begin after one, too. */
#ifndef TEST_UNIT_RAID_GUARD_H
#define TEST_UNIT_RAID_GUARD_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define GUARD_PAGE 4096

static inline size_t guard_room(size_t size)
{
	return (size + GUARD_PAGE - 1) / GUARD_PAGE * GUARD_PAGE;
}

/* `size` bytes, a multiple of 64: so that the end of the pages is the end of the buffer. */
static inline void *guard_alloc(size_t size)
{
	size_t room = guard_room(size);
	uint8_t *page = mmap(NULL, room + 2 * GUARD_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || mprotect(page + GUARD_PAGE, room, PROT_READ | PROT_WRITE) != 0)
		abort();
	return page + GUARD_PAGE + room - size;
}

static inline void guard_free(void *buffer, size_t size)
{
	size_t room = guard_room(size);

	munmap((uint8_t *)buffer + size - room - GUARD_PAGE, room + 2 * GUARD_PAGE);
}

/* Make a buffer, whose size is a multiple of the page, readable only; and writable again. */
static inline void guard_freeze(void *buffer, size_t size, int frozen)
{
	if (mprotect(buffer, size, frozen ? PROT_READ : PROT_READ | PROT_WRITE) != 0)
		abort();
}

/* Bytes that look random, the same for the same seed. */
static inline void guard_fill(void *buffer, size_t size, uint32_t seed)
{
	uint8_t *byte = buffer;

	seed = seed * 2654435761u + 1;
	for (size_t i = 0; i < size; ++i) {
		seed = seed * 1664525 + 1013904223;
		byte[i] = (uint8_t)(seed >> 24);
	}
}

#endif
