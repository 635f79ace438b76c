/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/moves.h"

#include <stdlib.h>

#include "array/moves_inside.h"

void moves_keep_first(struct moves *moves, size_t count)
{
	while (moves->count > count) {
		struct moving *last = &moves->moving[--moves->count];

		moves->blocks -= last->blocks;
		last->file->moving = false;
		free(last->piece);
	}
}

void moves_free(struct moves *moves)
{
	if (moves == NULL)
		return;
	moves_keep_first(moves, 0);
	free(moves->moving);
	bitmap_free(moves->to);
	free(moves);
}

struct bitmap *moves_stripes(const struct moves *moves)
{
	struct bitmap *stripes = bitmap_new();

	bitmap_or(stripes, moves->to);
	for (size_t i = 0; i < moves->count; i++)
		for (size_t p = 0; p < moves->moving[i].piece_count; p++)
			bitmap_set_run(stripes, moves->moving[i].piece[p].from, moves->moving[i].piece[p].count);
	return stripes;
}

static void promise_file(const struct moving *moving)
{
	for (size_t i = 0; i < moving->piece_count; i++) {
		const struct piece *piece = &moving->piece[i];

		extent_forget_deleted_run(moving->disk->map, piece->to, piece->count);
		extent_insert(moving->disk->map, NULL, 0, piece->to, piece->count, BLOCK_DELETED, piece->hash, false);
	}
}

void moves_promise(const struct moves *moves)
{
	for (size_t i = 0; i < moves->count; i++)
		promise_file(&moves->moving[i]);
	moves->array->changed = true;
}

/* Give the file its blocks at the new places, or at the old ones. What is DELETED there goes. */
static void place_pieces(const struct moving *moving, bool new, enum block_state state)
{
	for (size_t i = 0; i < moving->piece_count; i++) {
		const struct piece *piece = &moving->piece[i];
		stripe_t at = new ? piece->to : piece->from;

		extent_forget_deleted_run(moving->disk->map, at, piece->count);
		extent_insert(moving->disk->map, moving->file, piece->first, at, piece->count, state, piece->hash, false);
	}
}

void moves_begin(const struct moves *moves)
{
	for (size_t i = 0; i < moves->count; i++) {
		const struct moving *moving = &moves->moving[i];

		/* Its blocks were synced: what the job finds otherwise is damage, and no other copy of something. */
		moving->file->assumed = false;
		moving->file->was_synced = true;
		extent_delete_file(moving->disk->map, moving->file);
		place_pieces(moving, true, BLOCK_REP);
	}
}

static bool is_synced(const struct file *file)
{
	for (const struct extent *e = file->extent; e != NULL; e = e->next)
		if (e->state != BLOCK_BLK)
			return false;
	return true;
}

/* What turned out to be bad at the new place is to be looked for at the old one. */
static void take_back_bad(struct info_map *map, const struct moving *moving)
{
	for (size_t i = 0; i < moving->piece_count; i++) {
		const struct piece *piece = &moving->piece[i];
		struct info info;

		for (stripe_t s = 0; s < piece->count; s++) {
			if (!info_get(map, piece->to + s, &info) || !info.bad || !info_get(map, piece->from + s, &info))
				continue;
			info.bad = true;
			info_set(map, piece->from + s, &info);
		}
	}
}

void moves_end(const struct moves *moves, bool durable)
{
	for (size_t i = 0; i < moves->count; i++) {
		const struct moving *moving = &moves->moving[i];

		if (durable && is_synced(moving->file))
			continue;
		extent_delete_file(moving->disk->map, moving->file);
		promise_file(moving);
		place_pieces(moving, false, BLOCK_BLK);
		take_back_bad(moves->array->info, moving);
	}
	moves->array->changed = true;
}
