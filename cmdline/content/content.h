/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The content file and its copies: array <-> bytes on disk. content-format.md of the specification.
 *
 * Loading looks at every copy (size and last four bytes), takes the newest one that proves whole, and tells
 * which are missing, stale or damaged. A copy that differs only in between is found by who asks for it. Saving never
 * leaves a moment without a whole file under each name.
 * Every length, count and path read is hostile until checked. */
#ifndef CONTENT_CONTENT_H
#define CONTENT_CONTENT_H

#include "array/array.h"

struct content;		/* a loaded file, mapped: the hashes of the array point into it */

struct content_load {
	const char *const *path;	/* copies in the order of the configuration */
	unsigned count;
	bool block_size_given, hash_size_given;	/* the configuration names them: a difference is refused */
	bool match_first_uuid;		/* --test-match-first-uuid */
	bool prove_copies;		/* begin to read all of them, while the work goes on */
};

enum content_result {
	CONTENT_LOADED,
	CONTENT_NONE,	/* no copy exists: the array is empty; said */
	CONTENT_BAD,	/* no copy can be used, or it does not fit the configuration; said */
};

/* Fill `array` (with the configured disks, their uuid_now if looked, and levels) from the copies. Sets
 * array->changed when a copy must be rewritten. `*content`, if not NULL, must be closed after the array is
 * freed, whatever the result. After CONTENT_BAD the array is good for nothing but array_free. */
enum content_result content_load(const struct content_load *load, struct array *array, struct content **content);
/* If it was asked for: wait until all other copies are read, tell of those that are damaged, and set array->changed for them.
 * `content` may be NULL. */
void content_prove_copies(struct content *content, struct array *array);
/* Tells the file from all others: its last bytes and its size; malloc. */
char *content_name(const struct content *content);
void content_close(struct content *content);	/* NULL is fine */

/* Write all copies: temporary name, fsync, read back and verify, rename, fsync of the directory; nothing is
 * renamed unless all were verified. A path that is a symbolic link stays one: the file behind it is replaced.
 * Calls array_forget_unused; clears array->changed. Every disk in use must have a column and the array a hash
 * kind. -1: said, every copy is whole, the old or the new one, and array->changed is set. */
int content_save(const char *const *path, unsigned count, struct array *array);
/* The same in two halves, for a save that another one follows in the same run: what goes on between them is not in the
 * files. Copies on several disks are read back from memory, as a disk that loses what it called durable costs one copy
 * only, until the next save; so the run does not wait for one more seek and reading of each. The array is read in the
 * first half only; `path` must outlive both. The disks work meanwhile; nothing has its name before the second half.
 * NULL, -1: said, as above, but array->changed is of the first half. Any thread may call the second one, once. */
struct saving;
struct saving *content_save_begin(const char *const *path, unsigned count, struct array *array);
int content_save_end(struct saving *saving);

/* For -C and tests: names and UUIDs of a content file without any configuration are decoded into a new
 * array (disks with dir ""). NULL: said. */
struct array *content_load_alone(const char *path, struct content **content);

#endif
