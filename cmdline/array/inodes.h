/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorded inodes of a disk, to see whether a new file got the one of another.
 *
 * A file with the inode, size and time of another recorded file has to be looked at by the next sync, as it may be
 * that one, moved; the peer takes it for that unseen. Made once, then const. */
#ifndef ARRAY_INODES_H
#define ARRAY_INODES_H

#include "array/disk.h"

struct inodes;

struct inodes *inodes_new(const struct disk *disk);
void inodes_free(struct inodes *inodes);	/* NULL is fine */
/* Has a recorded file other than `file` this inode and stamp? */
bool inodes_clash(const struct inodes *inodes, uint64_t inode, const struct stamp *stamp, const struct file *file);

#endif
