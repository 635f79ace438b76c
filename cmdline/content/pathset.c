/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/pathset.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tommyds/tommyhashdyn.h"

/* Where the entry is, or would be. */
static struct pathset_entry *pathset_find(const struct pathset *set, const struct pathset_entry *key)
{
	size_t i = key->hash & (set->room - 1);

	for (;; i = (i + 1) & (set->room - 1)) {
		struct pathset_entry *entry = &set->entry[i];

		if (entry->path == NULL || (entry->hash == key->hash && entry->disk == key->disk &&
					    strcmp(entry->path, key->path) == 0))
			return entry;
	}
}

void pathset_reserve(struct pathset *set, size_t count)
{
	struct pathset grown = { .count = set->count, .room = 1024 };

	while (grown.room <= count * 2)
		grown.room *= 2;

	grown.entry = mem_zalloc(grown.room * sizeof(*grown.entry));
	for (size_t i = 0; i < set->room; i++)
		if (set->entry[i].path != NULL)
			*pathset_find(&grown, &set->entry[i]) = set->entry[i];
	free(set->entry);
	*set = grown;
}

bool pathset_add(struct pathset *set, unsigned disk, const char *path)
{
	struct pathset_entry key = { .path = path, .disk = disk }, *entry;

	key.hash = tommy_hash_bytes(path, strlen(path)) + disk * UINT64_C(0x9e3779b97f4a7c15);
	if (set->count * 2 >= set->room)
		pathset_reserve(set, set->count + 1);
	entry = pathset_find(set, &key);
	if (entry->path != NULL)
		return false;
	*entry = key;
	set->count++;
	return true;
}

void pathset_done(struct pathset *set)
{
	free(set->entry);
	*set = (struct pathset){ .entry = NULL };
}
