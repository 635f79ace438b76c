/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side file `<content>.side`: what the format of the content file cannot say. Inside content/ only.
 *
 *	8 bytes		"SNAPSIDE"
 *	32 bits		version, 1
 *	32 bits		the last four bytes of its content file
 *	64 bits		the size of its content file
 *	sections	32 bits tag, 64 bits length, a zlib stream of that length
 *	32 bits		CRC-32C of all before
 *
 * Numbers are little-endian. A section of an unknown tag is skipped. The streams follow the order of disks and files
 * in the content file, so they mean nothing without the one they are bound to.
 *
 * A side file belongs to a content file by these two numbers, not by its name: it lies under `.side` or under
 * `.side.tmp`, and readers take the one that fits. That makes a save safe at each moment:
 *
 *	before			`.side` fits the content file
 *	`.side.tmp` is written, synced, its name synced
 *				`.side` fits, as the content file is still the previous one
 *	the new content file takes its name, durably
 *				`.side.tmp` fits
 *	`.side.tmp` takes the name `.side`, durably
 *				`.side` fits
 *
 * A next save finds one of these states. If `.side.tmp` is the one that fits it takes the name `.side` before a new
 * one is begun; otherwise it is of a save that never came to its content file, and is removed. So a content file
 * of ours has its own at any moment. If none fits, another program wrote the content file: all of it is ignored. */
#ifndef CONTENT_SIDE_H
#define CONTENT_SIDE_H

#include "array/array.h"
#include "base/buf.h"
#include "content/copies.h"
#include "content/pack.h"

/* The content file that a side file belongs to. */
struct binding {
	uint32_t tail;		/* its last four bytes */
	uint64_t size;
};

/* One section; a new thing to be remembered is a row of the table in side.c. */
struct section {
	uint32_t tag;
	bool (*has_any)(const struct array *array);
	void (*write)(struct packer *packer, struct array *array);
	/* false: it is broken, and nothing of it was taken. It reads to the end. */
	bool (*read)(struct unpacker *unpacker, struct array *array);
};

/* The bytes of a side file; none if there is nothing to be remembered. After the content file was encoded. */
void side_encode(struct array *array, const struct binding *binding, struct buf *image);
enum side_state {
	SIDE_FITS,
	SIDE_OTHER,		/* of another content file */
	SIDE_DAMAGED,
	SIDE_NEWER,		/* of an unknown version */
};
/* Prove the bytes and, if they fit, take them into the array, which holds what its content file says. */
enum side_state side_decode(const uint8_t *data, size_t size, const struct binding *binding, struct array *array);

/* First half of a save, for the content file `content` (not a symbolic link), before that is replaced: all is durable
 * (its checksum tells later whether the disk kept it). -1 with errno; `*what` is what failed. */
int side_prepare(const char *content, const struct buf *image, const char **what);
/* Second half, once the content file is replaced. What fails is done by the next save. */
void side_commit(const char *content, const struct buf *image);
/* Instead of the second half, if the content file was not replaced, or perhaps not durably. */
void side_discard(const char *content);

/* When its content file was saved, as it says; 0: none fits, or it does not say. */
int64_t side_saved(const struct copy *copy);
/* Does the content file have a side file, and was its save not killed? Which one it is is not looked at: that would
 * cost a seek of its disk, names do not. */
bool side_is_settled(const char *content);
/* Its name, beside the file behind `content`; malloc. And is this how one begins that belongs to a content file? */
char *side_path(const char *content);
bool side_begins_as_of(const uint8_t *data, size_t size, const struct binding *binding);
/* Take in the side file of the copy that was loaded, or the same one of another copy. Tells if there are only such
 * that do not fit. Sets array->changed if a copy has none, or that of the loaded one was not in its
 * place. */
void side_load(const struct copy *copy, unsigned count, const struct copy *used, struct array *array);

/* content/meta.c: what complete restores need. */
bool meta_has_any(const struct array *array);
void meta_write(struct packer *packer, struct array *array);
bool meta_read(struct unpacker *unpacker, struct array *array);

/* content/synced.c: which REP blocks were synced once. */
bool synced_has_any(const struct array *array);
void synced_write(struct packer *packer, struct array *array);
bool synced_read(struct unpacker *unpacker, struct array *array);

/* content/parities.c: where the parity files were. */
bool parities_has_any(const struct array *array);
void parities_write(struct packer *packer, struct array *array);
bool parities_read(struct unpacker *unpacker, struct array *array);
/* ... and of which code the third level is. */
bool code_has_any(const struct array *array);
void code_write(struct packer *packer, struct array *array);
bool code_read(struct unpacker *unpacker, struct array *array);

#endif
