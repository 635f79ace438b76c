/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The info of a stripe is one word: the time, whose three low bits are free, and the flags in these; 0 is no
 * info. Words are held in pages, and a page all of whose words are equal holds but one: after a sync nearly
 * all are. */
#include "array/info.h"

#include <stdlib.h>

#include "base/mem.h"

#define PAGE_STRIPES	((stripe_t)4096)

enum { FLAG_BAD = 1, FLAG_REHASH = 2, FLAG_JUST_SYNCED = 4, FLAGS = 7 };

struct page {
	uint64_t all;		/* the word of every stripe of the page, if `each` is NULL */
	uint64_t *each;
};

struct info_map {
	struct page *page;
	stripe_t page_count;
};

struct info_map *info_map_new(void)
{
	return mem_zalloc(sizeof(struct info_map));
}

void info_map_free(struct info_map *map)
{
	if (map == NULL)
		return;
	for (stripe_t i = 0; i < map->page_count; i++)
		free(map->page[i].each);
	free(map->page);
	free(map);
}

static uint64_t word_at(const struct info_map *map, stripe_t at)
{
	const struct page *page;

	if (at / PAGE_STRIPES >= map->page_count)
		return 0;
	page = &map->page[at / PAGE_STRIPES];
	return page->each != NULL ? page->each[at % PAGE_STRIPES] : page->all;
}

/* Never that of no info, even by a clock that was never set. */
static uint64_t word_of(const struct info *info)
{
	uint64_t time = info->time < INFO_TIME_MIN ? INFO_TIME_MIN : (uint64_t)info->time;

	return (time & ~(uint64_t)FLAGS) | (info->bad ? FLAG_BAD : 0) |
	       (info->rehash ? FLAG_REHASH : 0) | (info->just_synced ? FLAG_JUST_SYNCED : 0);
}

static void map_grow(struct info_map *map, stripe_t pages)
{
	if (pages <= map->page_count)
		return;
	if (pages < map->page_count * 2)
		pages = map->page_count * 2;
	map->page = mem_realloc(map->page, (size_t)pages * sizeof(*map->page));
	for (; map->page_count < pages; map->page_count++)
		map->page[map->page_count] = (struct page){ 0 };
}

/* Words of one page, from `begin` to before `end`. */
static void page_fill(struct page *page, stripe_t begin, stripe_t end, uint64_t word)
{
	if (begin == 0 && end == PAGE_STRIPES) {
		free(page->each);
		*page = (struct page){ .all = word };
		return;
	}
	if (page->each == NULL) {
		if (page->all == word)
			return;
		page->each = mem_alloc(PAGE_STRIPES * sizeof(*page->each));
		for (stripe_t i = 0; i < PAGE_STRIPES; i++)
			page->each[i] = page->all;
	}
	for (stripe_t i = begin; i < end; i++)
		page->each[i] = word;
}

static void map_fill(struct info_map *map, stripe_t at, stripe_t count, uint64_t word)
{
	stripe_t end = at + count;

	if (word != 0)
		map_grow(map, (end + PAGE_STRIPES - 1) / PAGE_STRIPES);
	else if (end > map->page_count * PAGE_STRIPES)
		end = map->page_count * PAGE_STRIPES;
	while (at < end) {
		stripe_t begin = at % PAGE_STRIPES;
		stripe_t left = PAGE_STRIPES - begin;
		stripe_t some = end - at < left ? end - at : left;

		page_fill(&map->page[at / PAGE_STRIPES], begin, begin + some, word);
		at += some;
	}
}

bool info_get(const struct info_map *map, stripe_t at, struct info *info)
{
	uint64_t word = word_at(map, at);

	info->time = (int64_t)(word & ~(uint64_t)FLAGS);
	info->bad = word & FLAG_BAD;
	info->rehash = word & FLAG_REHASH;
	info->just_synced = word & FLAG_JUST_SYNCED;
	return word != 0;
}

void info_set(struct info_map *map, stripe_t at, const struct info *info)
{
	map_fill(map, at, 1, word_of(info));
}

void info_set_run(struct info_map *map, stripe_t at, stripe_t count, const struct info *info)
{
	map_fill(map, at, count, word_of(info));
}

void info_clear_run(struct info_map *map, stripe_t at, stripe_t count)
{
	map_fill(map, at, count, 0);
}

stripe_t info_run(const struct info_map *map, stripe_t at, stripe_t most)
{
	uint64_t word = word_at(map, at);
	stripe_t to = at;

	while (to - at < most && to / PAGE_STRIPES < map->page_count) {
		const struct page *page = &map->page[to / PAGE_STRIPES];
		stripe_t end = (to / PAGE_STRIPES + 1) * PAGE_STRIPES;

		if (page->each == NULL) {
			if (page->all != word)
				return to - at;
			to = end;
		}
		if (end - at > most)
			end = at + most;
		for (; to < end; to++)
			if (page->each[to % PAGE_STRIPES] != word)
				return to - at;
	}
	/* Beyond the last page there is none. */
	return word != 0 && to - at < most ? to - at : most;
}

stripe_t info_run_timed(const struct info_map *map, stripe_t at, stripe_t most)
{
	stripe_t run = 0;

	while (run < most && word_at(map, at + run) != 0)
		run += info_run(map, at + run, most - run);
	return run;
}

stripe_t info_map_end(const struct info_map *map)
{
	stripe_t at = map->page_count * PAGE_STRIPES;

	while (at > 0) {
		const struct page *page = &map->page[(at - 1) / PAGE_STRIPES];

		if (page->each == NULL && page->all == 0)
			at -= PAGE_STRIPES;
		else if (word_at(map, at - 1) == 0)
			at--;
		else
			break;
	}
	return at;
}
