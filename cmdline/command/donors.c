/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/donors.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "os/file.h"
#include "tommyds/tommyhashdyn.h"

/* The hashes of all that the parity may still have, or have already, and that no file has at that place. */
struct pasts {
	const struct array *array;
	struct tommy_hashdyn table;
	struct arena *arena;
};

struct past_hash {
	struct tommy_hashdyn_node node;
	const uint8_t *hash;
};

static void pasts_add(struct pasts *pasts, const struct disk *disk)
{
	unsigned size = pasts->array->hash_size;

	for (struct extent *e = extent_from(disk->map, 0); e != NULL; e = extent_next(e)) {
		if (e->state != BLOCK_DELETED && e->state != BLOCK_CHG)
			continue;
		for (stripe_t at = e->at; at < e->at + e->count; at++) {
			struct past_hash *past;

			if (past_kind(extent_hash(disk->map, e, at), size) != PAST_HASH)
				continue;
			past = arena_alloc(pasts->arena, sizeof(*past), 8);
			past->hash = extent_hash(disk->map, e, at);
			tommy_hashdyn_insert(&pasts->table, &past->node, past, tommy_hash_bytes(past->hash, size));
		}
	}
}

static bool pasts_have(const struct pasts *pasts, const uint8_t *hash)
{
	unsigned size = pasts->array->hash_size;
	const struct tommy_hashdyn_node *node = tommy_hashdyn_first(&pasts->table, tommy_hash_bytes(hash, size));

	for (; node != NULL; node = tommy_hashdyn_next(node))
		if (memcmp(((const struct past_hash *)node->data)->hash, hash, size) == 0)
			return true;
	return false;
}

/* A REP block the parity may know by its old place only. A BLK block is of use where it moves to or comes from. */
static bool is_of_use(const struct pasts *pasts, const struct extent *extent, const uint8_t *hash)
{
	return extent->state == BLOCK_REP || (extent->state == BLOCK_BLK && pasts_have(pasts, hash));
}

static void tell_file(const struct pasts *pasts, struct donor *donor, int root_fd, const struct disk *disk,
		      const struct file *file)
{
	const struct array *array = pasts->array;

	for (const struct extent *e = file->extent; e != NULL; e = e->next)
		for (stripe_t i = 0; i < e->count; i++) {
			const uint8_t *hash = extent_hash(disk->map, e, e->at + i);
			block_t block = e->first + i;

			if (is_of_use(pasts, e, hash))
				donor_know(donor, root_fd, file->path, block * array->block_size,
					   file_block_bytes(file, block, array->block_size), hash);
		}
}

/* Files that went, or are going, to another place: their blocks are what is DELETED, or what was before, there where
 * they are not. */
static void tell_moved(const void *argument, struct donor *donor)
{
	const struct session *session = argument;
	const struct array *array = session->array;
	struct pasts pasts = { .array = array, .arena = arena_new() };

	tommy_hashdyn_init(&pasts.table);
	for (unsigned d = 0; d < array->disk_count; d++)
		pasts_add(&pasts, array->disk[d]);
	for (unsigned d = 0; d < array->disk_count; d++) {
		const struct disk *disk = array->disk[d];
		int root_fd = disk->column == COLUMN_NONE ? -1 : session->root_fd[disk->column];

		for (struct tommy_node *i = tommy_list_head(&disk->files); root_fd >= 0 && i != NULL; i = i->next)
			tell_file(&pasts, donor, root_fd, disk, i->data);
	}
	tommy_hashdyn_done(&pasts.table);
	arena_free(pasts.arena);
}

/* The directory of an option must be there: whoever names it counts on it. */
static int add_import(struct donor *donor, const char *dir)
{
	int fd;

	if (dir == NULL)
		return 0;
	fd = os_open_dir(dir);
	if (fd < 0) {
		report(EV_FIX_IMPORT, dir, strerror(errno));
		return -1;
	}
	os_close(fd);
	donor_add_dir(donor, dir);
	return 0;
}

struct donor *donors_of(const struct session *session)
{
	const struct options *options = session->options;
	const struct array *array = session->array;
	struct donor *donor = donor_new(array->block_size, array->hash_size);

	donor_add_key(donor, &array->hash);
	if (array->past_hash.kind != HASH_NONE)
		donor_add_key(donor, &array->past_hash);
	for (column_t i = 0; i < COLUMN_MAX && !options->force_nocopy; i++)
		if (session->root_fd[i] >= 0)
			donor_add_root(donor, session->root_fd[i]);
	donor_set_recorded(donor, tell_moved, session);
	if (add_import(donor, options->import) == 0 && add_import(donor, options->import_content) == 0)
		return donor;
	donor_free(donor);
	return NULL;
}
