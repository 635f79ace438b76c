/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/fit.h"

#include <errno.h>
#include <string.h>

/* Size all levels for `count` stripes. `*reached`: what the fullest one has room for, `*fullest` which. */
static int resize_all(struct session *session, struct parity *const parity[LEVEL_MAX], stripe_t count,
		      stripe_t *reached, level_t *fullest)
{
	struct array *array = session->array;

	*reached = count;
	for (level_t l = 0; l < array->level_count; ++l) {
		int64_t got = parity_resize(parity[l], count, session->options->test.parity_limit, l);

		if (got < 0) {
			report(EV_PARITY_RESIZE, array->level[l].name, array->level[l].split[0].path, strerror(errno));
			return -1;
		}
		if ((stripe_t)got < *reached) {
			*reached = (stripe_t)got;
			*fullest = l;
		}
	}
	return 0;
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

static void leave_out_beyond(struct session *session, stripe_t end)
{
	struct array *array = session->array;
	struct tommy_node *next;

	for (unsigned d = 0; d < array->disk_count; ++d) {
		struct disk *disk = array->disk[d];

		for (struct tommy_node *i = tommy_list_head(&disk->files); i != NULL; i = next) {
			struct file *file = i->data;

			next = i->next;
			if (!lies_beyond(file, end))
				continue;
			report(EV_OUT_OF_PARITY, disk->name, file->path);
			++session->errors.soft;
			drop_links_to(disk, file->path);
			disk_remove_file(disk, file);
		}
	}
}

int fit_parity(struct session *session, struct parity *const parity[LEVEL_MAX])
{
	struct array *array = session->array;
	stripe_t count = array_stripe_count(array), reached;
	level_t fullest = 0;

	if (resize_all(session, parity, count, &reached, &fullest) < 0)
		return -1;
	if (reached == count)
		return 0;
	if (reached < array_used_count(array)) {
		report(EV_PARITY_FULL_OLD, array->level[fullest].name, (count - reached) * array->block_size);
		return -1;
	}
	report(EV_PARITY_FULL, array->level[fullest].name, (count - reached) * array->block_size);
	leave_out_beyond(session, reached);
	return resize_all(session, parity, array_stripe_count(array), &reached, &fullest);
}
