/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/suffixed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct suffixed {
	const char **path;	/* of the array; ascending */
	size_t count, room;
};

static void add(struct suffixed *suffixed, const char *path, const char *suffix)
{
	size_t size = strlen(path), end = strlen(suffix);

	if (size < end || memcmp(path + size - end, suffix, end) != 0)
		return;
	mem_grow(&suffixed->path, suffixed->count, &suffixed->room, sizeof *suffixed->path);
	suffixed->path[suffixed->count++] = path;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct suffixed *suffixed_new(const struct disk *disk, const char *suffix)
{
	struct suffixed *suffixed = mem_zalloc(sizeof *suffixed);
	struct tommy_node *node;

	for (node = tommy_list_head(&disk->files); node != NULL; node = node->next)
		add(suffixed, ((const struct file *)node->data)->path, suffix);
	for (node = tommy_list_head(&disk->links); node != NULL; node = node->next)
		add(suffixed, ((const struct link *)node->data)->path, suffix);
	for (node = tommy_list_head(&disk->dirs); node != NULL; node = node->next)
		add(suffixed, ((const struct dir *)node->data)->path, suffix);
	if (suffixed->count == 0) {
		free(suffixed);
		return NULL;
	}
	qsort(suffixed->path, suffixed->count, sizeof *suffixed->path, compare);
	return suffixed;
}

void suffixed_free(struct suffixed *suffixed)
{
	if (suffixed != NULL)
		free(suffixed->path);
	free(suffixed);
}

bool suffixed_has(const struct suffixed *suffixed, const char *path)
{
	return suffixed != NULL &&
	       bsearch(&path, suffixed->path, suffixed->count, sizeof *suffixed->path, compare) != NULL;
}
