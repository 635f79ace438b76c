/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array/place.h"
#include "os/thread.h"

/* One level on its way to `count` stripes. */
struct resize {
	struct parity *parity;
	stripe_t count;
	uint64_t limit;
	level_t level;
	uint64_t before[SPLIT_MAX];	/* bytes of the files */
	bool anew;
	thread_t thread;
	int64_t reached;
	int error;
};

static void *resize_level(void *argument)
{
	struct resize *resize = argument;

	resize->reached = (resize->anew ? parity_reserve : parity_resize)(resize->parity, resize->count, resize->limit,
									   resize->level);
	resize->error = errno;
	return NULL;
}

static void log_sizes(const struct level *level, const uint64_t before[SPLIT_MAX])
{
	for (unsigned s = 0; s < level->split_count; ++s) {
		const struct split *split = &level->split[s];

		if (split->size_bytes > before[s])
			report(EV_SPLIT_GROW, split->path, split->size_bytes);
		else if (split->size_bytes < before[s])
			report(EV_SPLIT_SHRINK, split->path, split->size_bytes);
	}
}

/* Size all levels for `count` stripes, each on its own disk at the same time. `*reached`: what the fullest one has
 * room for, `*fullest` which. */
static int resize_all(struct session *session, struct parity *const parity[LEVEL_MAX], stripe_t count,
		      stripe_t *reached, level_t *fullest)
{
	struct array *array = session->array;
	const struct options *options = session->options;
	struct resize resize[LEVEL_MAX];
	int rc = 0;

	*reached = count;
	for (level_t l = 0; l < array->level_count; ++l) {
		resize[l] = (struct resize){
			.parity = parity[l],
			.count = count,
			.limit = options->test.parity_limit,
			.level = l,
			/* Of a level that is made anew only what is written may be there, until the content says
			 * what is not. */
			.anew = options->force_full,
		};
		for (unsigned s = 0; s < array->level[l].split_count; ++s)
			resize[l].before[s] = parity_file_bytes(parity[l], s);
		thread_start(&resize[l].thread, resize_level, &resize[l]);
	}
	for (level_t l = 0; l < array->level_count; ++l) {
		thread_join(resize[l].thread);
		if (resize[l].reached < 0) {
			report(EV_PARITY_RESIZE, array->level[l].name, array->level[l].split[0].path,
			       strerror(resize[l].error));
			rc = -1;
			continue;
		}
		log_sizes(&array->level[l], resize[l].before);
		if ((stripe_t)resize[l].reached < *reached) {
			*reached = (stripe_t)resize[l].reached;
			*fullest = l;
		}
	}
	return rc;
}

static bool lies_beyond(const struct file *file, stripe_t end)
{
	for (const struct extent *e = file->extent; e != NULL; e = e->next)
		if (e->at + e->count > end)
			return true;
	return false;
}

/* A hard link to a file that is left out is left out, too. */
static void drop_links_to(struct disk *disk, const char *path)
{
	struct tommy_node *next;

	for (struct tommy_node *i = tommy_list_head(&disk->links); i != NULL; i = next) {
		struct link *link = i->data;

		next = i->next;
		if (link->hard && strcmp(link->target, path) == 0)
			disk_remove_link(disk, link);
	}
}

static void leave_out(struct session *session, struct disk *disk, struct file *file)
{
	report(EV_OUT_OF_PARITY, disk->name, file->path);
	++session->errors.soft;
	++session->left_out;
	drop_links_to(disk, file->path);
	disk_remove_file(disk, file);
}

void fit_leave_out(struct session *session)
{
	struct array *array = session->array;
	struct tommy_node *next;

	for (unsigned d = 0; d < array->disk_count; ++d)
		for (struct tommy_node *i = tommy_list_head(&array->disk[d]->files); i != NULL; i = next) {
			struct file *file = i->data;

			next = i->next;
			if (file->extent != NULL || file->stamp.size == 0)
				continue;
			report(EV_FILE_TOO_LARGE, array->disk[d]->name, array->disk[d]->dir, file->path, file->stamp.size);
			leave_out(session, array->disk[d], file);
		}
}

/* The files of a disk that have blocks beyond `end`, in the order of the disk. The list is the caller's. */
static struct file **collect_beyond(const struct disk *disk, stripe_t end, size_t *count)
{
	struct file **list = NULL;
	size_t room = 0;

	*count = 0;
	for (struct tommy_node *i = tommy_list_head(&disk->files); i != NULL; i = i->next) {
		if (!lies_beyond(i->data, end))
			continue;
		mem_grow(&list, *count, &room, sizeof(struct file *));
		list[(*count)++] = i->data;
	}
	return list;
}

/* One file that is too large must not keep out those that were placed behind it: all that lie beyond give up
 * their places, and take what there is one after the other. */
static void leave_out_beyond(struct session *session, struct disk *disk, stripe_t end)
{
	struct array *array = session->array;
	size_t count;
	struct file **list = collect_beyond(disk, end, &count);
	uint8_t **hashes = mem_alloc((count + 1) * sizeof(*hashes));
	struct place place;

	for (size_t i = 0; i < count; ++i) {
		hashes[i] = place_hashes(array, disk, list[i]);
		extent_delete_file(disk->map, list[i]);
	}
	place_begin(&place, array, disk, end);
	for (size_t i = 0; i < count; ++i) {
		if (place_has_room(&place, list[i]))
			place_file(&place, list[i], hashes[i]);
		else
			leave_out(session, disk, list[i]);
		free(hashes[i]);
	}
	place_end(&place);
	free(hashes);
	free(list);
}

static void leave_out_all_beyond(struct session *session, stripe_t end)
{
	for (unsigned d = 0; d < session->array->disk_count; ++d)
		leave_out_beyond(session, session->array->disk[d], end);
}

int fit_parity(struct session *session, struct parity *const parity[LEVEL_MAX])
{
	struct array *array = session->array;
	stripe_t count = array_stripe_count(array), reached;
	level_t fullest = 0;

	if (count > STRIPE_COUNT_MAX) {
		report(EV_STRIPES_FULL, STRIPE_COUNT_MAX, array->block_size / 1024);
		leave_out_all_beyond(session, STRIPE_COUNT_MAX);
		count = array_stripe_count(array);
	}
	if (resize_all(session, parity, count, &reached, &fullest) < 0)
		return -1;
	if (reached == count)
		return 0;
	if (reached < array_used_count(array)) {
		report(EV_PARITY_FULL_OLD, array->level[fullest].name, (count - reached) * array->block_size);
		return -1;
	}
	report(EV_PARITY_FULL, array->level[fullest].name, (count - reached) * array->block_size);
	leave_out_all_beyond(session, reached);
	return resize_all(session, parity, array_stripe_count(array), &reached, &fullest);
}
