/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that seem to have gone elsewhere, before their old place in the parity is given up.
 *
 * Size, time and name say that a new file is one that is gone or replaced; whether its data came along they do not
 * say. Once synced, the old place is overwritten, and what was damaged on the way is damaged for good. So the new
 * file is read here, while the parity still has the old one. A copy of a file that stays is not at stake. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "hash/hash.h"
#include "os/file.h"
#include "os/thread.h"
#include "scan/inside.h"

enum proof { PROOF_GOOD, PROOF_OTHER, PROOF_UNREAD };

/* A disk with files to be read, and the thread that does so. */
struct prover {
	const struct array *array;
	struct tree *tree;
	uint8_t *block;		/* of the size of one */
};

static bool is_at_stake(const struct found *found)
{
	return found->source != NULL && found->source->mark != FATE_KEPT;
}

static bool is_same(const struct stat *st, const struct stamp *stamp)
{
	return S_ISREG(st->st_mode) && (uint64_t)st->st_size == stamp->size && st->st_mtim.tv_sec == stamp->mtime_sec &&
	       (uint32_t)st->st_mtim.tv_nsec == stamp->mtime_nsec;
}

/* errno tells why PROOF_UNREAD; 0: the file is not the one that was scanned. */
static enum proof prove_blocks(const struct prover *prover, int fd, const struct found *found)
{
	const struct array *array = prover->array;
	const uint8_t *want = found->hashes;
	uint64_t offset = 0, size = found->stamp.size;

	for (; offset < size; offset += array->block_size, want += array->hash_size) {
		size_t bytes = size - offset < array->block_size ? (size_t)(size - offset) : array->block_size;
		ssize_t got = os_pread_all(fd, prover->block, bytes, offset);
		uint8_t digest[HASH_BYTES_MAX];

		if (got < 0)
			return PROOF_UNREAD;
		if ((size_t)got != bytes) {
			errno = 0;
			return PROOF_UNREAD;
		}
		hash_block(&array->hash, prover->block, bytes, digest);
		if (memcmp(digest, want, array->hash_size) != 0)
			return PROOF_OTHER;
	}
	return PROOF_GOOD;
}

static enum proof prove_file(const struct prover *prover, int root_fd, const struct found *found)
{
	int fd = os_open_beneath(root_fd, found->path, O_RDONLY, 0);
	enum proof proof = PROOF_UNREAD;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		goto out;
	errno = 0;
	if (!is_same(&st, &found->stamp))
		goto out;
	proof = prove_blocks(prover, fd, found);
out:
	os_close(fd);
	return proof;
}

static void note_failure(struct tree *tree, const struct found *found, enum proof proof)
{
	struct note note = { .event = EV_SCAN_MOVED_UNREAD, .path = found->path, .error = errno };

	if (proof == PROOF_OTHER) {
		char *old = path_join(found->source_disk->dir, found->source->path);

		note.event = EV_SCAN_MOVED_OTHER;
		note.text = arena_strdup(tree->arena, old);
		free(old);
	} else if (note.error == 0) {
		note.text = "it changed since the scan";
	}
	tree_note(tree, &note);
}

static void *prover_run(void *argument)
{
	struct prover *prover = argument;
	struct tree *tree = prover->tree;
	int root_fd = os_open_dir(tree->disk->dir);

	for (size_t i = 0; i < tree->count; ++i) {
		struct found *found = &tree->found[i];
		enum proof proof;

		if (!is_at_stake(found))
			continue;
		proof = prove_file(prover, root_fd, found);
		found->proven = proof == PROOF_GOOD;
		if (!found->proven)
			note_failure(tree, found, proof);
	}
	os_close(root_fd);
	return NULL;
}

/* Returns how many files are at stake on all disks. */
static uint64_t count_at_stake(const struct scan *scan, uint64_t *bytes)
{
	uint64_t count = 0;

	*bytes = 0;
	for (unsigned t = 0; t < scan->tree_count; ++t) {
		const struct tree *tree = &scan->tree[t];

		for (size_t i = 0; i < tree->count; ++i) {
			if (!is_at_stake(&tree->found[i]))
				continue;
			++count;
			*bytes += tree->found[i].stamp.size;
		}
	}
	return count;
}

int scan_prove(struct scan *scan)
{
	unsigned count = scan->tree_count;
	struct prover *prover;
	thread_t *thread;
	uint64_t bytes, files = count_at_stake(scan, &bytes);
	int rc = 0;

	if (files == 0)
		return 0;
	report(EV_STEP_PROVING, files, bytes / 1000000);
	prover = mem_zalloc(count * sizeof(*prover));
	thread = mem_alloc(count * sizeof(*thread));
	for (unsigned i = 0; i < count; ++i) {
		prover[i] = (struct prover){ scan->array, &scan->tree[i], mem_alloc(scan->array->block_size) };
		scan->tree[i].note_count = 0;
		thread_start(&thread[i], prover_run, &prover[i]);
	}
	for (unsigned i = 0; i < count; ++i) {
		thread_join(thread[i]);
		free(prover[i].block);
		tree_report_notes(&scan->tree[i]);
		if (scan->tree[i].note_count > 0)
			rc = -1;
	}
	free(thread);
	free(prover);
	if (rc < 0)
		report(EV_SCAN_MOVED_STOP);
	return rc;
}
