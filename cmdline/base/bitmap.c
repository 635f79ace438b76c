/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bitmap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Stripe s is bit s % 64 of word[s / 64]. Words from `count` on are not there and count as zero. */
struct bitmap {
	uint64_t *word;
	size_t count;
};

static uint64_t bit_of(stripe_t at)
{
	return UINT64_C(1) << (at % 64);
}

/* Make words for all stripes below `end`. */
static void bitmap_reserve(struct bitmap *map, stripe_t end)
{
	uint64_t wanted = end / 64 + (end % 64 > 0);
	size_t grown;

	if (wanted <= map->count)
		return;
	assert(wanted <= SIZE_MAX / sizeof(uint64_t) / 2);
	grown = map->count + map->count / 2;
	if (grown < wanted)
		grown = (size_t)wanted;
	map->word = mem_realloc(map->word, grown * sizeof(uint64_t));
	memset(map->word + map->count, 0, (grown - map->count) * sizeof(uint64_t));
	map->count = grown;
}

struct bitmap *bitmap_new(void)
{
	return mem_zalloc(sizeof(struct bitmap));
}

void bitmap_free(struct bitmap *map)
{
	if (map == NULL)
		return;
	free(map->word);
	free(map);
}

void bitmap_set(struct bitmap *map, stripe_t at)
{
	bitmap_reserve(map, at + 1);
	map->word[at / 64] |= bit_of(at);
}

void bitmap_set_run(struct bitmap *map, stripe_t at, stripe_t count)
{
	stripe_t end = at + count;

	bitmap_reserve(map, end);
	for (; at < end && at % 64 > 0; ++at)
		map->word[at / 64] |= bit_of(at);
	for (; end - at >= 64; at += 64)
		map->word[at / 64] = UINT64_MAX;
	for (; at < end; ++at)
		map->word[at / 64] |= bit_of(at);
}

bool bitmap_test(const struct bitmap *map, stripe_t at)
{
	return at / 64 < map->count && (map->word[at / 64] & bit_of(at)) != 0;
}

stripe_t bitmap_next(const struct bitmap *map, stripe_t from)
{
	uint64_t i = from / 64, word;

	if (i >= map->count)
		return STRIPE_NONE;
	word = map->word[i] & -bit_of(from);	/* without the members before `from` */
	while (word == 0) {
		if (++i == map->count)
			return STRIPE_NONE;
		word = map->word[i];
	}
	return i * 64 + (unsigned)__builtin_ctzll(word);
}

stripe_t bitmap_count(const struct bitmap *map)
{
	stripe_t count = 0;

	for (size_t i = 0; i < map->count; ++i)
		count += (unsigned)__builtin_popcountll(map->word[i]);
	return count;
}

stripe_t bitmap_end(const struct bitmap *map)
{
	for (size_t i = map->count; i > 0; --i)
		if (map->word[i - 1] != 0)
			return (stripe_t)i * 64 - (unsigned)__builtin_clzll(map->word[i - 1]);
	return 0;
}

void bitmap_and(struct bitmap *map, const struct bitmap *other)
{
	for (size_t i = 0; i < map->count; ++i)
		map->word[i] &= i < other->count ? other->word[i] : 0;
}

void bitmap_or(struct bitmap *map, const struct bitmap *other)
{
	bitmap_reserve(map, bitmap_end(other));
	for (size_t i = 0; i < map->count && i < other->count; ++i)
		map->word[i] |= other->word[i];
}
