/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan as its parts see it. Inside scan/ only. */
#ifndef SCAN_INSIDE_H
#define SCAN_INSIDE_H

#include "scan/tree.h"

struct scan {
	const struct array *array;
	struct scan_options options;
	struct tree *tree;		/* in the order of the configuration */
	unsigned tree_count;
	struct scan_counts counts;
};

/* Coordinator: tell the notes of a tree. */
uint64_t tree_report_notes(const struct tree *tree);

/* Turn additions and updates whose data is recorded elsewhere into copies and relocations. */
void copies_find(struct scan *scan);

/* Tell what a sync would refuse: see guard.c. */
void guard_warn(const struct scan *scan);

/* Find out what is to be recorded besides data of all that was found: `kept` and `suspect` of the entries. Before
 * anything of the array changes. */
void keep_find(struct scan *scan, struct array *array);
/* Record the directories of a disk. Returns whether anything is other than recorded. */
bool keep_dirs(const struct tree *tree, struct array *array);
bool kept_equal(const struct kept *a, const struct kept *b);

#endif
