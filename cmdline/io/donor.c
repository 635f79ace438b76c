/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/donor.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "os/dir.h"
#include "os/file.h"
#include "os/thread.h"
#include "tommyds/tommyhashdyn.h"

#define KEY_MAX 2

struct place {
	int root_fd;		/* -1: not there */
	bool own;		/* opened here */
	bool by_content;
};

/* A file by its stamp. */
struct candidate {
	struct tommy_hashdyn_node node;
	const struct place *place;
	const char *path;
	struct stamp stamp;
};

/* A block by its content. */
struct content {
	struct tommy_hashdyn_node node[KEY_MAX];
	const struct candidate *candidate;
	uint64_t offset;
	uint32_t bytes;
};

struct donor {
	uint32_t block_size;
	unsigned hash_size;
	struct place *place;
	size_t place_count, place_room;
	struct hash_key key[KEY_MAX];
	unsigned key_count;
	donor_tell_fn *tell;		/* NULL: nothing is recorded */
	const void *tell_argument;

	mutex_t lock;		/* of what follows, until built */
	bool stamps_built, contents_built;
	struct arena *arena;
	struct candidate *recorded;	/* the latest that donor_know was told of */
	struct tommy_hashdyn by_stamp;
	struct tommy_hashdyn by_content[KEY_MAX];
};

struct donor *donor_new(uint32_t block_size, unsigned hash_size)
{
	struct donor *donor = mem_zalloc(sizeof *donor);

	donor->block_size = block_size;
	donor->hash_size = hash_size;
	donor->arena = arena_new();
	mutex_init(&donor->lock);
	tommy_hashdyn_init(&donor->by_stamp);
	for (unsigned i = 0; i < KEY_MAX; i++)
		tommy_hashdyn_init(&donor->by_content[i]);
	return donor;
}

void donor_free(struct donor *donor)
{
	if (donor == NULL)
		return;
	for (size_t i = 0; i < donor->place_count; i++)
		if (donor->place[i].own)
			os_close(donor->place[i].root_fd);
	free(donor->place);
	tommy_hashdyn_done(&donor->by_stamp);
	for (unsigned i = 0; i < KEY_MAX; i++)
		tommy_hashdyn_done(&donor->by_content[i]);
	arena_free(donor->arena);
	mutex_done(&donor->lock);
	free(donor);
}

static void add_place(struct donor *donor, int root_fd, bool own)
{
	mem_grow(&donor->place, donor->place_count, &donor->place_room, sizeof *donor->place);
	donor->place[donor->place_count++] = (struct place){ root_fd, own, own };
}

void donor_add_root(struct donor *donor, int root_fd)
{
	add_place(donor, root_fd, false);
}

void donor_add_dir(struct donor *donor, const char *dir)
{
	add_place(donor, os_open_dir(dir), true);
}

void donor_add_key(struct donor *donor, const struct hash_key *key)
{
	if (donor->key_count < KEY_MAX)
		donor->key[donor->key_count++] = *key;
}

void donor_set_recorded(struct donor *donor, donor_tell_fn *tell, const void *argument)
{
	donor->tell = tell;
	donor->tell_argument = argument;
}

static bool has_content_places(const struct donor *donor)
{
	for (size_t i = 0; i < donor->place_count; i++)
		if (donor->place[i].by_content)
			return true;
	return false;
}

bool donor_knows_content(const struct donor *donor)
{
	return donor->tell != NULL || has_content_places(donor);
}

static uint64_t stamp_hash(const struct stamp *stamp)
{
	return tommy_hash_u64(stamp->size ^ tommy_hash_u64((uint64_t)stamp->mtime_sec));
}

static void add_candidate(struct donor *donor, const struct place *place, const char *path,
			  const struct os_entry *entry)
{
	struct candidate *candidate;

	if (entry->size == 0)
		return;
	candidate = arena_alloc(donor->arena, sizeof *candidate, 8);
	candidate->place = place;
	candidate->path = arena_strdup(donor->arena, path);
	candidate->stamp = (struct stamp){ entry->size, entry->mtime_sec, entry->mtime_nsec };
	tommy_hashdyn_insert(&donor->by_stamp, &candidate->node, candidate, stamp_hash(&candidate->stamp));
}

/* All files below `name` of `dir_fd`; what cannot be read is left out. `path` is that of the directory. */
static void walk(struct donor *donor, const struct place *place, int dir_fd, const char *name, const char *path)
{
	struct arena *arena = arena_new();
	struct os_entry *entry;
	const char *bad;
	size_t count;
	int fd = -1;

	if (os_dir_read(dir_fd, name, false, arena, &fd, &entry, &count, &bad) < 0)
		count = 0;
	for (size_t i = 0; i < count; i++) {
		char *below;

		if (entry[i].kind != OS_FILE && entry[i].kind != OS_DIR)
			continue;
		below = path_join(path, entry[i].name);
		if (entry[i].kind == OS_FILE)
			add_candidate(donor, place, below, &entry[i]);
		else
			walk(donor, place, fd, entry[i].name, below);
		free(below);
	}
	os_close(fd);
	arena_free(arena);
}

static void build_stamps(struct donor *donor)
{
	if (donor->stamps_built)
		return;
	for (size_t i = 0; i < donor->place_count; i++)
		if (donor->place[i].root_fd >= 0)
			walk(donor, &donor->place[i], donor->place[i].root_fd, ".", "");
	donor->stamps_built = true;
}

static uint64_t content_hash(const struct donor *donor, const uint8_t *digest)
{
	return tommy_hash_bytes(digest, donor->hash_size);
}

