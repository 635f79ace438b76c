/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan/scan.h"

#include <stdlib.h>
#include <string.h>

#include "os/block.h"
#include "os/thread.h"
#include "scan/inside.h"

#define HELPERS_MAX	4	/* of one disk; the walk keeps no more busy */

/* Words for an item of the scan. */
struct item_events {
	enum event add, remove, restore, update, update_link, move, copy, relocate;
};

static const struct item_events sync_events = {
	EV_SCAN_ADD, EV_SCAN_REMOVE, EV_SCAN_RESTORE, EV_SCAN_UPDATE, EV_SCAN_UPDATE_LINK, EV_SCAN_MOVE,
	EV_SCAN_COPY, EV_SCAN_RELOCATE,
};

static const struct item_events diff_events = {
	EV_DIFF_ADD, EV_DIFF_REMOVE, EV_DIFF_RESTORE, EV_DIFF_UPDATE, EV_DIFF_UPDATE_LINK, EV_DIFF_MOVE,
	EV_DIFF_COPY, EV_DIFF_RELOCATE,
};

static void *tree_run(void *argument)
{
	struct tree *tree = argument;

	tree_walk(tree);
	if (!tree->failed)
		tree_match(tree);
	return NULL;
}

uint64_t tree_report_notes(const struct tree *tree)
{
	const struct disk *disk = tree->disk;
	uint64_t left_out = 0;

	for (size_t i = 0; i < tree->note_count; ++i) {
		const struct note *note = &tree->note[i];

		report(note->event, disk->name, disk->dir, note->path,
		       note->text != NULL ? note->text : (const char *)strerror(note->error), note->line);
		left_out += note->event == EV_SCAN_TOO_LONG;
	}
	return left_out;
}

/* Do the heads of a disk have to move for it? Of a file system that is on no known disk that is taken to be so. */
static bool has_heads(const struct disk *disk)
{
	struct os_disk_list below = { 0 };
	uint64_t number;
	bool has = os_block_below(disk->dir, &number, &below) < 0 || below.count == 0;

	for (unsigned i = 0; i < below.count; ++i)
		has |= below.disk[i].rotational;
	os_disk_list_done(&below);
	return has;
}

/* The cores that the walks leave free read for those that can be read in several places at once. */
static void give_helpers(struct scan *scan)
{
	unsigned cores = thread_cpu_count(), each = scan->options.helpers;

	if (scan->options.one_by_one || scan->tree_count == 0)
		return;
	if (each == 0 && cores > scan->tree_count)
		each = (cores - 1) / scan->tree_count;
	if (each > HELPERS_MAX)
		each = HELPERS_MAX;
	for (unsigned i = 0; each > 0 && i < scan->tree_count; ++i)
		if (scan->options.helpers != 0 || !has_heads(scan->tree[i].disk))
			scan->tree[i].helpers = each;
}

/* Returns -1 if a tree could not be read. */
static int trees_run(struct scan *scan)
{
	thread_t *thread = mem_alloc(scan->tree_count * sizeof(*thread));
	bool one_by_one = scan->options.one_by_one;
	int rc = 0;

	give_helpers(scan);
	for (unsigned i = 0; i < scan->tree_count; ++i) {
		thread_start(&thread[i], tree_run, &scan->tree[i]);
		if (one_by_one)
			thread_join(thread[i]);
	}
	for (unsigned i = 0; i < scan->tree_count; ++i) {
		struct tree *tree = &scan->tree[i];

		if (!one_by_one)
			thread_join(thread[i]);
		if (!scan->options.diff && !tree->failed)
			report(EV_SCAN_DISK, tree->disk->name, (tree->elapsed_ms + 500) / 1000);
		scan->counts.left_out += tree_report_notes(tree);
		if (tree->failed)
			rc = -1;
	}
	free(thread);
	return rc;
}

static uint32_t nsec_shown(const struct stamp *stamp)
{
	return stamp->mtime_nsec != NSEC_UNKNOWN ? stamp->mtime_nsec : 0;
}

static void report_update(const struct item_events *events, const char *name, const struct found *found)
{
	const struct stamp *was, *now = &found->stamp;

	if (found->kind != FOUND_FILE) {
		report(events->update_link, name, found->path);
		return;
	}
	was = &found->was.file->stamp;
	report(events->update, name, found->path, was->size, was->mtime_sec, nsec_shown(was), now->size,
	       now->mtime_sec, nsec_shown(now));
}

