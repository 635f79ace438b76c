/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list: the files and links of the last sync, disk by disk, by path. */
#include "command/command.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tommyds/tommyarray.h"

#define GB 1000000000	/* of the screen: decimal */

#define TIME_COLUMNS "                "				/* YYYY/MM/DD HH:MM */
#define TIME_COLUMNS_VERBOSE "                             "	/* YYYY/MM/DD HH:MM:SS.nnnnnnnnn */

struct total {
	uint64_t files, links, bytes;
};

static int compare_files(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static int compare_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void sorted(struct tommy_array *array, const struct tommy_list *list, tommy_compare_fn *compare)
{
	const struct tommy_node *node;

	tommy_array_init(array);
	for (node = tommy_list_head(list); node != NULL; node = node->next)
		tommy_array_insert(array, node->data);
	tommy_array_sort(array, compare);
}

/* The local time as a reader of columns wants it. Any 64 bit time may stand in a content file: one beyond
 * the calendar is shown as seconds. */
static void format_time(char *text, size_t size, const struct stamp *stamp)
{
	time_t seconds = (time_t)stamp->mtime_sec;
	struct tm tm;
	size_t used;

	if (localtime_r(&seconds, &tm) == NULL) {
		snprintf(text, size, "@%lld", (long long)seconds);
		return;
	}
	used = strftime(text, size, report_verbose() ? "%Y/%m/%d %H:%M:%S" : "%Y/%m/%d %H:%M", &tm);
	if (report_verbose())
		snprintf(text + used, size - used, ".%09u",
			 stamp->mtime_nsec == NSEC_UNKNOWN ? 0 : stamp->mtime_nsec);
}

static void list_files(const struct disk *disk, struct total *total)
{
	struct tommy_array files;
	size_t i;

	sorted(&files, &disk->files, compare_files);
	for (i = 0; i < tommy_array_count(&files); ++i) {
		const struct file *file = tommy_array_get(&files, i);
		const struct stamp *stamp = &file->stamp;
		char when[64];

		format_time(when, sizeof(when), stamp);
		report(EV_LIST_FILE, stamp->size, (const char *)when, file->path, disk->name, stamp->mtime_sec,
		       stamp->mtime_nsec == NSEC_UNKNOWN ? -1 : (int64_t)stamp->mtime_nsec, file->inode);
		total->bytes += stamp->size;
	}
	total->files += tommy_array_count(&files);
	tommy_array_done(&files);
}

static void list_links(const struct disk *disk, struct total *total)
{
	struct tommy_array links;
	size_t i;

	sorted(&links, &disk->links, compare_links);
	for (i = 0; i < tommy_array_count(&links); ++i) {
		const struct link *link = tommy_array_get(&links, i);

		report(EV_LIST_LINK, link->hard ? "hardlink" : "symlink",
		       report_verbose() ? TIME_COLUMNS_VERBOSE : TIME_COLUMNS, link->path, link->target,
		       disk->name);
	}
	total->links += tommy_array_count(&links);
	tommy_array_done(&links);
}

int command_list(struct session *session)
{
	const struct array *array = session->array;
	struct total total = { 0 };
	unsigned d;

	report(EV_LIST_BEGIN);
	for (d = 0; d < array->disk_count; ++d) {
		list_files(array->disk[d], &total);
		list_links(array->disk[d], &total);
	}
	report(EV_LIST_END, total.files, total.bytes / GB, total.links, total.bytes);
	report(EV_SHOW_EXIT, "ok");
	return 0;
}
