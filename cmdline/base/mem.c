/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE	((size_t)2 << 20)
#define CHUNK_SIZE	((size_t)256 << 10)
#define CHUNKS_SMALL	16	/* from then on they are huge pages */
#define CHUNK_ALIGN	64

static _Noreturn void out_of_memory(size_t size)
{
	fprintf(stderr, "error: no memory for %zu bytes; nothing was lost, the run ends here\n", size);
	abort();
}

void *mem_alloc(size_t size)
{
	return mem_realloc(NULL, size);
}

void *mem_zalloc(size_t size)
{
	void *data = calloc(size > 0 ? size : 1, 1);

	if (data == NULL)
		out_of_memory(size);
	return data;
}

void *mem_realloc(void *old, size_t size)
{
	/* realloc() to nothing frees and may return NULL, which is no lack of memory. */
	void *data = realloc(old, size > 0 ? size : 1);

	if (data == NULL)
		out_of_memory(size);
	return data;
}

void *mem_dup(const void *data, size_t size)
{
	void *copy = mem_alloc(size);

	if (size > 0)
		memcpy(copy, data, size);
	return copy;
}

char *mem_strdup(const char *text)
{
	return mem_dup(text, strlen(text) + 1);
}

char *mem_printf(const char *format, ...)
{
	va_list args;
	char *text;
	int size;

	va_start(args, format);
	size = vasprintf(&text, format, args);
	va_end(args);
	if (size < 0)
		out_of_memory(strlen(format));
	return text;
}

void *mem_aligned(size_t size, size_t align)
{
	bool huge = size >= HUGE_PAGE;
	void *data;

	assert(align >= 64 && (align & (align - 1)) == 0);
	/* Only whole and aligned huge pages can be given, so a large buffer starts at one. */
	if (huge && align < HUGE_PAGE)
		align = HUGE_PAGE;
	if (posix_memalign(&data, align, size > 0 ? size : 1) != 0)
		out_of_memory(size);
	/* A wish: before the first touch, or the small pages are there already. */
	if (huge)
		madvise(data, size, MADV_HUGEPAGE);
	return data;
}

bool mem_is_zero(const void *data, size_t size)
{
	const char *bytes = data;

	return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

void mem_grow(void *array, size_t count, size_t *room, size_t element_size)
{
	size_t wanted, bytes;
	void *data;

	if (count < *room)
		return;
	wanted = *room < 8 ? 8 : *room * 2;
	if (__builtin_mul_overflow(wanted, element_size, &bytes))
		out_of_memory(SIZE_MAX);
	/* `array` points to a pointer of some type: copied as bytes, as C knows no such general pointer. */
	memcpy(&data, array, sizeof(data));
	data = mem_realloc(data, bytes);
	memcpy(array, &data, sizeof(data));
	*room = wanted;
}

/* A chunk is this head and, from CHUNK_ALIGN on, its bytes. */
struct chunk {
	struct chunk *next;
};

struct arena {
	struct chunk *chunks;
	unsigned count;		/* of chunks for small objects */
	char *at;		/* free bytes of the chunk in use: left, from at */
	size_t left;
};

struct arena *arena_new(void)
{
	return mem_zalloc(sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (arena == NULL)
		return;
	while (arena->chunks != NULL) {
		struct chunk *chunk = arena->chunks;

		arena->chunks = chunk->next;
		free(chunk);
	}
	free(arena);
}

static char *chunk_add(struct arena *arena, size_t size)
{
	struct chunk *chunk;
	void *data;

	if (size > SIZE_MAX - CHUNK_ALIGN)
		out_of_memory(size);
	data = mem_aligned(CHUNK_ALIGN + size, CHUNK_ALIGN);
	chunk = data;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return (char *)data + CHUNK_ALIGN;
}

void *arena_alloc(struct arena *arena, size_t size, size_t align)
{
	size_t skip = -(uintptr_t)arena->at & (align - 1);
	char *data;

	assert(align > 0 && align <= CHUNK_ALIGN && (align & (align - 1)) == 0);
	/* A large object gets its own chunk, and the one in use goes on being filled. */
	if (size > CHUNK_SIZE / 4)
		return chunk_add(arena, size);
	if (arena->at == NULL || skip > arena->left || size > arena->left - skip) {
		arena->left = (arena->count++ < CHUNKS_SMALL ? CHUNK_SIZE : 2 * HUGE_PAGE) - CHUNK_ALIGN;
		arena->at = chunk_add(arena, arena->left);
		skip = 0;
	}
	data = arena->at + skip;
	arena->at = data + size;
	arena->left -= skip + size;
	return data;
}

void *arena_zalloc(struct arena *arena, size_t size)
{
	return memset(arena_alloc(arena, size, _Alignof(max_align_t)), 0, size);
}

char *arena_strdup(struct arena *arena, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(arena_alloc(arena, size, 1), text, size);
}
