/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "array/moves.h"

#include <stdlib.h>

#include "base/mem.h"

#define WORTH_PART	100	/* less of the array is not worth two more saves of the content */

/* Blocks of a file that stay together. */
struct piece {
	block_t first;
	stripe_t count, from, to;
	uint8_t *hash;		/* as in an extent: not to be written */
};

struct moving {
	struct disk *disk;
	struct file *file;
	block_t blocks;
	struct piece *piece;	/* ascending in the file; malloc */
	size_t piece_count, piece_room;
};

/* The end of the array without the first `files` of a plan, which have so many blocks. */
struct option {
	size_t files;
	stripe_t end, blocks;
};

/* What a search goes through: the blocks of all disks from the last one down. */
struct search {
	struct moves *moves;
	struct bitmap *bad;
	struct extent *top[COLUMN_MAX];		/* per disk; NULL: nothing left */
	struct option *option;
	size_t option_count, option_room;
};

static struct bitmap *bad_stripes(const struct array *array)
{
	struct bitmap *map = bitmap_new();
	stripe_t end = info_map_end(array->info);
	struct info info;

	for (stripe_t at = 0, run; at < end; at += run) {
		run = info_run(array->info, at, end - at);
		if (info_get(array->info, at, &info) && info.bad)
			bitmap_set_run(map, at, run);
	}
	return map;
}

/* All of it is in the parity, and nobody doubts any of it. */
static bool is_movable(const struct search *search, const struct file *file)
{
	for (const struct extent *e = file->extent; e != NULL; e = e->next)
		if (e->state != BLOCK_BLK || bitmap_next(search->bad, e->at) < e->at + e->count)
			return false;
	return true;
}

/* The highest extent of a file that is not on its way; NULL: there is none. */
static struct extent *highest(struct search *search, struct disk **disk)
{
	const struct array *array = search->moves->array;
	struct extent *found = NULL;

	for (unsigned d = 0; d < array->disk_count; d++) {
		struct extent **top = &search->top[d];

		while (*top != NULL && ((*top)->file == NULL || (*top)->file->moving))
			*top = extent_prev(*top);
		if (*top == NULL || (found != NULL && (*top)->at + (*top)->count <= found->at + found->count))
			continue;
		found = *top;
		*disk = array->disk[d];
	}
	return found;
}

static void choose(struct moves *moves, struct disk *disk, struct file *file)
{
	mem_grow(&moves->moving, moves->count, &moves->room, sizeof(*moves->moving));
	moves->moving[moves->count] = (struct moving){ .disk = disk, .file = file,
						       .blocks = file_block_count(file, moves->array->block_size) };
	moves->blocks += moves->moving[moves->count++].blocks;
	file->moving = true;
}

/* Of files that end at the same stripe all or none have to go. */
static void add_option(struct search *search, stripe_t end)
{
	if (search->option_count > 0 && end == search->option[search->option_count - 1].end)
		return;
	mem_grow(&search->option, search->option_count, &search->option_room, sizeof(*search->option));
	search->option[search->option_count++] = (struct option){ search->moves->count, end, search->moves->blocks };
}

/* Files from the end down; the options descend with them. */
static void choose_files(struct search *search, stripe_t most)
{
	struct moves *moves = search->moves;

	for (;;) {
		struct disk *disk;
		struct extent *extent = highest(search, &disk);

		add_option(search, extent != NULL ? extent->at + extent->count : 0);
		if (extent == NULL || !is_movable(search, extent->file) ||
		    moves->blocks + file_block_count(extent->file, moves->array->block_size) > most)
			break;
		choose(moves, disk, extent->file);
	}
}

/* Only the first ones of the plan are moved. */
static void keep_first(struct moves *moves, size_t count)
{
	while (moves->count > count) {
		struct moving *last = &moves->moving[--moves->count];

		moves->blocks -= last->blocks;
		last->file->moving = false;
		free(last->piece);
	}
}

/* The blocks of the file from `first` on go to that run; they come from one extent or more. */
static void add_pieces(struct moving *moving, const struct extent_map *map, block_t first, struct run run)
{
	while (run.count > 0) {
		const struct extent *extent = file_extent(moving->file, first);
		stripe_t from = extent->at + (first - extent->first), count = extent->at + extent->count - from;

		if (count > run.count)
			count = run.count;
		mem_grow(&moving->piece, moving->piece_count, &moving->piece_room, sizeof(*moving->piece));
		moving->piece[moving->piece_count++] = (struct piece){
			first, count, from, run.at, (uint8_t *)(uintptr_t)extent_hash(map, extent, from)
		};
		first += count;
		run.at += count;
		run.count -= count;
	}
}

