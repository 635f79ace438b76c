/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/content.h"

#include <stdlib.h>
#include <string.h>

#include "content/copies.h"
#include "content/journal.h"
#include "content/record.h"
#include "content/side.h"
#include "content/summary.h"
#include "os/clock.h"
#include "report/report.h"

/* The newest copy that proves whole. NULL: none, or one that ends the search; said. */
static struct content *load_newest(struct copy *const *copy, unsigned count, struct array *array,
				   struct copy **used)
{
	struct content *content;
	char *why;

	for (unsigned i = 0; i < count; i++) {
		enum content_state state;

		if (copy[i]->damaged)
			continue;
		report(EV_CONTENT_LOADING, copy[i]->path);
		state = content_map(copy[i]->path, &content, &why);
		if (state == CONTENT_WHOLE) {
			report(EV_CONTENT_USED, copy[i]->path);
			*used = copy[i];
			return content;
		}
		report(state == CONTENT_NEWER ? EV_CONTENT_NEWER : EV_CONTENT_DAMAGED, copy[i]->path, why);
		free(why);
		if (state == CONTENT_NEWER)
			return NULL;
		copy[i]->damaged = true;
		array->changed = true;
	}
	report(EV_CONTENT_NO_USABLE);
	return NULL;
}

static void report_absent(struct copy *copy, unsigned count, unsigned present, struct array *array)
{
	unsigned left = present;

	for (unsigned i = 0; i < count; i++) {
		if (copy[i].state == COPY_PRESENT) {
			left--;
			continue;
		}
		array->changed = true;
		if (copy[i].state == COPY_UNREADABLE)
			report(EV_CONTENT_UNREADABLE, copy[i].path, strerror(copy[i].error));
		else
			report(left > 0 ? EV_CONTENT_MISSING : EV_CONTENT_GONE, copy[i].path);
	}
}

static void report_stale(struct copy *copy, unsigned count, const struct copy *used, struct array *array)
{
	for (unsigned i = 0; i < count; i++) {
		if (copy[i].state != COPY_PRESENT ||
		    (!copy[i].damaged && copy[i].size == used->size && copy[i].tail == used->tail))
			continue;
		if (!copy[i].damaged)
			report(EV_CONTENT_STALE, copy[i].path, used->path);
		array->changed = true;
	}
}

/* No copy can be opened at all. */
static enum content_result load_nothing(struct copy *copy, unsigned count, struct array *array)
{
	bool unreadable = false;

	for (unsigned i = 0; i < count; i++)
		if (copy[i].state == COPY_UNREADABLE)
			unreadable = true;
	if (unreadable) {
		report_absent(copy, count, 0, array);
		report(EV_CONTENT_NO_USABLE);
		return CONTENT_BAD;
	}
	for (unsigned i = 0; i + 1 < count; i++)
		report(EV_CONTENT_MISSING, copy[i].path);
	report(EV_CONTENT_NONE);
	return CONTENT_NONE;
}

static void forget_split_sizes(struct array *array)
{
	for (unsigned i = 0; i < array->level_count; i++)
		for (unsigned j = 0; j < array->level[i].split_count; j++)
			array->level[i].split[j].size_bytes = SPLIT_SIZE_UNKNOWN;
}

/* Bytes to array. -1; said, unless it is a look only. */
static int decode(const struct content_load *load, const char *path, const struct content *content,
		  struct array *array, bool look)
{
	struct decoder *d = mem_zalloc(sizeof(*d));
	int rc;

	d->path = path;
	d->load = load;
	d->array = array;
	d->kept = content->data;
	rc = record_decode(d, content->data, content->size);
	if (rc < 0 && !look)
		report(d->trouble == TROUBLE_NEWER  ? EV_CONTENT_NEWER :
		       d->trouble == TROUBLE_CONFIG ? EV_CONTENT_UNFIT :
						      EV_CONTENT_BROKEN, path, d->text);
	decoder_done(d);
	free(d);
	return rc;
}

enum content_result content_load(const struct content_load *load, struct array *array,
				 struct content **content)
{
	struct copy *copy = copies_look(load->path, load->count);
	struct copy *used;
	unsigned present;
	struct copy **by_age = copies_by_age(copy, load->count, &present);
	enum content_result result = CONTENT_BAD;

	*content = NULL;
	forget_split_sizes(array);
	if (present == 0) {
		result = load_nothing(copy, load->count, array);
		goto out;
	}
	report_absent(copy, load->count, present, array);
	*content = load_newest(by_age, present, array, &used);
	if (*content == NULL)
		goto out;
	copies_loaded(copy, load->count, used, *content);
	report_stale(copy, load->count, used, array);
	if (decode(load, used->path, *content, array, false) < 0)
		goto out;
	side_load(copy, load->count, used, array);
	journal_replay(load->path, load->count, used->tail, used->size, array);
	if (load->prove_copies)
		(*content)->proving = proving_begin(copy, load->count, used, array->saved != 0);
	report(EV_CONTENT_READ_TIME, os_wall_seconds());
	summary_report(array, true);
	result = CONTENT_LOADED;
out:
	free(by_age);
	free(copy);
	return result;
}

void content_prove_copies(struct content *content, struct array *array)
{
	if (content == NULL || content->proving == NULL)
		return;
	if (!proving_end(content->proving))
		array->changed = true;
	content->proving = NULL;
}

struct array *content_read(const struct content *content, const char *path)
{
	struct array *array = array_new(BLOCK_SIZE_MIN, HASH_BYTES_MAX);

	if (decode(NULL, path, content, array, true) == 0)
		return array;
	array_free(array);
	return NULL;
}

struct array *content_load_alone(const char *path, struct content **content)
{
	struct copy copy = { .path = path, .state = COPY_PRESENT };
	struct copy *list[] = { &copy };
	struct array *array = array_new(BLOCK_SIZE_MIN, HASH_BYTES_MAX);
	struct copy *used;

	*content = load_newest(list, 1, array, &used);
	if (*content == NULL || decode(NULL, path, *content, array, false) < 0) {
		array_free(array);
		content_close(*content);
		*content = NULL;
		return NULL;
	}
	return array;
}
