/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section PATH of the side file: where the parity was. How many levels; of each how many files; of each of these its
 * path in the configuration, empty if there is no parity in it. The content file has them too, but only with split
 * parity. And the section CODE: 1 if the third level is z-parity, 0 if it is 3-parity. */
#include "content/side.h"

#include <string.h>

bool parities_has_any(const struct array *array)
{
	return array->level_count > 1 && meta_has_any(array);
}

/* Of a level that came to the configuration nothing is known before the first sync. */
static bool is_told(const struct array *array, level_t l)
{
	return l < array->level_count && (array->level[l].recorded || !array->level[0].recorded);
}

static bool holds_parity(const struct array *array, level_t l, unsigned s)
{
	return array->level[l].split[s].size_bytes != 0 && is_told(array, l);
}

void parities_write(struct packer *packer, struct array *array)
{
	pack_integer(packer, array->level_count);
	for (level_t l = 0; l < array->level_count; l++) {
		const struct level *level = &array->level[l];

		pack_integer(packer, level->split_count);
		for (unsigned s = 0; s < level->split_count; s++)
			pack_string(packer, holds_parity(array, l, s) ? level->split[s].path : "");
	}
}

static bool read_all(struct unpacker *unpacker, struct array *array, struct buf *text)
{
	uint64_t levels = unpack_integer(unpacker);

	for (uint64_t l = 0; l < levels; l++) {
		uint64_t splits = unpack_integer(unpacker);

		if (l >= LEVEL_MAX || splits > SPLIT_MAX)
			return false;
		for (uint64_t s = 0; s < splits; s++) {
			unpack_string(unpacker, PATH_BYTES_MAX, text);
			if (unpacker->bad)
				return false;
			if (text->size > 0)
				array->parity_path[l][s] = arena_strdup(array->arena, text->data);
		}
	}
	return unpacker_is_at_end(unpacker);
}

bool parities_read(struct unpacker *unpacker, struct array *array)
{
	struct buf text = { NULL, 0, 0 };
	bool good;

	memset(array->parity_path, 0, sizeof(array->parity_path));
	good = read_all(unpacker, array, &text);
	if (!good)
		memset(array->parity_path, 0, sizeof(array->parity_path));
	buf_done(&text);
	return good;
}

bool code_has_any(const struct array *array)
{
	return is_told(array, 2) && meta_has_any(array);
}

void code_write(struct packer *packer, struct array *array)
{
	pack_integer(packer, array->z_parity);
}

bool code_read(struct unpacker *unpacker, struct array *array)
{
	uint64_t z = unpack_integer(unpacker);

	if (!unpacker_is_at_end(unpacker) || z > 1)
		return false;
	array->z_known = true;
	array->z_was = z == 1;
	return true;
}
