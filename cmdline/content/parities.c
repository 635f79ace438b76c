/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section PATH of the side file: where the parity was. How many levels; of each how many files; of each of these its
 * path in the configuration. The content file has them too, but only with split parity. */
#include "content/side.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/types.h"

bool parities_has_any(const struct array *array)
{
	return array->level_count > 1 && meta_has_any(array);
}

void parities_write(struct packer *packer, struct array *array)
{
	pack_integer(packer, array->level_count);
	for (level_t l = 0; l < array->level_count; l++) {
		const struct level *level = &array->level[l];

		pack_integer(packer, level->split_count);
		for (unsigned s = 0; s < level->split_count; s++)
			pack_string(packer, level->split[s].path);
	}
}

static void forget(struct array *array)
{
	for (level_t l = 0; l < array->level_count; l++)
		for (unsigned s = 0; s < array->level[l].split_count; s++) {
			free(array->level[l].split[s].path_recorded);
			array->level[l].split[s].path_recorded = NULL;
		}
}

/* What is not configured any more is read over. */
static bool read_path(struct unpacker *unpacker, struct split *split, struct buf *text)
{
	unpack_string(unpacker, PATH_BYTES_MAX, text);
	if (!unpacker->bad && split != NULL) {
		free(split->path_recorded);
		split->path_recorded = mem_strdup((const char *)text->data);
	}
	return !unpacker->bad;
}

static bool read_all(struct unpacker *unpacker, struct array *array, struct buf *text)
{
	uint64_t levels = unpack_integer(unpacker);

	for (uint64_t l = 0; l < levels; l++) {
		uint64_t splits = unpack_integer(unpacker);
		struct level *level = l < array->level_count ? &array->level[l] : NULL;

		if (l >= LEVEL_MAX || splits > SPLIT_MAX)
			return false;
		for (uint64_t s = 0; s < splits; s++)
			if (!read_path(unpacker, level != NULL && s < level->split_count ? &level->split[s] : NULL, text))
				return false;
	}
	return unpacker_is_at_end(unpacker);
}

bool parities_read(struct unpacker *unpacker, struct array *array)
{
	struct buf text = { NULL, 0, 0 };
	bool good = read_all(unpacker, array, &text);

	if (!good)
		forget(array);
	buf_done(&text);
	return good;
}
