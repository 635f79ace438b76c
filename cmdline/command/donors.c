/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/donors.h"

#include <errno.h>
#include <string.h>

#include "base/sieve.h"
#include "os/file.h"
#include "tommyds/tommyhashdyn.h"

/* Take in the hashes of all that the parity may still have, or have already, and that no file has at that place; `pasts`
 * NULL: none. Returns how many there are. */
static uint64_t add_pasts(const struct array *array, const struct disk *disk, struct sieve *pasts)
{
	uint64_t count = 0;

	for (struct extent *e = extent_from(disk->map, 0); e != NULL; e = extent_next(e)) {
		if (e->state != BLOCK_DELETED && e->state != BLOCK_CHG)
			continue;
		for (stripe_t at = e->at; at < e->at + e->count; at++) {
			const uint8_t *hash = extent_hash(disk->map, e, at);

			if (past_kind(hash, array->hash_size) != PAST_HASH)
				continue;
			count++;
			if (pasts != NULL)
				sieve_add(pasts, tommy_hash_bytes(hash, array->hash_size));
		}
	}
	return count;
}

/* The set of them. */
static struct sieve *pasts_new(const struct array *array)
{
	struct sieve *pasts;
	uint64_t count = 0;

	for (unsigned d = 0; d < array->disk_count; d++)
		count += add_pasts(array, array->disk[d], NULL);
	pasts = sieve_new(count);
	for (unsigned d = 0; d < array->disk_count; d++)
		add_pasts(array, array->disk[d], pasts);
	return pasts;
}

/* A REP block that was promised the parity may know by its old place only. One that was synced is of use where it moves to
 * or comes from. */
static bool is_of_use(const struct array *array, const struct sieve *pasts, const struct extent *extent,
		      const uint8_t *hash)
{
	if (!file_was_synced(extent->file, extent->state))
		return extent->state == BLOCK_REP;
	return sieve_may_have(pasts, tommy_hash_bytes(hash, array->hash_size));
}

static void tell_file(const struct array *array, const struct sieve *pasts, struct donor *donor, int root_fd,
		      const struct disk *disk, const struct file *file)
{
	for (const struct extent *e = file->extent; e != NULL; e = e->next)
		for (stripe_t i = 0; i < e->count; i++) {
			const uint8_t *hash = extent_hash(disk->map, e, e->at + i);
			block_t block = e->first + i;

			if (is_of_use(array, pasts, e, hash))
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
	struct sieve *pasts = pasts_new(array);

	for (unsigned d = 0; d < array->disk_count; d++) {
		const struct disk *disk = array->disk[d];
		int root_fd = disk->column == COLUMN_NONE ? -1 : session->root_fd[disk->column];

		for (struct tommy_node *i = tommy_list_head(&disk->files); root_fd >= 0 && i != NULL; i = i->next)
			tell_file(array, pasts, donor, root_fd, disk, i->data);
	}
	sieve_free(pasts);
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
