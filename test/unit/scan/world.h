/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disks as directories below a temporary one, and the array that protects them, for tests of the scan.
 *
 * Entries are met in the order of their names, so that what a scan says can be compared as text. */
#ifndef UNIT_SCAN_WORLD_H
#define UNIT_SCAN_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "array/array.h"
#include "config/config.h"
#include "config/filter.h"
#include "scan/scan.h"

#define BLOCK 1024
#define NSEC 123456789

struct world {
	char root[32];
	struct array *array;
	struct config config;
	struct scan_options options;
	struct scan *scan;	/* the latest one */
	char *log;		/* what it logged */
	char *text;		/* result of the latest world_items() or world_layout() */
};

extern unsigned world_helpers;	/* of the scans of worlds set up from now on */
/* For cmocka: a world of two disks d1 and d2 whose inodes are trusted. */
int world_setup(void **state);
int world_teardown(void **state);

/* Paths begin with the name of the disk. Directories above are made. */
void world_put(struct world *w, const char *path, size_t size, int64_t sec, uint32_t nsec);
void world_touch(struct world *w, const char *path, int64_t sec, uint32_t nsec);
void world_text(struct world *w, const char *path, const char *text);
void world_move(struct world *w, const char *from, const char *to);
void world_copy(struct world *w, const char *from, const char *to);	/* with its times */
void world_link(struct world *w, const char *old, const char *path);
void world_symlink(struct world *w, const char *text, const char *path);
void world_dir(struct world *w, const char *path);
void world_remove(struct world *w, const char *path);
const char *world_path(struct world *w, const char *path);	/* absolute; until the next call */

void world_trust(struct world *w, bool trusted);
/* Scan as diff does. false: refused. */
bool world_scan(struct world *w);
/* scan_prove of the latest scan. */
int world_prove(struct world *w);
/* The items of a new scan, one a line, without "scan:". */
const char *world_items(struct world *w);
bool world_said(const struct world *w, const char *part);
/* Scan, apply, and take all of it as synced: every block BLK with a hash of its own, no DELETED. */
void world_sync(struct world *w);
void world_scan_and_apply(struct world *w);
struct file *world_file(struct world *w, const char *path);	/* recorded; NULL */
/* The blocks of a disk: "NAME@AT+COUNT:STATE", state as in the content file: b g p o. */
const char *world_layout(struct world *w, unsigned disk);

#define assert_items(w, expected) assert_string_equal(world_items(w), expected)
#define assert_layout(w, disk, expected) assert_string_equal(world_layout(w, disk), expected)

#endif