/* Hash every block of a file into the index. */
static void add_contents(struct donor *donor, const struct candidate *candidate, void *data)
{
	int fd = os_open_beneath(candidate->place->root_fd, candidate->path, O_RDONLY, 0);
	ssize_t got;

	if (fd < 0)
		return;
	for (uint64_t at = 0; (got = os_pread_all(fd, data, donor->block_size, at)) > 0; at += (uint64_t)got) {
		struct content *content = arena_alloc(donor->arena, sizeof *content, 8);

		content->candidate = candidate;
		content->offset = at;
		content->bytes = (uint32_t)got;
		for (unsigned i = 0; i < donor->key_count; i++) {
			uint8_t digest[HASH_BYTES_MAX];

			hash_block(&donor->key[i], data, (size_t)got, digest);
			tommy_hashdyn_insert(&donor->by_content[i], &content->node[i], content,
					     content_hash(donor, digest));
		}
	}
	os_close(fd);
}

void donor_know(struct donor *donor, int root_fd, const char *path, uint64_t offset, uint32_t bytes,
		const uint8_t *digest)
{
	struct candidate *candidate = donor->recorded;
	struct content *content = arena_alloc(donor->arena, sizeof *content, 8);

	if (candidate == NULL || candidate->place->root_fd != root_fd || strcmp(candidate->path, path) != 0) {
		struct place *place = arena_alloc(donor->arena, sizeof *place, 8);

		*place = (struct place){ root_fd, false, false };
		candidate = arena_alloc(donor->arena, sizeof *candidate, 8);
		candidate->place = place;
		candidate->path = arena_strdup(donor->arena, path);
		donor->recorded = candidate;
	}
	content->candidate = candidate;
	content->offset = offset;
	content->bytes = bytes;
	tommy_hashdyn_insert(&donor->by_content[0], &content->node[0], content, content_hash(donor, digest));
}

struct add_argument {
	struct donor *donor;
	void *data;
};

static void add_contents_of(void *argument, void *object)
{
	const struct add_argument *add = argument;
	const struct candidate *candidate = object;

	if (candidate->place->by_content)
		add_contents(add->donor, candidate, add->data);
}

static void build_contents(struct donor *donor)
{
	struct add_argument add = { donor, NULL };

	if (donor->contents_built)
		return;
	if (donor->tell != NULL)
		donor->tell(donor->tell_argument, donor);
	if (has_content_places(donor)) {
		build_stamps(donor);
		add.data = mem_aligned(donor->block_size, 64);
		tommy_hashdyn_foreach(&donor->by_stamp, add_contents_of, &add);
		free(add.data);
	}
	donor->contents_built = true;
}

/* Read a block of a donor and see whether it is the wanted one. */
static bool take(const struct donor *donor, const struct donor_want *want, int root_fd, const char *path,
		 uint64_t offset, uint32_t bytes, void *data)
{
	int fd = os_open_beneath(root_fd, path, O_RDONLY, 0);
	uint8_t digest[HASH_BYTES_MAX];
	ssize_t got;

	if (fd < 0)
		return false;
	got = os_pread_all(fd, data, bytes, offset);
	os_close(fd);
	if (got < 0 || (size_t)got < bytes)
		return false;
	hash_block(want->key, data, bytes, digest);
	memset((char *)data + bytes, 0, donor->block_size - bytes);
	return memcmp(digest, want->hash, donor->hash_size) == 0;
}

static bool stamp_matches(const struct stamp *a, const struct stamp *b)
{
	if (a->size != b->size || a->mtime_sec != b->mtime_sec)
		return false;
	return a->mtime_nsec == b->mtime_nsec || a->mtime_nsec == NSEC_UNKNOWN || b->mtime_nsec == NSEC_UNKNOWN;
}

bool donor_find_stamp(struct donor *donor, const struct donor_want *want, const struct stamp *stamp,
		      block_t block, void *data)
{
	const struct tommy_hashdyn_node *node;

	mutex_lock(&donor->lock);
	build_stamps(donor);
	mutex_unlock(&donor->lock);

	node = tommy_hashdyn_first(&donor->by_stamp, stamp_hash(stamp));
	for (; node != NULL; node = tommy_hashdyn_next(node)) {
		const struct candidate *candidate = node->data;

		if (stamp_matches(&candidate->stamp, stamp) &&
		    take(donor, want, candidate->place->root_fd, candidate->path, block * donor->block_size,
			 want->bytes, data))
			return true;
	}
	return false;
}

bool donor_find_content(struct donor *donor, const struct donor_want *want, void *data)
{
	const struct tommy_hashdyn_node *node;
	unsigned key = 0;

	if (!donor_knows_content(donor))
		return false;
	while (key < donor->key_count && (donor->key[key].kind != want->key->kind ||
					  memcmp(donor->key[key].seed, want->key->seed, sizeof want->key->seed) != 0))
		key++;
	if (key == donor->key_count)
		return false;
	mutex_lock(&donor->lock);
	build_contents(donor);
	mutex_unlock(&donor->lock);

	node = tommy_hashdyn_first(&donor->by_content[key], content_hash(donor, want->hash));
	for (; node != NULL; node = tommy_hashdyn_next(node)) {
		const struct content *content = node->data;
		const struct candidate *candidate = content->candidate;

		if ((want->bytes == 0 || want->bytes == content->bytes) &&
		    take(donor, want, candidate->place->root_fd, candidate->path, content->offset, content->bytes, data))
			return true;
	}
	return false;
}

bool donor_find_path(const struct donor *donor, const struct donor_want *want, int root_fd, const char *path,
		     block_t block, void *data)
{
	return root_fd >= 0 &&
	       take(donor, want, root_fd, path, block * donor->block_size, want->bytes, data);
}
