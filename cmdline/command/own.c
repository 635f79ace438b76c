/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/own.h"

#include <stdlib.h>

#include "base/path.h"

/* By device and inode, so that links and other spellings of the path are seen through. */
static bool is_same(const char *path, const struct stat *st)
{
	struct stat found;

	return stat(path, &found) == 0 && found.st_dev == st->st_dev && found.st_ino == st->st_ino;
}

/* Is it the content file or what lies beside it? */
static bool is_of_content(const char *content, const struct stat *st)
{
	bool same = false;

	for (unsigned i = 0; i < CONTENT_SUFFIX_COUNT && !same; ++i) {
		char *path = path_add_suffix(content, content_suffix[i]);

		same = is_same(path, st);
		free(path);
	}
	return same;
}

const char *own_file(const struct config *config, const struct stat *st)
{
	for (unsigned i = 0; i < config->content_count; ++i)
		if (is_of_content(config->content[i], st))
			return "content";
	for (level_t l = 0; l < config->level_count; ++l)
		for (unsigned s = 0; s < config->level[l].split_count; ++s)
			if (is_same(config->level[l].path[s], st))
				return config_level_name(config, l);
	return is_same(config->path, st) ? "configuration" : NULL;
}
