/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dup: files with the same data, told by their recorded hashes. Nothing is read from the disks. */
#include "command/command.h"

#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "tommyds/tommyhashdyn.h"

/* A file by what is in it: the hash of the hashes of its blocks. */
struct entry {
	struct tommy_hashdyn_node node;
	const struct disk *disk;
	const struct file *file;
	uint8_t digest[16];
};

static int same_data(const void *arg, const void *data)
{
	const struct entry *a = arg, *b = data;

	return a->file->stamp.size != b->file->stamp.size || memcmp(a->digest, b->digest, sizeof(a->digest)) != 0;
}

/* Are all these stripes of the same hash function? During a rehash there are two. */
static bool one_hash(const struct array *array, const struct extent *extent, const struct hash_key *key)
{
	stripe_t i;

	if (array->past_hash.kind == HASH_NONE)
		return true;
	for (i = 0; i < extent->count; ++i) {
		if (array_hash_at(array, extent->at + i) != key)
			return false;
	}
	return true;
}

/* The digest of a file, with `scratch` to work in. false: it is empty, or one of its blocks has no hash of
 * its data yet, or they were made with two functions. Files of different functions never match, for the
 * digest is made with the same function as the hashes. */
static bool digest_file(const struct array *array, const struct file *file, struct buf *scratch,
			uint8_t digest[16])
{
	const struct extent *extent;
	const struct hash_key *key;

	if (file->extent == NULL)
		return false;
	key = array_hash_at(array, file->extent->at);
	buf_clear(scratch);
	for (extent = file->extent; extent != NULL; extent = extent->next) {
		if (!block_has_current_hash(extent->state) || !one_hash(array, extent, key))
			return false;
		buf_add(scratch, extent->hash, extent->count * array->hash_size);
	}
	hash_block(key, scratch->data, scratch->size, digest);
	return true;
}

int command_dup(struct session *session)
{
	const struct array *array = session->array;
	struct arena *arena = arena_new();
	struct buf scratch = { 0 };
	struct tommy_hashdyn seen;
	uint64_t count = 0, bytes = 0;
	unsigned d;

	report(EV_DUP_BEGIN);
	tommy_hashdyn_init(&seen);
	for (d = 0; d < array->disk_count; ++d) {
		const struct disk *disk = array->disk[d];
		const struct tommy_node *node;

		for (node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
			struct entry entry = { .disk = disk, .file = node->data };
			struct entry *first;
			uint64_t hash;

			if (!digest_file(array, entry.file, &scratch, entry.digest))
				continue;
			hash = tommy_hash_bytes(entry.digest, sizeof(entry.digest));
			first = tommy_hashdyn_search(&seen, same_data, &entry, hash);
			if (first == NULL) {
				first = arena_alloc(arena, sizeof(*first), _Alignof(struct entry));
				*first = entry;
				tommy_hashdyn_insert(&seen, &first->node, first, hash);
				continue;
			}
			report(EV_DUP_FILE, disk->name, entry.file->path, first->disk->name, first->file->path,
			       entry.file->stamp.size);
			count++;
			bytes += entry.file->stamp.size;
		}
	}
	report(EV_DUP_END, count, bytes / GB, bytes);
	report(count > 0 ? EV_DUP_SOME : EV_DUP_NONE);
	report(EV_SHOW_EXIT, count > 0 ? "dup" : "unique");

	tommy_hashdyn_done(&seen);
	buf_done(&scratch);
	arena_free(arena);
	return 0;
}
