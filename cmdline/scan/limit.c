/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many files of a scan are removed or updated, against what the user takes for normal. */
#include <stdio.h>

#include "config/config.h"
#include "scan/inside.h"

struct examples {
	enum event event;
	uint64_t said;
};

/* Returns whether there is room for one more. */
static bool say_example(struct examples *examples, const struct disk *disk, const char *path)
{
	report(examples->event, disk->dir, path);
	return ++examples->said < SCAN_EXAMPLES;
}

static void say_removed(const struct scan *scan, struct examples *examples)
{
	const struct tommy_node *n;

	for (unsigned t = 0; t < scan->tree_count; ++t) {
		const struct disk *disk = scan->tree[t].disk;

		for (n = tommy_list_head(&disk->files); n != NULL; n = n->next) {
			const struct file *file = n->data;

			if (file->mark == FATE_GONE && !say_example(examples, disk, file->path))
				return;
		}
		for (n = tommy_list_head(&disk->links); n != NULL; n = n->next) {
			const struct link *link = n->data;

			if (link->mark == FATE_GONE && !say_example(examples, disk, link->path))
				return;
		}
	}
}

static void say_updated(const struct scan *scan, struct examples *examples)
{
	for (unsigned t = 0; t < scan->tree_count; ++t) {
		const struct tree *tree = &scan->tree[t];

		for (size_t i = 0; i < tree->count; ++i) {
			const struct found *found = &tree->found[i];

			if (found->kind != FOUND_DIR && found->as == AS_UPDATED &&
			    !say_example(examples, tree->disk, found->path))
				return;
		}
	}
}

/* All files and links that were there before. */
static uint64_t recorded_count(const struct scan *scan)
{
	uint64_t count = 0;

	for (unsigned t = 0; t < scan->tree_count; ++t)
		count += scan->tree[t].disk->file_count + scan->tree[t].disk->link_count;
	return count;
}

static bool is_reached(const struct threshold *threshold, uint64_t count, uint64_t recorded)
{
	if (!threshold->given)
		return false;
	return threshold->percent ? count > 0 && count * 100 >= threshold->at * recorded : count >= threshold->at;
}

bool scan_reaches(const struct scan *scan, enum scan_what what, const struct threshold *threshold,
		  const struct scan_limit_events *events)
{
	uint64_t count = what == SCAN_REMOVED ? scan->counts.removed : scan->counts.updated;
	uint64_t recorded = recorded_count(scan);
	struct examples examples = { events->example, 0 };
	char limit[32];

	if (!is_reached(threshold, count, recorded))
		return false;
	snprintf(limit, sizeof(limit), "%llu%s", (unsigned long long)threshold->at, threshold->percent ? "%" : "");
	report(events->reached, count, recorded, what == SCAN_REMOVED ? "removed" : "updated", (const char *)limit);
	if (what == SCAN_REMOVED)
		say_removed(scan, &examples);
	else
		say_updated(scan, &examples);
	if (count > examples.said)
		report(events->more, count - examples.said);
	return true;
}
