/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One disk as it was found, and what each entry means against the array. Inside scan/ only.
 *
 * A tree is filled by one thread of its own: walk.c collects, match.c compares with what is recorded of the
 * same disk. (Others may read directories for it, see ahead.h.) The thread reads the disk and writes nothing of it but
 * the marks of its files, links and directories; what it has to say are notes, told later in the order of the
 * configuration. */
#ifndef SCAN_TREE_H
#define SCAN_TREE_H

#include "array/array.h"
#include "base/buf.h"
#include "report/report.h"
#include "scan/scan.h"

struct ignore;

enum found_kind { FOUND_FILE, FOUND_SYMLINK, FOUND_HARDLINK, FOUND_DIR };

enum found_as { AS_ADDED, AS_EQUAL, AS_MOVED, AS_RESTORED, AS_UPDATED, AS_COPIED, AS_RELOCATED };

/* Of what is recorded, in its `mark`. */
enum fate {
	FATE_GONE,	/* not met in the walk */
	FATE_KEPT,	/* it is still there, maybe under another path */
	FATE_REPLACED,	/* its path has another version */
	FATE_RELOCATED,	/* not met, but a new file has its data */
};

/* What is kept of an entry besides its data. */
struct status {
	uint32_t mode, uid, gid, link_count;
	int64_t ctime_sec;
	uint32_t ctime_nsec;
	bool is_short;			/* may have holes */
	/* Found out by keep.c, only for what has to be recorded anew: */
	bool looked, sparse;
	bool located;			/* `offset` is known */
	uint64_t offset;		/* of the file on the medium, 0: it does not tell */
	const uint8_t *xattrs;
	size_t xattr_bytes;
};

/* Every directory of the disk. */
struct found_dir {
	const char *path;
	struct status status;		/* `looked` is set: the walk had it open */
	bool has_time;
	int64_t mtime_sec;
	uint32_t mtime_nsec;
};

/* An entry of the disk. Only directories with nothing of the array in them are entries. */
struct found {
	const char *path;
	const char *target;	/* of a symlink its text, of a hard link the path of the file */
	struct stamp stamp;
	uint64_t inode;
	struct status status;
	enum found_kind kind;
	enum found_as as;
	union {			/* the recorded one that it continues or replaces; NULL: none */
		struct file *file;
		struct link *link;
		struct dir *dir;
	} was;
	struct found *same_as;		/* FOUND_HARDLINK: the entry that is the file */
	const struct disk *source_disk;	/* AS_COPIED, AS_RELOCATED: from where */
	const struct file *source;
	uint8_t *hashes;		/* of all its blocks, from the source; malloc */
	struct kept kept;		/* what is to be recorded, see keep.c */
	bool shared;			/* the file has more than one path */
	bool regroup;			/* of a file: it or a link to it changed, see apply.c */
	bool proven;			/* its data has these hashes */
	bool suspect;
	bool assumed;			/* it is suspect, and other data is what its owner wants */
};

/* Something to say: fields are disk, its directory, path, text or the words of `error`, line. */
struct note {
	enum event event;
	const char *path, *text;
	int error;		/* errno, if there is no text */
	unsigned line;
};

struct tree {
	struct disk *disk;
	const struct config *config;
	const struct scan_options *options;
	unsigned helpers;	/* threads besides its own, that read directories ahead of the walk */
	struct arena *arena;	/* of all strings here */
	struct found *found;	/* in the order of the walk */
	size_t count, room;
	struct found_dir *dir;	/* in the order of the walk */
	size_t dir_count, dir_room;
	struct note *note;
	size_t note_count, note_room;
	bool failed;		/* a note tells why; what was found is not all */
	uint64_t elapsed_ms;
};

void tree_walk(struct tree *tree);
/* Decide `as` and `was` of all entries by what is recorded of the same disk: a copy is still an addition. */
void tree_match(struct tree *tree);
/* As if all that is recorded had been met unchanged. */
void tree_keep_all(struct tree *tree);
void tree_note(struct tree *tree, const struct note *note);

/* Extended attributes, as they were read, into a status. */
void status_take(struct status *status, const struct buf *xattrs, struct arena *arena);

/* The rules of the .snapraidignore files from the root down to a directory. */
struct ignore_stack {
	struct ignore *rules;
	size_t prefix;		/* bytes of a path before the part that the rules see */
	const struct ignore_stack *above;
};

#define IGNORE_NAME ".snapraidignore"

/* Read the file `path` of the tree below root_fd. A bad line is noted and skipped. -1: it cannot be read,
 * noted. */
int ignore_push(struct ignore_stack *stack, const struct ignore_stack *above, struct tree *tree, int root_fd,
		const char *path);
bool ignore_stack_excludes(const struct ignore_stack *stack, const char *path, bool is_dir);

#endif