/* false: there is no room below `end`. */
static bool find_place(struct moving *moving, struct holes *holes, stripe_t end)
{
	struct run run = { holes_take_whole(holes, moving->blocks), moving->blocks };

	moving->piece_count = 0;
	if (run.at != STRIPE_NONE) {
		add_pieces(moving, moving->disk->map, 0, run);
		return true;
	}
	for (block_t first = 0; first < moving->blocks; first += run.count) {
		run = holes_take_lowest(holes, moving->blocks - first);
		if (run.at + run.count > end)
			return false;
		add_pieces(moving, moving->disk->map, first, run);
	}
	return true;
}

/* Neither what is bad, nor what the first files of the plan come from. */
static struct bitmap *closed_stripes(const struct search *search, size_t files)
{
	struct bitmap *closed = bitmap_new();

	bitmap_or(closed, search->bad);
	for (size_t i = 0; i < files; i++)
		for (const struct extent *e = search->moves->moving[i].file->extent; e != NULL; e = e->next)
			bitmap_set_run(closed, e->at, e->count);
	return closed;
}

/* The least there is to do for an array that ends there. */
static const struct option *option_for(const struct search *search, stripe_t end)
{
	size_t low = 0, high = search->option_count - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (search->option[middle].end <= end)
			high = middle;
		else
			low = middle + 1;
	}
	return &search->option[low];
}

/* Is there a place below `end` for all files that reach beyond? The lower ones come first, to stay so. */
static bool find_places(struct search *search, stripe_t end)
{
	struct moves *moves = search->moves;
	size_t files = option_for(search, end)->files;
	struct bitmap *closed = closed_stripes(search, files);
	bool found = true;

	for (unsigned d = 0; found && d < moves->array->disk_count; d++) {
		struct disk *disk = moves->array->disk[d];
		struct holes *holes = NULL;

		for (size_t i = files; found && i-- > 0;) {
			if (moves->moving[i].disk != disk)
				continue;
			if (holes == NULL)
				holes = holes_new(disk->map, end, closed);
			found = find_place(&moves->moving[i], holes, end);
		}
		holes_free(holes);
	}
	bitmap_free(closed);
	return found;
}

/* About the lowest end below which all has room, STRIPE_NONE if it is not below `high`. The lower it is, the more files
 * come together in fewer holes. */
static stripe_t lowest_end(struct search *search, stripe_t high)
{
	stripe_t low = search->option[search->option_count - 1].end, grain = high / (2 * WORTH_PART) + 1;

	if (low > high || !find_places(search, high))
		return STRIPE_NONE;
	if (find_places(search, low))
		return low;
	while (high - low > grain) {
		stripe_t middle = low + (high - low) / 2;

		if (find_places(search, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* The lowest end there is room for and that is worth what has to be moved. */
static bool choose_end(struct search *search)
{
	stripe_t end = search->option[0].end, reached;

	if (end == 0)
		return false;
	reached = lowest_end(search, end - (end - 1) / WORTH_PART - 1);
	while (reached < end) {
		const struct option *option = option_for(search, reached);

		if (end - reached >= option->blocks && find_places(search, reached)) {
			search->moves->end = reached;
			keep_first(search->moves, option->files);
			return option->files > 0;
		}
		if (option == search->option)
			break;
		reached = option[-1].end;
	}
	return false;
}

static void note_new_stripes(struct moves *moves)
{
	for (size_t i = 0; i < moves->count; i++)
		for (size_t p = 0; p < moves->moving[i].piece_count; p++)
			bitmap_set_run(moves->to, moves->moving[i].piece[p].to, moves->moving[i].piece[p].count);
}

struct moves *moves_plan_end(struct array *array, stripe_t most)
{
	struct moves *moves;
	struct search search = { .moves = NULL };
	bool found;

	/* Short hashes cannot say what was at a place before. */
	if (array->hash_size < HASH_BYTES_MAX || array->past_hash.kind != HASH_NONE)
		return NULL;
	search.moves = moves = mem_zalloc(sizeof(*moves));
	moves->array = array;
	moves->to = bitmap_new();
	search.bad = bad_stripes(array);
	for (unsigned d = 0; d < array->disk_count; d++)
		search.top[d] = extent_last(array->disk[d]->map);
	choose_files(&search, most);
	found = choose_end(&search);
	free(search.option);
	bitmap_free(search.bad);
	if (!found) {
		moves_free(moves);
		return NULL;
	}
	note_new_stripes(moves);
	return moves;
}

void moves_free(struct moves *moves)
{
	if (moves == NULL)
		return;
	keep_first(moves, 0);
	free(moves->moving);
	bitmap_free(moves->to);
	free(moves);
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
