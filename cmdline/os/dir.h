/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Directory entries with their status, by directory descriptor; never follows a link. */
#ifndef OS_DIR_H
#define OS_DIR_H

#include "base/mem.h"

enum os_kind { OS_FILE, OS_DIR, OS_SYMLINK, OS_SPECIAL };

struct os_entry {
	const char *name;	/* lives in the arena given */
	enum os_kind kind;
	uint64_t inode;
	uint64_t device;
	uint64_t size;
	int64_t mtime_sec;
	uint32_t mtime_nsec;
	uint64_t link_count;
	uint32_t mode, uid, gid;	/* mode: permission bits */
	int64_t ctime_sec;
	uint32_t ctime_nsec;
	bool is_short;		/* has fewer bytes of the medium than its size: holes, or compression */
};

/* All entries of the directory `name` below `dir_fd` ("." : that itself) but "." and "..", sorted by inode
 * (or in the order of the OS). Names and the array are allocated in `arena`. `*fd` is the directory, for
 * nested calls; the caller closes it; -1 on failure. Entries that vanish meanwhile are left out. -1 with
 * errno; `*bad` then names the entry that could not be examined, or NULL if it is the directory itself. */
int os_dir_read(int dir_fd, const char *name, bool by_inode, struct arena *arena, int *fd,
		struct os_entry **entries, size_t *count, const char **bad);
/* The text of a symbolic link, in the arena. NULL with errno. */
const char *os_read_link(int dir_fd, const char *name, struct arena *arena);

#endif