/* Count an entry and tell of it. */
static void take_found(struct scan *scan, const struct item_events *events, const struct tree *tree,
		       const struct found *found)
{
	struct scan_counts *counts = &scan->counts;
	const char *name = tree->disk->name;

	switch (found->as) {
	case AS_EQUAL:
		counts->equal++;
		if (scan->options.report_equal)
			report(EV_SCAN_EQUAL, name, found->path);
		break;
	case AS_ADDED:
		counts->added++;
		report(events->add, name, found->path);
		break;
	case AS_MOVED:
		counts->moved++;
		report(events->move, name, found->was.file->path, found->path);
		break;
	case AS_RESTORED:
		counts->restored++;
		report(events->restore, name, found->path);
		break;
	case AS_UPDATED:
		counts->updated++;
		report_update(events, name, found);
		break;
	case AS_COPIED:
		counts->copied++;
		report(events->copy, found->source_disk->name, found->source->path, name, found->path);
		break;
	case AS_RELOCATED:
		counts->relocated++;
		report(events->relocate, found->source_disk->name, found->source->path, name, found->path);
		break;
	}
}

static void take_removed(struct scan *scan, const struct item_events *events, const struct disk *disk)
{
	const struct tommy_node *n;

	for (n = tommy_list_head(&disk->files); n != NULL; n = n->next) {
		const struct file *file = n->data;

		if (file->mark != FATE_GONE)
			continue;
		scan->counts.removed++;
		report(events->remove, disk->name, file->path);
	}
	for (n = tommy_list_head(&disk->links); n != NULL; n = n->next) {
		const struct link *link = n->data;

		if (link->mark != FATE_GONE)
			continue;
		scan->counts.removed++;
		report(events->remove, disk->name, link->path);
	}
}

/* Count and tell all items: disk by disk, what was removed at the end. Empty directories are no items. */
static void take_items(struct scan *scan)
{
	const struct item_events *events = scan->options.diff ? &diff_events : &sync_events;

	for (unsigned t = 0; t < scan->tree_count; ++t) {
		const struct tree *tree = &scan->tree[t];

		for (size_t i = 0; i < tree->count; ++i)
			if (tree->found[i].kind != FOUND_DIR)
				take_found(scan, events, tree, &tree->found[i]);
	}
	for (unsigned t = 0; t < scan->tree_count; ++t)
		take_removed(scan, events, scan->tree[t].disk);
}

static void take_all_as_equal(struct scan *scan)
{
	for (unsigned i = 0; i < scan->tree_count; ++i) {
		const struct disk *disk = scan->tree[i].disk;

		tree_keep_all(&scan->tree[i]);
		scan->counts.equal += disk->file_count + disk->link_count;
	}
}

static struct scan *scan_new(struct array *array, const struct config *config,
			     const struct scan_options *options)
{
	struct scan *scan = mem_zalloc(sizeof(*scan));

	scan->array = array;
	scan->options = *options;
	scan->tree_count = array->disk_count;
	scan->tree = mem_zalloc(scan->tree_count * sizeof(*scan->tree));
	for (unsigned i = 0; i < scan->tree_count; ++i)
		scan->tree[i] = (struct tree){ .disk = array->disk[i], .config = config, .arena = arena_new(),
					       .options = &scan->options };
	return scan;
}

struct scan *scan_disks(struct array *array, const struct config *config, const struct scan_options *options)
{
	struct scan *scan = scan_new(array, config, options);

	report(options->diff ? EV_DIFF_START : EV_SCAN_START);
	report(EV_SCAN_BEGIN);
	if (options->skip_access) {
		take_all_as_equal(scan);
		return scan;
	}
	if (trees_run(scan) < 0) {
		scan_free(scan);
		return NULL;
	}
	copies_find(scan);
	take_items(scan);
	return scan;
}

void scan_free(struct scan *scan)
{
	if (scan == NULL)
		return;
	for (unsigned i = 0; i < scan->tree_count; ++i) {
		struct tree *tree = &scan->tree[i];

		for (size_t j = 0; j < tree->count; ++j)
			free(tree->found[j].hashes);
		free(tree->found);
		free(tree->dir);
		free(tree->note);
		arena_free(tree->arena);
	}
	free(scan->tree);
	free(scan);
}

const struct scan_counts *scan_counts(const struct scan *scan)
{
	return &scan->counts;
}

bool scan_differs(const struct scan *scan)
{
	const struct scan_counts *c = &scan->counts;

	return c->added + c->removed + c->updated + c->moved + c->copied + c->relocated + c->restored > 0;
}

void scan_report_summary(const struct scan *scan, bool diff)
{
	const struct scan_counts *c = &scan->counts;

	if (diff) {
		guard_warn(scan);
		report(EV_DIFF_COUNTS, c->equal, c->added, c->removed, c->updated, c->moved, c->copied,
		       c->relocated, c->restored);
	}
	report(EV_SUMMARY_EQUAL, c->equal);
	report(EV_SUMMARY_ADDED, c->added);
	report(EV_SUMMARY_REMOVED, c->removed);
	report(EV_SUMMARY_UPDATED, c->updated);
	report(EV_SUMMARY_MOVED, c->moved);
	report(EV_SUMMARY_COPIED, c->copied);
	report(EV_SUMMARY_RELOCATED, c->relocated);
	report(EV_SUMMARY_RESTORED, c->restored);
	report(EV_SCAN_END);
}
