/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/suspects.h"

#include <stdlib.h>

#include "base/path.h"
#include "command/pace.h"
#include "command/summary.h"
#include "stripe/job_suspect.h"

/* The stripes where a suspect file has a block that was synced once. */
static struct bitmap *plan(const struct array *array, uint64_t *files)
{
	struct bitmap *stripes = bitmap_new();

	*files = 0;
	for (unsigned d = 0; d < array->disk_count; ++d)
		for (struct tommy_node *i = tommy_list_head(&array->disk[d]->files); i != NULL; i = i->next) {
			struct file *file = i->data;

			if (!file->suspect)
				continue;
			++*files;
			for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next)
				if (file_was_synced(file, extent->state))
					bitmap_set_run(stripes, extent->at, extent->count);
		}
	return stripes;
}

static bool has_promises(const struct file *file)
{
	return !file->was_synced && file_has_state(file, BLOCK_REP);
}

/* Its data is what its owner wants: what was promised of it does not count. */
static void drop_promises(const struct disk *disk, const struct file *file, unsigned hash_size)
{
	struct bitmap *stripes = bitmap_new();
	uint8_t unknown[HASH_BYTES_MAX];

	past_set_unknown(unknown, hash_size);
	for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next)
		if (extent->state == BLOCK_REP)
			bitmap_set_run(stripes, extent->at, extent->count);
	for (stripe_t at = bitmap_next(stripes, 0); at != STRIPE_NONE; at = bitmap_next(stripes, at + 1))
		extent_set(disk->map, at, BLOCK_CHG, unknown);
	bitmap_free(stripes);
}

/* All synced blocks of them were looked at. Who has other data stays suspect until it was accepted, got a time of its
 * own, or was restored. */
static void settle(struct array *array, bool accept)
{
	bool other = false;

	for (unsigned d = 0; d < array->disk_count; ++d)
		for (struct tommy_node *i = tommy_list_head(&array->disk[d]->files); i != NULL; i = i->next) {
			struct file *file = i->data;
			bool taken = accept || file->assumed, promised = has_promises(file);

			if (!file->suspect)
				continue;
			if (file->mark & SUSPECT_OTHER) {
				char *path = path_join(array->disk[d]->dir, file->path);

				report(taken ? EV_SUSPECT_TAKEN : EV_SUSPECT_OTHER, array->disk[d]->name,
				       file->path, path);
				free(path);
				other |= !taken;
			}
			/* Blocks that are not synced are read by the sync itself. One that was promised to be a copy may be
			 * other data then, and if it is damaged the next sync asks what becomes of the file. */
			if (promised && taken)
				drop_promises(array->disk[d], file, array->hash_size);
			file->assumed = promised;
			file->suspect = (file->mark & SUSPECT_UNREAD) ||
					(!taken && (promised || (file->mark & SUSPECT_OTHER)));
			file->mark = 0;
			array->changed = true;
		}
	if (other)
		report(EV_SUSPECT_ADVICE);
}

int suspects_settle(struct session *session)
{
	struct array *array = session->array;
	uint64_t files;
	struct bitmap *stripes = plan(array, &files);
	struct suspect_context job = { .array = array, .errors = &session->errors,
				       .accept = session->options->accept_changed };
	struct pace_state pace;
	struct stripe_run run = { .stripes = stripes, .job = &job_suspect, .context = &job };
	enum run_end end = RUN_COMPLETE;

	if (bitmap_count(stripes) > 0) {
		report(EV_STEP_SUSPECTS, files);
		pace_begin(&pace, session);
		end = pace_run(&pace, &run);
	}
	bitmap_free(stripes);
	if (end == RUN_COMPLETE) {
		settle(array, session->options->accept_changed);
		return -1;
	}
	return pace.signal_hit ? summary_interrupted() : EXIT_FAILURE;
}
