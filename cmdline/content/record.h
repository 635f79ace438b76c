/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of a content file: a table of {tag, read, write}, and the walk over it both ways. The rows live
 * in head.c, level.c, disk.c and info.c, reader next to writer. Inside content/ only. */
#ifndef CONTENT_RECORD_H
#define CONTENT_RECORD_H

#include "array/array.h"
#include "content/content.h"
#include "content/pathset.h"
#include "content/stream.h"

/* What is wrong with a file, and so what may be done about it. */
enum trouble {
	TROUBLE_NONE,
	TROUBLE_BROKEN,		/* its bytes say what cannot be */
	TROUBLE_NEWER,		/* of a format not known here */
	TROUBLE_CONFIG,		/* does not fit the configuration */
};

struct decoder {
	struct cursor in;
	const uint8_t *begin;
	const uint8_t *kept;		/* of a mapped file, what is before need not be in memory; NULL: it is no file */
	const char *path;		/* for messages */
	const struct content_load *load;	/* NULL: alone, without a configuration */
	struct array *array;
	struct disk *disk[COLUMN_MAX];	/* by disk index */
	unsigned disk_count;
	uint64_t stripe_count;		/* "blockmax" */
	bool has_block_size, has_stripe_count, has_hash_size, has_hash, has_past_hash;
	bool has_blocks;		/* sizes may not change any more */
	bool has_unsynced;		/* a CHG, REP or DELETED block */
	bool ended;
	struct pathset paths[COLUMN_MAX];	/* of all entries, by disk index */
	stripe_t rehash_at;		/* the first stripe with a hash of the previous kind; STRIPE_NONE: none */
	uint8_t *marks;			/* zero marks that blocks without a stored hash share */
	enum trouble trouble;		/* the first one, and its text */
	char *text;
};

/* Note what is wrong, with the place in the file. Always -1. */
int decoder_fail(struct decoder *d, enum trouble trouble, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* All return -1 once something is wrong. */
int decoder_u32(struct decoder *d, uint32_t *value);
int decoder_u64(struct decoder *d, uint64_t *value);
int decoder_byte(struct decoder *d, uint8_t *byte);
/* `max` bytes and a NUL fit in `text`. */
int decoder_string(struct decoder *d, char *text, size_t max);
/* A relative path that cannot lead out of a disk. */
int decoder_path(struct decoder *d, char text[PATH_BYTES_MAX + 1]);
/* The disk of a disk index, and the index, for messages and the set of paths. */
struct disk *decoder_disk(struct decoder *d, uint32_t *index);
/* `count` digests, in place. NULL: the file is too short for them. */
const uint8_t *decoder_hashes(struct decoder *d, uint64_t count);
/* From here on block size, hash size and number of stripes must be known, and stay. */
int decoder_begin_blocks(struct decoder *d);

struct encoder {
	struct sink *sink;
	const struct array *array;
	struct disk **disk;		/* those with a record, by disk index */
	unsigned disk_count;
	const struct disk *owner;	/* SCOPE_DISK: the one whose records are written; its index is map_order */
	stripe_t stripe_count;
	unsigned version;		/* 2 or 3 */
	int64_t now;			/* later times are cut to it */
	int64_t oldest;			/* smallest time of any info, 0 if none */
	bool has_rehash;
};

/* The UUID of a file system as it is written: that found now, or if it cannot be told, that known before.
 * Either may be NULL. */
const char *encoder_uuid(const char *now, const char *recorded);

/* Where a record is written: once at the begin, once for each disk, once at the end; or never. */
enum scope { SCOPE_READ_ONLY, SCOPE_HEAD, SCOPE_DISK, SCOPE_TAIL };

struct record {
	uint8_t tag;
	enum scope scope;
	int (*read)(struct decoder *d);
	/* Writes all records of its kind, tags included; in SCOPE_DISK those of e->owner. */
	void (*write)(struct encoder *e);
};

/* head.c */
int read_block_size(struct decoder *d);
int read_stripe_count(struct decoder *d);
int read_hash_size(struct decoder *d);
int read_hash(struct decoder *d);
int read_past_hash(struct decoder *d);
int read_disk(struct decoder *d);
int read_old_disk(struct decoder *d);
void write_block_size(struct encoder *e);
void write_stripe_count(struct encoder *e);
void write_hash_size(struct encoder *e);
void write_hash(struct encoder *e);
void write_past_hash(struct encoder *e);
void write_disks(struct encoder *e);
/* level.c */
int read_level(struct decoder *d);
int read_old_level(struct decoder *d);
void write_levels(struct encoder *e);
/* disk.c */
int read_file(struct decoder *d);
int read_hard_link(struct decoder *d);
int read_symlink(struct decoder *d);
int read_dir(struct decoder *d);
int read_deleted(struct decoder *d);
int read_gone_files(struct decoder *d);
void write_files(struct encoder *e);
void write_links(struct encoder *e);
void write_dirs(struct encoder *e);
void write_deleted(struct encoder *e);
/* info.c */
int read_info(struct decoder *d);
void write_info(struct encoder *e);
/* The smallest time and whether there is a rehash, needed before the first byte. */
void encoder_survey_info(struct encoder *e);

/* Decode `size` bytes, whose checksum was proven, into d->array. The caller has set path, load and array.
 * -1: d->trouble and d->text say what is wrong; the array is then good for nothing but array_free. */
int record_decode(struct decoder *d, const uint8_t *data, size_t size);
void decoder_done(struct decoder *d);

/* Encode the array, that nothing unused is left in, into the sink, checksum included. The numbering of the
 * disks becomes that of the file. -1: see sink->error. */
int record_encode(struct array *array, int64_t now, struct sink *sink);

#endif
