/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan can tell of a disaster about to be taken for the will of the user. behaviour.md 4.
 *
 * diff warns, sync refuses: the same findings in two sets of events. */
#include "scan/inside.h"

#define EXAMPLES_MAX 10

struct guard_events {
	enum event zero, empty, example, more;
};

static const struct guard_events guard_stops = {
	EV_SCAN_ZERO_STOP, EV_SCAN_EMPTY_STOP, EV_SCAN_EXAMPLE_STOP, EV_SCAN_MORE_STOP,
};

static const struct guard_events guard_warnings = {
	EV_SCAN_ZERO_WARN, EV_SCAN_EMPTY_WARN, EV_SCAN_EXAMPLE_WARN, EV_SCAN_MORE_WARN,
};

static bool is_emptied(const struct found *found)
{
	return found->kind == FOUND_FILE && found->as == AS_UPDATED && found->was.file->stamp.size > 0 &&
	       found->stamp.size == 0;
}

/* Files that had data and have none. Returns how many. */
static uint64_t say_emptied(const struct scan *scan, const struct guard_events *events)
{
	uint64_t count = 0, said = 0;

	for (unsigned t = 0; t < scan->tree_count; ++t)
		for (size_t i = 0; i < scan->tree[t].count; ++i)
			count += is_emptied(&scan->tree[t].found[i]);
	if (count == 0)
		return 0;
	report(events->zero, count);
	for (unsigned t = 0; t < scan->tree_count && said < EXAMPLES_MAX; ++t) {
		const struct tree *tree = &scan->tree[t];

		for (size_t i = 0; i < tree->count && said < EXAMPLES_MAX; ++i) {
			if (!is_emptied(&tree->found[i]))
				continue;
			report(events->example, tree->disk->dir, tree->found[i].path);
			said++;
		}
	}
	if (count > said)
		report(events->more, count - said);
	return count;
}

/* Does the entry prove that this is the disk we know? A file whose time lost or changed its fraction of a
 * second, as by a copy to another file system, does too. */
static bool is_witness(const struct found *found)
{
	if (found->kind == FOUND_DIR)
		return false;
	if (found->as == AS_EQUAL || found->as == AS_MOVED || found->as == AS_RESTORED)
		return true;
	return found->kind == FOUND_FILE && found->as == AS_UPDATED &&
	       found->was.file->stamp.size == found->stamp.size &&
	       found->was.file->stamp.mtime_sec == found->stamp.mtime_sec;
}

/* Nothing of the disk is as it was, and something was lost. */
static bool has_lost_all(const struct tree *tree)
{
	const struct tommy_node *n;

	for (size_t i = 0; i < tree->count; ++i)
		if (is_witness(&tree->found[i]))
			return false;
	for (size_t i = 0; i < tree->count; ++i)
		if (tree->found[i].kind != FOUND_DIR && tree->found[i].as == AS_UPDATED)
			return true;
	for (n = tommy_list_head(&tree->disk->files); n != NULL; n = n->next)
		if (((const struct file *)n->data)->mark == FATE_GONE)
			return true;
	for (n = tommy_list_head(&tree->disk->links); n != NULL; n = n->next)
		if (((const struct link *)n->data)->mark == FATE_GONE)
			return true;
	return false;
}

static void say_lost(const struct disk *disk, const struct guard_events *events)
{
	uint64_t count = disk->file_count + disk->link_count, said = 0;
	const struct tommy_node *n;

	report(events->empty, disk->name, disk->dir, count);
	for (n = tommy_list_head(&disk->files); n != NULL && said < EXAMPLES_MAX; n = n->next, ++said)
		report(events->example, disk->dir, ((const struct file *)n->data)->path);
	for (n = tommy_list_head(&disk->links); n != NULL && said < EXAMPLES_MAX; n = n->next, ++said)
		report(events->example, disk->dir, ((const struct link *)n->data)->path);
	if (count > said)
		report(events->more, count - said);
}

/* Disks that lost all. Returns how many. */
static unsigned say_empty_disks(const struct scan *scan, const struct guard_events *events)
{
	unsigned count = 0;

	for (unsigned i = 0; !scan->options.skip_access && i < scan->tree_count; ++i) {
		if (!has_lost_all(&scan->tree[i]))
			continue;
		say_lost(scan->tree[i].disk, events);
		count++;
	}
	return count;
}

void guard_warn(const struct scan *scan)
{
	say_emptied(scan, &guard_warnings);
	say_empty_disks(scan, &guard_warnings);
}

int scan_check(const struct scan *scan, const struct scan_guard *guard)
{
	int rc = 0;

	if (!guard->allow_zero && say_emptied(scan, &guard_stops) > 0)
		rc = -1;
	if (!guard->allow_empty && say_empty_disks(scan, &guard_stops) > 0)
		rc = -1;
	return rc;
}
