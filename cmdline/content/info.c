/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The 'i' record: times and flags of all stripes, in runs. */
#include "content/record.h"

enum { FLAG_PRESENT = 1, FLAG_BAD = 2, FLAG_REHASH = 4, FLAG_JUST_SYNCED = 8 };

/* A stripe that has a time has a block, and that a hash of some bytes: no more of them can be than there are bytes in the
 * file. So a few bytes cannot make much memory. Only in very old versions blocks may have no hash. */
static bool are_too_many(const struct decoder *d, uint64_t present)
{
	return d->marks == NULL && present > (uint64_t)(d->in.end - d->begin);
}

int read_info(struct decoder *d)
{
	struct info_map *map = d->array->info;
	uint64_t oldest, at = 0, present = 0, count, delta;
	uint32_t flags;

	if (decoder_begin_blocks(d) < 0 || decoder_u64(d, &oldest) < 0)
		return -1;
	info_clear_run(map, 0, info_map_end(map));
	d->rehash_at = STRIPE_NONE;
	for (; at < d->stripe_count; at += count) {
		struct info info = { 0 };

		if (decoder_u64(d, &count) < 0 || decoder_u32(d, &flags) < 0)
			return -1;
		if (count > d->stripe_count - at)
			return decoder_fail(d, TROUBLE_BROKEN, "times go beyond the last stripe");
		if (!(flags & FLAG_PRESENT))
			continue;
		present += count;
		if (are_too_many(d, present))
			return decoder_fail(d, TROUBLE_BROKEN, "more stripes have a time than it has bytes");
		if (decoder_u64(d, &delta) < 0)
			return -1;
		if (oldest > INT64_MAX || delta > INT64_MAX - oldest)
			return decoder_fail(d, TROUBLE_BROKEN, "a time is too large");
		info.time = (int64_t)(oldest + delta);
		info.bad = flags & FLAG_BAD;
		info.rehash = flags & FLAG_REHASH;
		info.just_synced = flags & FLAG_JUST_SYNCED;
		if (count == 0)
			continue;
		info_set_run(map, at, count, &info);
		if (info.rehash && d->rehash_at == STRIPE_NONE)
			d->rehash_at = at;
	}
	return 0;
}

/* The info as it is written. Returns its flags; 0: none. */
static uint32_t info_written(const struct encoder *e, stripe_t at, int64_t *time)
{
	struct info info;
	uint32_t flags = 0;

	*time = 0;
	if (info_get(e->array->info, at, &info)) {
		flags = FLAG_PRESENT;
		flags |= info.bad ? FLAG_BAD : 0;
		flags |= info.rehash ? FLAG_REHASH : 0;
		flags |= info.just_synced ? FLAG_JUST_SYNCED : 0;
		*time = info.time > e->now ? e->now : info.time;
	}
	return flags;
}

/* A run of equal info, as it is written, from `at` on. */
static stripe_t info_run_written(const struct encoder *e, stripe_t at, uint32_t *flags, int64_t *time)
{
	stripe_t end = at;
	uint32_t next_flags;
	int64_t next_time;

	*flags = info_written(e, at, time);
	do {
		end += info_run(e->array->info, end, e->stripe_count - end);
		if (end == e->stripe_count)
			break;
		/* Two times of the future are one now. */
		next_flags = info_written(e, end, &next_time);
	} while (next_flags == *flags && next_time == *time);
	return end - at;
}

void encoder_survey_info(struct encoder *e)
{
	uint32_t flags;
	int64_t time;
	bool first = true;

	for (stripe_t at = 0; at < e->stripe_count; at += info_run_written(e, at, &flags, &time)) {
		flags = info_written(e, at, &time);
		if (flags == 0)
			continue;
		if (first || time < e->oldest)
			e->oldest = time;
		first = false;
		if (flags & FLAG_REHASH)
			e->has_rehash = true;
	}
}

void write_info(struct encoder *e)
{
	sink_byte(e->sink, 'i');
	sink_integer(e->sink, (uint64_t)e->oldest);
	for (stripe_t at = 0; at < e->stripe_count;) {
		uint32_t flags;
		int64_t time;
		stripe_t count = info_run_written(e, at, &flags, &time);

		sink_integer(e->sink, count);
		sink_integer(e->sink, flags);
		if (flags != 0)
			sink_integer(e->sink, (uint64_t)(time - e->oldest));
		at += count;
	}
}
