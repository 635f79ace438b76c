/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list: the files and links of the last sync, disk by disk, by path. */
#include "command/command.h"

#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/units.h"
#include "tommyds/tommyarray.h"

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

/* A part of a time, of two digits, and what is before it. */
static void add_part(struct buf *text, char before, int value)
{
	buf_char(text, before);
	buf_decimal(text, (unsigned)value, 2, '0');
}

/* The local time as a reader of columns wants it. Any 64 bit time may stand in a content file: one beyond
 * the calendar is shown as seconds. */
static void format_time(struct buf *text, const struct stamp *stamp)
{
	time_t seconds = (time_t)stamp->mtime_sec;
	struct tm tm;

	buf_clear(text);
	if (localtime_r(&seconds, &tm) == NULL || tm.tm_year < -1900) {
		buf_printf(text, "@%lld", (long long)seconds);
		return;
	}
	buf_decimal(text, (uint64_t)(tm.tm_year + INT64_C(1900)), 4, '0');
	add_part(text, '/', tm.tm_mon + 1);
	add_part(text, '/', tm.tm_mday);
	add_part(text, ' ', tm.tm_hour);
	add_part(text, ':', tm.tm_min);
	if (!report_verbose())
		return;
	add_part(text, ':', tm.tm_sec);
	buf_char(text, '.');
	buf_decimal(text, stamp->mtime_nsec == NSEC_UNKNOWN ? 0 : stamp->mtime_nsec, 9, '0');
}

static void list_files(const struct disk *disk, struct total *total)
{
	struct tommy_array files;
	struct buf when = { 0 };
	size_t i;

	sorted(&files, &disk->files, compare_files);
	for (i = 0; i < tommy_array_count(&files); ++i) {
		const struct file *file = tommy_array_get(&files, i);
		const struct stamp *stamp = &file->stamp;

		format_time(&when, stamp);
		report(EV_LIST_FILE, stamp->size, when.data, file->path, disk->name, stamp->mtime_sec,
		       stamp->mtime_nsec == NSEC_UNKNOWN ? -1 : (int64_t)stamp->mtime_nsec, file->inode);
		total->bytes += stamp->size;
	}
	total->files += tommy_array_count(&files);
	tommy_array_done(&files);
	buf_done(&when);
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
