/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files move, and where to. */
#include <stdlib.h>

#include "array/moves_inside.h"
#include "base/mem.h"

#define WORTH_PART	100	/* less of the array is not worth two more saves of the content */

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
			moves_keep_first(search->moves, option->files);
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

/* false: the hashes cannot say what was at a place before. */
static bool search_begin(struct search *search, struct array *array)
{
	*search = (struct search){ .moves = NULL };
	if (array->hash_size < HASH_BYTES_MAX || array->past_hash.kind != HASH_NONE)
		return false;
	search->moves = mem_zalloc(sizeof(*search->moves));
	search->moves->array = array;
	search->moves->to = bitmap_new();
	search->bad = array_bad_stripes(array);
	for (unsigned d = 0; d < array->disk_count; d++)
		search->top[d] = extent_last(array->disk[d]->map);
	return true;
}

/* The plan, or NULL if it is none. */
static struct moves *search_end(struct search *search, bool found)
{
	free(search->option);
	bitmap_free(search->bad);
	if (!found) {
		moves_free(search->moves);
		return NULL;
	}
	note_new_stripes(search->moves);
	return search->moves;
}

struct moves *moves_plan_end(struct array *array, stripe_t most)
{
	struct search search;

	if (!search_begin(&search, array))
		return NULL;
	choose_files(&search, most);
	return search_end(&search, choose_end(&search));
}

/* One more would be too many, or has no place for itself alone. */
static bool is_too_large(const struct moves *moves, const struct file *file, stripe_t room, stripe_t most)
{
	stripe_t blocks = file_block_count(file, moves->array->block_size);

	return blocks > room || (moves->count > 0 && moves->blocks + blocks > most);
}

/* Files find a place one by one; who finds none below `end` stays. */
static bool place_each(struct search *search, stripe_t end, bool whole)
{
	struct moves *moves = search->moves;
	struct bitmap *closed = closed_stripes(search, moves->count);
	struct holes *holes[COLUMN_MAX] = { NULL };
	struct moving *kept = moves->moving;

	for (size_t i = 0; i < moves->count; i++) {
		struct moving *moving = &moves->moving[i];
		column_t c = moving->disk->column;
		bool found;

		if (holes[c] == NULL)
			holes[c] = holes_new(moving->disk->map, end, closed);
		found = moving->blocks <= (whole ? holes_largest : holes_room)(holes[c]) &&
			find_place(moving, holes[c], end);
		if (found) {
			*kept++ = *moving;
			continue;
		}
		moving->file->moving = false;
		free(moving->piece);
		moves->blocks -= moving->blocks;
	}
	moves->count = (size_t)(kept - moves->moving);
	for (column_t c = 0; c < COLUMN_MAX; c++)
		holes_free(holes[c]);
	bitmap_free(closed);
	return moves->count > 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct moving *x = a, *y = b;

	return x->file->extent->at < y->file->extent->at ? -1 : x->file->extent->at > y->file->extent->at;
}

static void sort_files(struct moves *moves)
{
	if (moves->count > 0)
		qsort(moves->moving, moves->count, sizeof(*moves->moving), compare_places);
}

struct moves *moves_plan_tail(struct array *array, stripe_t from, stripe_t most)
{
	stripe_t room[COLUMN_MAX];
	struct search search;
	struct extent *extent;
	struct disk *disk;

	if (!search_begin(&search, array))
		return NULL;
	for (unsigned d = 0; d < array->disk_count; d++) {
		struct holes *holes = holes_new(array->disk[d]->map, from, NULL);

		room[d] = holes_room(holes);
		holes_free(holes);
	}
	while ((extent = highest(&search, &disk)) != NULL && extent->at + extent->count > from) {
		unsigned d = 0;

		while (array->disk[d] != disk)
			d++;
		if (is_movable(&search, extent->file) && !is_too_large(search.moves, extent->file, room[d], most))
			choose(search.moves, disk, extent->file);
		else
			search.top[d] = extent_prev(extent);
	}
	sort_files(search.moves);
	return search_end(&search, place_each(&search, from, false));
}

static bool is_in_pieces(const struct file *file)
{
	for (const struct extent *e = file->extent; e != NULL && e->next != NULL; e = e->next)
		if (e->next->at != e->at + e->count)
			return true;
	return false;
}

struct moves *moves_plan_whole(struct array *array, stripe_t most)
{
	stripe_t end = array_stripe_count(array);
	struct search search;

	if (!search_begin(&search, array))
		return NULL;
	for (unsigned d = 0; d < array->disk_count; d++) {
		struct disk *disk = array->disk[d];
		struct holes *holes = holes_new(disk->map, end, search.bad);
		stripe_t room = holes_largest(holes);

		for (struct tommy_node *i = tommy_list_head(&disk->files); i != NULL; i = i->next)
			if (is_in_pieces(i->data) && is_movable(&search, i->data) &&
			    !is_too_large(search.moves, i->data, room, most))
				choose(search.moves, disk, i->data);
		holes_free(holes);
	}
	sort_files(search.moves);
	return search_end(&search, place_each(&search, end, true));
}

stripe_t moves_least_end(const struct array *array)
{
	stripe_t most = 0;

	for (unsigned d = 0; d < array->disk_count; d++) {
		stripe_t blocks = 0;

		for (struct extent *e = extent_from(array->disk[d]->map, 0); e != NULL; e = extent_next(e))
			blocks += block_has_file(e->state) ? e->count : 0;
		if (most < blocks)
			most = blocks;
	}
	return most;
}
