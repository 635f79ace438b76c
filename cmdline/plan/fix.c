/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/fix.h"

static void add_selected(struct bitmap *stripes, const struct disk *disk)
{
	for (const struct tommy_node *node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
		const struct file *file = node->data;

		if (file->mark == 0)
			continue;
		for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next)
			bitmap_set_run(stripes, extent->at, extent->count);
	}
}

struct bitmap *plan_fix(const struct array *array, const struct fix_choice *choice)
{
	struct bitmap *stripes;
	struct bitmap *range = bitmap_new();
	stripe_t end = array_stripe_count(array);

	if (choice->every_stripe) {
		stripes = array_file_stripes(array);
	} else {
		stripes = bitmap_new();
		for (unsigned i = 0; i < array->disk_count && !choice->only_bad; i++)
			add_selected(stripes, array->disk[i]);
	}
	if (choice->bad != NULL)
		bitmap_or(stripes, choice->bad);

	if (choice->count != 0 && choice->count < end - choice->start)
		end = choice->start + choice->count;
	if (choice->start < end)
		bitmap_set_run(range, choice->start, end - choice->start);
	bitmap_and(stripes, range);
	bitmap_free(range);
	return stripes;
}
