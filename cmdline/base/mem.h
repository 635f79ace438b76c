/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that is there or ends the run.
 *
 * No function returns NULL: without memory the process aborts with a message, which is safe as every
 * moment of a run survives SIGKILL. A length that comes from a disk is checked before it allocates.
 * All but the arena is released with free(). */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/types.h"

void *mem_alloc(size_t size);
void *mem_zalloc(size_t size);
void *mem_realloc(void *old, size_t size);	/* old may be NULL */
void *mem_dup(const void *data, size_t size);
char *mem_strdup(const char *text);
char *mem_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Memory aligned to `align` (a power of two, at least 64), huge pages asked for when it is large. Not zeroed: whoever
 * fills it touches it first. */
void *mem_aligned(size_t size, size_t align);

bool mem_is_zero(const void *data, size_t size);	/* all bytes, or none */

/* Make room for one more element in a growing array: `*array` has `count` elements, `*room` allocated.
 * Use: mem_grow(&list, count, &room, sizeof *list); list[count++] = x; */
void mem_grow(void *array, size_t count, size_t *room, size_t element_size);

/* Many small objects that live as long as the arena. Not thread safe. */
struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *arena);		/* NULL is fine */
/* Not zeroed; align is a power of two, <= 64. */
void *arena_alloc(struct arena *arena, size_t size, size_t align);
void *arena_zalloc(struct arena *arena, size_t size);	/* zeroed, for any object */
char *arena_strdup(struct arena *arena, const char *text);

#endif
