/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan can tell of a disaster about to be taken for the will of the user. behaviour.md 4.
 *
 * diff warns, sync refuses: the same findings in two sets of events. */
#include "scan/inside.h"

#define NEXT_TO_NOTHING	100	/* one file in so many */

struct guard_events {
	enum event zero, empty, elsewhere, example, more;
};

static const struct guard_events guard_stops = {
	EV_SCAN_ZERO_STOP, EV_SCAN_EMPTY_STOP, EV_SCAN_ELSEWHERE_STOP, EV_SCAN_EXAMPLE_STOP, EV_SCAN_MORE_STOP,
};

static const struct guard_events guard_warnings = {
	EV_SCAN_ZERO_WARN, EV_SCAN_EMPTY_WARN, EV_SCAN_ELSEWHERE_WARN, EV_SCAN_EXAMPLE_WARN, EV_SCAN_MORE_WARN,
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
	for (unsigned t = 0; t < scan->tree_count && said < SCAN_EXAMPLES; ++t) {
		const struct tree *tree = &scan->tree[t];

		for (size_t i = 0; i < tree->count && said < SCAN_EXAMPLES; ++i) {
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
 * second, as by a copy to another file system, does too; so does one copied to another place of the disk. */
static bool is_witness(const struct disk *disk, const struct found *found)
{
	if (found->as == AS_EQUAL || found->as == AS_MOVED || found->as == AS_RESTORED)
		return true;
	if (found->as == AS_RELOCATED)
		return found->source_disk == disk;
	return found->kind == FOUND_FILE && found->as == AS_UPDATED &&
	       found->was.file->stamp.size == found->stamp.size &&
	       found->was.file->stamp.mtime_sec == found->stamp.mtime_sec;
}

/* Whether links witness for a disk: only if it has nothing else. They are left where files are lost, and many disks
 * have the same ones. */
static bool links_count(const struct disk *disk)
{
	return disk->file_count == 0;
}

static uint64_t count_recorded(const struct disk *disk)
{
	return links_count(disk) ? disk->link_count : disk->file_count;
}

static uint64_t count_left(const struct tree *tree)
{
	uint64_t count = 0;

	for (size_t i = 0; i < tree->count; ++i) {
		const struct found *found = &tree->found[i];

		if (found->kind != FOUND_DIR && (found->kind == FOUND_FILE || links_count(tree->disk)))
			count += is_witness(tree->disk, found);
	}
	return count;
}

/* Files of that disk whose data was found on others. */
static uint64_t count_elsewhere(const struct scan *scan, const struct disk *disk)
{
	uint64_t count = 0;

	for (unsigned t = 0; t < scan->tree_count; ++t) {
		const struct tree *tree = &scan->tree[t];

		for (size_t i = 0; tree->disk != disk && i < tree->count; ++i)
			count += tree->found[i].source_disk == disk;
	}
	return count;
}

/* Nothing of the disk is as it was, or of many files next to nothing: it is gone, or is another one. Files that
 * seem to be on other disks now are no comfort: when two disks change places all of them do. A single one may go. */
static bool has_lost_all(const struct scan *scan, const struct tree *tree)
{
	uint64_t recorded = count_recorded(tree->disk);

	if (recorded == 0 || count_left(tree) * NEXT_TO_NOTHING > recorded)
		return false;
	return recorded > 1 || count_elsewhere(scan, tree->disk) == 0;
}

static void say_lost(const struct scan *scan, const struct tree *tree, const struct guard_events *events)
{
	const struct disk *disk = tree->disk;
	uint64_t recorded = count_recorded(disk), left = count_left(tree), said = 0;
	uint64_t elsewhere = count_elsewhere(scan, disk);
	const struct tommy_node *n;

	report(events->empty, disk->name, disk->dir, recorded, left);
	for (n = tommy_list_head(&disk->files); n != NULL && said < SCAN_EXAMPLES; n = n->next) {
		const struct file *file = n->data;

		if (file->mark == FATE_KEPT)
			continue;
		report(events->example, disk->dir, file->path);
		++said;
	}
	if (links_count(disk))
		for (n = tommy_list_head(&disk->links); n != NULL && said < SCAN_EXAMPLES; n = n->next, ++said)
			report(events->example, disk->dir, ((const struct link *)n->data)->path);
	if (recorded - left > said)
		report(events->more, recorded - left - said);
	if (elsewhere > 0)
		report(events->elsewhere, disk->name, elsewhere);
}

/* Disks that lost all. Returns how many. */
static unsigned say_empty_disks(const struct scan *scan, const struct guard_events *events)
{
	unsigned count = 0;

	for (unsigned i = 0; !scan->options.skip_access && i < scan->tree_count; ++i) {
		if (!has_lost_all(scan, &scan->tree[i]))
			continue;
		say_lost(scan, &scan->tree[i], events);
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
