/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parity level as one address space of blocks: block `at` lies at byte at * block_size of its splits put
 * one after another, each with the size the array declares for it. parity.md 11.
 *
 * Never reports: -1 with errno. Reads and writes are thread safe; the rest is the coordinator's.
 * Reading what was neither there at the opening nor written since is ENODATA, never zeros. */
#ifndef IO_PARITY_H
#define IO_PARITY_H

#include "array/level.h"

struct parity;

enum parity_mode {
	PARITY_READ,		/* files must exist */
	PARITY_READ_PARTS,	/* one of them must; what a missing one has cannot be read */
	PARITY_WRITE,		/* files must exist, but those of size 0 or unknown may be created */
	PARITY_CREATE,		/* missing files are created (fix, sync -F) */
	PARITY_MEND,		/* as PARITY_READ_PARTS, and what is there may be written */
};

/* Open the splits of `level` (which must outlive it; its sizes are updated by parity_resize). On failure
 * NULL with errno, and `*split` tells which. Nothing is created unless all that must exist do.
 * PARITY_READ_PARTS, PARITY_MEND: on success `*split` is the first that is missing, or split_count. */
struct parity *parity_open(struct level *level, uint32_t block_size, enum parity_mode mode, unsigned *split);
void parity_close(struct parity *parity);		/* NULL is fine */

uint64_t parity_file_bytes(const struct parity *parity, unsigned split);
/* Contiguous bytes from the start that are there: per split the lesser of declared and real length, up to the
 * first split that is short. */
uint64_t parity_usable_bytes(const struct parity *parity);

/* A level that the content file does not know is of no use until fix has made all of it. Then a file beside its first
 * split, NAME.made, says so, and names the content file that it fits. Times tell nothing: an old parity file that
 * was copied is newer than all. -1 with errno. */
int parity_mark_made(const struct level *level, const char *content);
int parity_unmark(const struct level *level);		/* fine if it is not marked */
bool parity_is_made_for(const struct level *level, const char *content);

/* Make room for `count` stripes, growing splits as parity.md 11.2 says, and set the declared sizes to exactly
 * that. Files longer than declared stay longer until parity_trim, as the content file that still needs
 * their tail is replaced in between. `limit` (0: none) makes growth fail beyond it, for
 * --test-parity-limit. Returns the number of stripes reached: less than count if the disks are full (errno
 * tells). -1 with errno: a split that others follow could not be brought to its size, which stays declared. */
int64_t parity_resize(struct parity *parity, stripe_t count, uint64_t limit, level_t level);
/* The same, but files get longer only as they are written, so that at every moment their length tells how far
 * a level that is made anew has come, also after a kill. */
int64_t parity_reserve(struct parity *parity, stripe_t count, uint64_t limit, level_t level);
/* Take back what the opening created and parity_resize added, as long as nothing was written and no content file
 * names the sizes. NULL is fine. */
void parity_give_back(struct parity *parity);
/* What parity_trim will cut off, bytes. */
uint64_t parity_excess_bytes(const struct parity *parity);
/* Cut each split to its declared size, or bring it there after parity_reserve. */
int parity_trim(struct parity *parity);

/* The block at that stripe, of block_size bytes. */
int parity_read(struct parity *parity, stripe_t at, void *data);
int parity_write(struct parity *parity, stripe_t at, const void *data);
/* Everything written is durable when it returns 0. */
int parity_sync(struct parity *parity);
/* fix: the first `count` stripes are to be there. A split that is short of them does not get the last block of its share
 * before parity_release, so that at every moment its length tells that something is missing. */
void parity_hold(struct parity *parity, stripe_t count);
bool parity_is_short(const struct parity *parity);
/* All the others are durable, or need no parity now. -1 with errno: the level stays short. */
int parity_release(struct parity *parity);
/* fix: cut each split back to what is known valid (there at the opening, or written), so that an aborted
 * re-creation stays detectable. */
int parity_cut_to_valid(struct parity *parity);

#endif
