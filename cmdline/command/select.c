/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/select.h"

#include <errno.h>

#include "command/wish.h"
#include "config/filter.h"
#include "os/file.h"
#include "plan/fix.h"

struct selector {
	const struct options *options;
	struct wishes *wishes;
	const struct bitmap *bad;	/* NULL: any block */
};

static bool any_matches(const struct string_list *patterns, const char *name)
{
	for (unsigned i = 0; i < patterns->count; i++)
		if (filter_glob_name(patterns->text[i], name))
			return true;
	return false;
}

/* Every -d must mean something: a typing error would quietly check nothing. */
static int check_names(const struct session *session)
{
	const struct string_list *patterns = &session->options->filter_disk;
	const struct config *config = session->config;

	for (unsigned i = 0; i < patterns->count; i++) {
		bool found = false;

		for (unsigned d = 0; d < config->disk_count; d++)
			found |= filter_glob_name(patterns->text[i], config->disk[d].name);
		for (unsigned l = 0; l < config->level_count; l++)
			found |= filter_glob_name(patterns->text[i], config_level_name(config, l));
		if (!found) {
			report(EV_FIX_NO_DISK, patterns->text[i]);
			return -1;
		}
	}
	return 0;
}

static void select_levels(const struct session *session, struct selection *selection)
{
	const struct options *options = session->options;

	for (level_t l = 0; l < session->array->level_count; l++) {
		selection->level[l] = options->filter.count == 0 && !options->missing && !options->audit_only &&
				      (options->filter_disk.count == 0 ||
				       any_matches(&options->filter_disk, session->array->level[l].name));
		selection->any_level |= selection->level[l];
	}
}

static bool is_missing(int root_fd, const char *path)
{
	struct stat st;

	return root_fd < 0 || (os_stat_beneath(root_fd, path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR));
}

static bool is_path_wanted(const struct selector *selector, const struct disk *disk, int root_fd, const char *path,
			   bool is_dir)
{
	return wishes_want(selector->wishes, disk, path, is_dir) &&
	       (!selector->options->missing || is_missing(root_fd, path));
}

static bool has_bad_block(const struct selector *selector, const struct file *file)
{
	if (selector->bad == NULL)
		return true;
	for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next) {
		stripe_t at = bitmap_next(selector->bad, extent->at);

		if (at != STRIPE_NONE && at < extent->at + extent->count)
			return true;
	}
	return false;
}

static void select_disk(const struct selector *selector, const struct disk *disk, int root_fd, bool wanted)
{
	struct tommy_node *node;

	for (node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
		struct file *file = node->data;

		file->mark = wanted && is_path_wanted(selector, disk, root_fd, file->path, false) &&
			     has_bad_block(selector, file);
	}
	for (node = tommy_list_head(&disk->links); node != NULL; node = node->next) {
		struct link *link = node->data;

		link->mark = wanted && is_path_wanted(selector, disk, root_fd, link->path, false);
	}
	for (node = tommy_list_head(&disk->dirs); node != NULL; node = node->next) {
		struct dir *dir = node->data;

		dir->mark = wanted && is_path_wanted(selector, disk, root_fd, dir->path, true);
	}
}

static void see_disk(struct wishes *wishes, const struct disk *disk)
{
	const struct tommy_node *node;

	for (node = tommy_list_head(&disk->files); node != NULL; node = node->next)
		wishes_see(wishes, disk, ((const struct file *)node->data)->path, false);
	for (node = tommy_list_head(&disk->links); node != NULL; node = node->next)
		wishes_see(wishes, disk, ((const struct link *)node->data)->path, false);
	for (node = tommy_list_head(&disk->dirs); node != NULL; node = node->next)
		wishes_see(wishes, disk, ((const struct dir *)node->data)->path, true);
}

static bool is_disk_wanted(const struct options *options, const struct disk *disk)
{
	return options->filter_disk.count == 0 || any_matches(&options->filter_disk, disk->name);
}

/* What -f means among the disks of -d. NULL: one of them nothing; said. */
static struct wishes *make_wishes(const struct session *session)
{
	const struct options *options = session->options;
	const struct array *array = session->array;
	struct wishes *wishes = wishes_new(&options->filter, array);

	for (unsigned i = 0; options->filter.count > 0 && i < array->disk_count; i++)
		if (is_disk_wanted(options, array->disk[i]))
			see_disk(wishes, array->disk[i]);
	if (wishes_check(wishes) < 0) {
		wishes_free(wishes);
		return NULL;
	}
	return wishes;
}

int select_all(struct session *session, bool writing, struct selection *selection)
{
	const struct options *options = session->options;
	struct selector selector = { .options = options };

	*selection = (struct selection){ .bad = NULL };
	if (check_names(session) < 0)
		return -1;
	selector.wishes = make_wishes(session);
	if (selector.wishes == NULL)
		return -1;
	select_levels(session, selection);
	if (options->error || options->block_error)
		selection->bad = array_bad_stripes(session->array);
	selector.bad = selection->bad;
	for (unsigned i = 0; i < session->array->disk_count; i++) {
		const struct disk *disk = session->array->disk[i];
		int root_fd = session->root_fd[disk->column];

		select_disk(&selector, disk, root_fd, is_disk_wanted(options, disk) && !(writing && root_fd < 0));
	}
	wishes_free(selector.wishes);
	return 0;
}

void select_done(struct selection *selection)
{
	bitmap_free(selection->bad);
}

struct bitmap *select_stripes(const struct session *session, const struct selection *selection)
{
	const struct options *options = session->options;
	const struct fix_choice choice = {
		.every_stripe = selection->any_level && selection->bad == NULL,
		.bad = selection->bad,
		.only_bad = options->block_error,
		.start = options->start,
		.count = options->count,
	};

	return plan_fix(session->array, &choice);
}
