/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disks as they are now against the array: all disks walked at once, every entry classified.
 *
 * scan_disks changes nothing in the array but marks; scan_apply makes the array what was found. diff is a
 * scan that is reported and thrown away. behaviour.md 3. */
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#include "array/array.h"
#include "report/report.h"

struct config;
struct threshold;
struct scan;

struct scan_options {
	/* Of new files in the parity; ALPHA and DIR are also the order of the walk. */
	enum scan_order { SCAN_PHYSICAL, SCAN_INODE, SCAN_ALPHA, SCAN_DIR } order;
	bool nocopy;			/* -N */
	bool one_by_one;		/* --test-skip-multi-scan */
	unsigned helpers;		/* threads that read directories of a disk ahead of its walk; 0: chosen */
	bool diff;			/* items are lines on the screen; else -v shows them */
	bool report_equal;		/* log scan:equal (--gui-verbose) */
	bool keep_metadata;		/* scan_apply records modes, owners, times and extended attributes */
	bool skip_access;		/* nothing is walked, all is taken to be as recorded */
	stripe_t growth_most;		/* stripes that the parity can grow by */
	/* Absolute paths that are never part of the array, nor with a content_suffix at the end: content files. */
	const char *const *own_file;
	unsigned own_count;
};

struct scan_counts {
	uint64_t equal, added, removed, updated, moved, copied, relocated, restored;
	uint64_t left_out;		/* that have too long a path */
};

/* NULL: a directory or entry could not be read; said. Items are reported (add, remove, ...) in the order of
 * the configuration once all disks are walked. */
struct scan *scan_disks(struct array *array, const struct config *config, const struct scan_options *options);
void scan_free(struct scan *scan);		/* NULL is fine */

const struct scan_counts *scan_counts(const struct scan *scan);
bool scan_differs(const struct scan *scan);	/* anything but equal */
void scan_report_summary(const struct scan *scan, bool diff);	/* the count lines of diff; tags always */

/* Safety stops of behaviour.md 4 that a scan can tell: a file gone to zero size, a disk that lost all. */
struct scan_guard {
	bool allow_zero, allow_empty;	/* -Z -E */
};
/* -1: refused; said, with the option that lets it through. */
int scan_check(const struct scan *scan, const struct scan_guard *guard);

/* Read the files whose old place a sync would give up, as they seem to have gone elsewhere. -1: one has other data
 * than was synced, or cannot be read; said. */
int scan_prove(struct scan *scan);

#define SCAN_EXAMPLES	10	/* files named where a scan is refused, at most */

/* Does the number of removed or updated files and links reach a threshold? Then it is told, with examples. The
 * first event gets how many, of how many, "removed" or "updated", the threshold; the others as in guard.c. */
enum scan_what { SCAN_REMOVED, SCAN_UPDATED };
struct scan_limit_events {
	enum event reached, example, more;
};
bool scan_reaches(const struct scan *scan, enum scan_what what, const struct threshold *threshold,
		  const struct scan_limit_events *events);

/* Make the array what was found: removals first, then placements, disk by disk. Sets array->changed if
 * anything at all has to be saved. A file that cannot fit is there without a block, and is to be taken out. Once only. */
void scan_apply(struct scan *scan, struct array *array);

#endif
