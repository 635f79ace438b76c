/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The copies of the content file as they lie on disk, and one of them in memory. Inside content/ only. */
#ifndef CONTENT_COPIES_H
#define CONTENT_COPIES_H

#include <time.h>

#include "content/content.h"

/* So much of a mapped file is in memory at once: read and proven, then read as records. */
#define CONTENT_WINDOW	((size_t)4 << 20)

struct content {
	const uint8_t *data;	/* mapped, read only */
	size_t size;
	struct proving *proving;	/* of the other copies; NULL: none, or ended */
};

/* What can be told of a copy without reading it whole. */
struct copy {
	const char *path;
	enum { COPY_MISSING, COPY_UNREADABLE, COPY_PRESENT } state;
	int error;		/* errno of an unreadable one */
	uint64_t size;
	struct timespec mtime;
	uint32_t tail;		/* last four bytes: the checksum, if it is whole */
	bool tail_known;	/* it was read; if not, all copies present are of one save */
	bool settled;		/* see side.h */
	bool damaged;		/* found so by content_map, and told */
};

/* The file behind a path: itself, or what a symbolic link leads to. malloc; NULL with errno: it leads nowhere. */
char *copy_real_path(const char *path);
/* malloc, in the order of `path`. The tails are read only if the copies differ in size or time. */
struct copy *copies_look(const char *const *path, unsigned count);
/* Pointers to those present, the newest first; of those that are like the newest, the first of `path` before it; malloc. If
 * they contradict each other all are read, and those that are damaged told of. */
struct copy **copies_by_age(struct copy *copy, unsigned count, unsigned *present);

/* This one of them was mapped: it tells the tail of those that are of the same save. */
void copies_loaded(struct copy *copy, unsigned count, struct copy *used, const struct content *content);
/* One save gives all copies the same time, to the nanosecond. */
bool copy_same_save(const struct copy *a, const struct copy *b);
/* How the content file in place ends. false: there is none. */
bool copy_ending(const char *path, uint32_t *tail, uint64_t *size);

enum content_state {
	CONTENT_WHOLE,		/* its checksum is right */
	CONTENT_DAMAGED,
	CONTENT_NEWER,		/* of an unknown version, damaged or not */
};

/* Map a file and prove it. Unless it is whole `*content` is NULL and `*why` tells the reason; malloc. */
enum content_state content_map(const char *path, struct content **content, char **why);

/* The array of a whole file, without any configuration and without a word; to be freed before `content` is closed. NULL: it
 * says what this program does not understand. */
struct array *content_read(const struct content *content, const char *path);

/* content/proving.c: all copies but the one that was loaded are read and proven, each by a thread, and their side files if
 * `sides`. It holds the files, which may be replaced meanwhile. */
struct proving *proving_begin(const struct copy *copy, unsigned count, const struct copy *used, bool sides);
/* Wait for it, tell, and free. false: one has to be written again. */
bool proving_end(struct proving *proving);
/* Nobody asks any more: stop, and free. NULL is fine. */
void proving_stop(struct proving *proving);

#endif
