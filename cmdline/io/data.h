/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of the files of one data disk, read by one thread that keeps the last file open.
 *
 * A file is found by its path below the root of the disk, and no component may be a symbolic link. Before
 * the first block is read, the open file is compared with what the array knows of it. Never reports. */
#ifndef IO_DATA_H
#define IO_DATA_H

#include "array/file.h"
#include "io/seen.h"

enum data_result {
	DATA_OK,
	DATA_MISSING,	/* no such file, or something else has its name */
	DATA_DENIED,	/* no permission */
	DATA_CHANGED,	/* size, time or inode are not as recorded, and that was asked for */
	DATA_SHORT,	/* the block lies beyond the end of the file */
	DATA_IO,	/* hardware-class: EIO and relatives */
	DATA_ERROR,	/* any other failure */
};

/* What to read: copied into cells, so that no worker follows a pointer into the array. */
struct data_want {
	const struct file *key;	/* tells files apart; never followed */
	const char *path;	/* stays as it is while the engine runs */
	struct stamp stamp;
	uint64_t inode;		/* 0: not compared */
	bool same_stamp;	/* give DATA_CHANGED instead of data if the stamp differs */
};

struct data_reader;

struct data_reader *data_reader_new(int root_fd);	/* root_fd stays the caller's; -1: all files are missing */
void data_reader_free(struct data_reader *reader);	/* NULL is fine */

/* Read `bytes` bytes at `offset` into `data` and zero the rest up to `padded` bytes. `*changed` tells a stamp
 * that differs from the recorded one, if the file could be opened; `*error` is errno (0 if none). */
enum data_result data_read(struct data_reader *reader, const struct data_want *want, uint64_t offset,
			   uint32_t bytes, uint32_t padded, void *data, bool *changed, int *error);

/* What had the name of the file that was read last, when it was opened. */
struct seen data_reader_seen(const struct data_reader *reader);

/* Would it be opened, and be as recorded? */
bool data_is_there(int root_fd, const struct data_want *want);

bool data_error_is_hardware(int error);	/* EIO, EREMOTEIO, ENXIO, ENODEV, EUCLEAN, EBADMSG, EILSEQ, ... */

#endif
