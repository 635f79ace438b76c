/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the vectors in test/vectors, for tests: all failures end the test. */
#ifndef TEST_UNIT_RAID_VECTORS_H
#define TEST_UNIT_RAID_VECTORS_H

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The vectors of one file; json_object_put() it. */
static inline struct json_object *vectors_load(const char *name)
{
	const char *srcdir = getenv("srcdir");
	struct json_object *vectors;
	char path[4096];

	snprintf(path, sizeof(path), "%s/test/vectors/%s", srcdir != NULL ? srcdir : ".", name);
	vectors = json_object_from_file(path);
	if (vectors == NULL) {
		fprintf(stderr, "cannot read %s\n", path);
		abort();
	}
	return vectors;
}

static inline struct json_object *vectors_get(struct json_object *object, const char *name)
{
	struct json_object *value = json_object_object_get(object, name);

	if (value == NULL) {
		fprintf(stderr, "no '%s' in the vectors\n", name);
		abort();
	}
	return value;
}

static inline unsigned vectors_count(struct json_object *list)
{
	return (unsigned)json_object_array_length(list);
}

static inline struct json_object *vectors_at(struct json_object *list, unsigned i)
{
	return json_object_array_get_idx(list, i);
}

static inline unsigned vectors_number(struct json_object *object, const char *name)
{
	return (unsigned)json_object_get_int(vectors_get(object, name));
}

/* Fill `numbers` from a list of at most `room`; returns how many. */
static inline unsigned vectors_numbers(struct json_object *list, unsigned *numbers, unsigned room)
{
	unsigned count = vectors_count(list);

	if (count > room)
		abort();
	for (unsigned i = 0; i < count; ++i)
		numbers[i] = (unsigned)json_object_get_int(vectors_at(list, i));
	return count;
}

/* The bytes of a string of exactly `size` in hex. */
static inline void vectors_bytes(struct json_object *text, unsigned char *bytes, size_t size)
{
	const char *hex = json_object_get_string(text);

	if (strlen(hex) != 2 * size)
		abort();
	for (size_t i = 0; i < size; ++i)
		if (sscanf(hex + 2 * i, "%2hhx", &bytes[i]) != 1)
			abort();
}

#endif
