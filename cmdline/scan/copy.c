/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files whose data is recorded already under another name or on another disk. behaviour.md 3.3.
 *
 * A time with nanoseconds is all but unique, so size, time and name tell a copy wherever it lies. Without
 * them many files share a time: then the whole path has to be the same too. The copied hashes are a
 * promise only: sync reads the file and compares. */
#include <stdlib.h>
#include <string.h>

#include "array/place.h"
#include "base/path.h"
#include "scan/inside.h"
#include "tommyds/tommyhashdyn.h"

/* A recorded file by what is told of it. */
struct origin {
	struct tommy_hashdyn_node node;
	const struct disk *disk;
	struct file *file;
};

struct origins {
	struct tommy_hashdyn table;	/* equal ones in the order of the configuration */
	struct origin *origin;
};

/* The part of the path that has to be the same. */
static const char *key_name(const char *path, const struct stamp *stamp)
{
	return stamp->mtime_nsec == 0 || stamp->mtime_nsec == NSEC_UNKNOWN ? path : path_name(path);
}

static uint64_t key_hash(const char *path, const struct stamp *stamp)
{
	const char *name = key_name(path, stamp);
	uint64_t hash = tommy_hash_bytes(name, strlen(name));

	hash = tommy_hash_u64(hash ^ stamp->size);
	hash = tommy_hash_u64(hash ^ (uint64_t)stamp->mtime_sec);
	return tommy_hash_u64(hash ^ stamp->mtime_nsec);
}

static bool is_candidate(const struct found *found)
{
	return found->kind == FOUND_FILE && (found->as == AS_ADDED || found->as == AS_UPDATED) &&
	       found->stamp.size > 0;
}

static bool any_candidate(const struct scan *scan)
{
	for (const struct tree *tree = scan->tree; tree < scan->tree + scan->tree_count; ++tree)
		for (size_t i = 0; i < tree->count; ++i)
			if (is_candidate(&tree->found[i]))
				return true;
	return false;
}

static size_t recorded_count(const struct scan *scan)
{
	size_t count = 0;

	for (unsigned i = 0; i < scan->tree_count; ++i)
		count += scan->tree[i].disk->file_count;
	return count;
}

static void origins_make(struct origins *origins, const struct scan *scan, size_t count)
{
	struct origin *origin = mem_alloc(count * sizeof(*origin));

	origins->origin = origin;
	tommy_hashdyn_init(&origins->table);
	for (unsigned i = 0; i < scan->tree_count; ++i) {
		const struct disk *disk = scan->tree[i].disk;

		for (const struct tommy_node *n = tommy_list_head(&disk->files); n != NULL; n = n->next) {
			struct file *file = n->data;

			origin->disk = disk;
			origin->file = file;
			tommy_hashdyn_insert(&origins->table, &origin->node, origin,
					     key_hash(file->path, &file->stamp));
			++origin;
		}
	}
}

static void origins_done(struct origins *origins)
{
	tommy_hashdyn_done(&origins->table);
	free(origins->origin);
}

static bool is_origin(const struct origin *origin, const struct found *found)
{
	const struct file *file = origin->file;

	return stamp_equal(&file->stamp, &found->stamp) &&
	       strcmp(key_name(file->path, &file->stamp), key_name(found->path, &found->stamp)) == 0;
}

static void copy_find(const struct origins *origins, const struct array *array, struct found *found)
{
	const struct tommy_hashdyn_node *node =
		tommy_hashdyn_first(&origins->table, key_hash(found->path, &found->stamp));

	for (; node != NULL; node = tommy_hashdyn_next(node)) {
		struct origin *origin = node->data;

		if (!is_origin(origin, found))
			continue;
		found->hashes = place_hashes(array, origin->disk, origin->file);
		if (found->hashes == NULL)
			continue;
		found->source = origin->file;
		found->source_disk = origin->disk;
		found->as = AS_COPIED;
		if (origin->file->mark == FATE_GONE || origin->file->mark == FATE_RELOCATED) {
			found->as = AS_RELOCATED;
			origin->file->mark = FATE_RELOCATED;
		}
		return;
	}
}

void copies_find(struct scan *scan)
{
	size_t recorded = recorded_count(scan);
	struct origins origins;

	if (scan->options.nocopy || recorded == 0 || !any_candidate(scan))
		return;
	origins_make(&origins, scan, recorded);
	for (struct tree *tree = scan->tree; tree < scan->tree + scan->tree_count; ++tree)
		for (size_t i = 0; i < tree->count; ++i)
			if (is_candidate(&tree->found[i]))
				copy_find(&origins, scan->array, &tree->found[i]);
	origins_done(&origins);
}
