/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tommyds/tommytable.h"

#include <stdlib.h>

#define ROOM_MIN 16

static void place_put(const struct tommy_table *table, struct tommy_place put)
{
	size_t i = put.hash & (table->room - 1);

	while (table->place[i].data != NULL)
		i = (i + 1) & (table->room - 1);
	table->place[i] = put;
}

static void table_grow(struct tommy_table *table, size_t room)
{
	struct tommy_table grown = { calloc(room, sizeof(struct tommy_place)), table->count, room };
	size_t begin = 0;

	if (grown.place == NULL)
		abort();
	/* From a free place on, round and round: so those of equal hash stay in their order. */
	while (begin < table->room && table->place[begin].data != NULL)
		begin++;
	for (size_t i = 0; i < table->room; i++) {
		const struct tommy_place *place = &table->place[(begin + i) & (table->room - 1)];

		if (place->data != NULL)
			place_put(&grown, *place);
	}
	free(table->place);
	*table = grown;
}

void tommy_table_reserve(struct tommy_table *table, size_t count)
{
	size_t room = table->room != 0 ? table->room : ROOM_MIN;

	while (room / 2 < count)
		room *= 2;
	if (room != table->room)
		table_grow(table, room);
}

void tommy_table_insert(struct tommy_table *table, void *data, uint64_t hash)
{
	tommy_table_reserve(table, table->count + 1);
	place_put(table, (struct tommy_place){ hash, data });
	table->count++;
}

void *tommy_table_search(const struct tommy_table *table, tommy_search_fn *compare, const void *arg, uint64_t hash)
{
	if (table->room == 0)
		return NULL;
	for (size_t i = hash & (table->room - 1);; i = (i + 1) & (table->room - 1)) {
		const struct tommy_place *place = &table->place[i];

		if (place->data == NULL)
			return NULL;
		if (place->hash == hash && compare(arg, place->data) == 0)
			return place->data;
	}
}

void tommy_table_done(struct tommy_table *table)
{
	free(table->place);
	*table = (struct tommy_table){ NULL, 0, 0 };
}
