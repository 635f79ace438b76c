/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One stripe in flight.
 *
 * A slot belongs to one party at a time: the coordinator while it is filled and retired, the readers (each
 * its own cell) while it is read, one compute worker, then the writers (each its own cell). No worker follows a pointer into the array. */
#ifndef STRIPE_SLOT_H
#define STRIPE_SLOT_H

#include "array/array.h"
#include "io/data.h"
#include "raid/raid.h"

/* One block of a data disk. */
struct cell {
	/* set by fill */
	bool read;			/* it is to be read */
	enum block_state state;
	struct data_want want;		/* valid if the state has a file */
	struct disk *disk;		/* for the coordinator only; NULL: an empty column */
	struct file *file;		/* for the coordinator only */
	const struct meta *meta;	/* of the file, for any thread: it never changes; NULL: not known */
	block_t block;			/* of the file */
	uint32_t bytes;			/* of the block that exist; the rest is zeros */
	bool was_synced;		/* BLK, or REP of a sync -F: other data than the hash says is damage, or a change */
	bool assumed;			/* see struct file: a hash that differs means other data, not damage */
	uint8_t hash[HASH_BYTES_MAX];	/* current (BLK, REP) or past (CHG, DELETED); hash_size bytes */
	/* set by the reader */
	enum data_result result;
	bool changed;			/* the file's stamp differs from the recorded one */
	struct seen seen;		/* when the file was opened */
	int error;			/* errno */
	void *data;			/* a buffer of the slot, every mapped disk has one; bytes from `used` on are stale */
	/* set by compute */
	uint8_t found[HASH_BYTES_MAX];	/* hash of the data, by the stripe's kind */
	uint8_t fresh[HASH_BYTES_MAX];	/* during a rehash: by the new kind */
	bool write;			/* the job's write_data is called for it, in the writer of the disk */
	int write_error;		/* errno of the writer, 0 fine */
	unsigned flags;			/* the job's own */
};

/* One block of a parity level. */
struct parity_cell {
	bool read;			/* set by fill */
	bool have;			/* set by the reader: stored holds what the file has */
	int error;			/* errno of the read */
	bool write;			/* set by compute: fresh is to be written */
	int write_error;		/* as above; ECANCELED: not tried, said */
	void *stored, *fresh;		/* block_size bytes each; stored only if the job reads parity */
};

struct slot {
	stripe_t at;
	unsigned column_count;
	struct cell *cell;		/* by column */
	struct parity_cell parity[LEVEL_MAX];
	unsigned level_count;
	const struct raid_code *code;	/* of these levels */
	uint32_t block_size;
	uint32_t used;			/* bytes of the longest block of a file, a multiple of 64: beyond them all data of
					 * the stripe is zeros, and so is its parity. Small files cost no more than that */
	unsigned hash_size;
	struct hash_key key;		/* of the digests of this stripe */
	bool rehash;			/* the stripe is marked; `fresh_key` is the kind it gets */
	struct hash_key fresh_key;
	struct info info;		/* before; all zero if none */
	bool has_info;
	unsigned flags;			/* the job's own */
	void *extra;			/* job->extra_size bytes, zeroed before each fill */
	void *memory;			/* of the buffers */
};

/* Bytes from one buffer of a slot to the next. */
size_t slot_stride(const struct array *array);

/* Bytes of all buffers of a slot; `stored`: of those too that hold the parity read. */
size_t slot_bytes(const struct array *array, bool stored);

/* Its cells and buffers, and `extra_size` bytes for the job. */
void slot_init(struct slot *slot, const struct array *array, bool stored, size_t extra_size);

/* Free them. */
void slot_done(struct slot *slot);

/* Fill what all jobs need for the stripe `at`: cells of all disks, hash keys, info; nothing is to be read
 * yet. */
void slot_fill(struct slot *slot, const struct array *array, stripe_t at);

/* The buffers by column as raid_* wants them: NULL where the block counts as zeros (EMPTY, DELETED). */
void slot_data(const struct slot *slot, void *data[COLUMN_MAX]);

/* What is to be read (after fill), and written (after compute), in whole blocks. */
uint64_t slot_bytes_read(const struct slot *slot);
uint64_t slot_bytes_written(const struct slot *slot);

#endif
