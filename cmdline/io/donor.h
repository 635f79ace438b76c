/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where else the data of a lost block may be: other files of the array and of directories that the user
 * named, found by size and time, or by content.
 *
 * Nothing is walked or hashed before a block is asked for that way. What is found is only taken if its hash
 * is the wanted one. A donor that cannot be opened or read is a miss. Never reports.
 * Threads: the add calls come first; then any thread may look, the first one builds the index. */
#ifndef IO_DONOR_H
#define IO_DONOR_H

#include "array/file.h"
#include "hash/hash.h"

struct donor;

struct donor *donor_new(uint32_t block_size, unsigned hash_size);
void donor_free(struct donor *donor);		/* NULL is fine */

/* The files below `root_fd` (stays the caller's, open as long as the donor) are found by size and time. */
void donor_add_root(struct donor *donor, int root_fd);
/* The same of a directory, which need not exist, and its blocks are found by content too. */
void donor_add_dir(struct donor *donor, const char *dir);
/* Hash functions in use: content is indexed by each. At most two. */
void donor_add_key(struct donor *donor, const struct hash_key *key);

/* Blocks whose digests (of the first key) are recorded are found by content without being hashed: once content is
 * asked for, `tell` calls donor_know for each. */
typedef void donor_tell_fn(const void *argument, struct donor *donor);
void donor_set_recorded(struct donor *donor, donor_tell_fn *tell, const void *argument);
void donor_know(struct donor *donor, int root_fd, const char *path, uint64_t offset, uint32_t bytes,
		const uint8_t *digest);

/* Does the donor have anywhere to look by content? */
bool donor_knows_content(const struct donor *donor);

struct donor_want {
	const struct hash_key *key;	/* of the digest; one that was added */
	const uint8_t *hash;
	uint32_t bytes;			/* of the block; the rest is zeros */
};

/* A block of a file with that stamp, into `data` (block_size bytes, padded with zeros). */
bool donor_find_stamp(struct donor *donor, const struct donor_want *want, const struct stamp *stamp,
		      block_t block, void *data);
/* A block with that content. want->bytes 0: of any length. */
bool donor_find_content(struct donor *donor, const struct donor_want *want, void *data);
/* That block of the file `path` below `root_fd`, whatever its time. */
bool donor_find_path(const struct donor *donor, const struct donor_want *want, int root_fd, const char *path,
		     block_t block, void *data);

#endif
