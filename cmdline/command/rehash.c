/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rehash: from now on another hash function. Nothing is read: the stripes are marked, and each of the next
 * sync and scrub commands changes those it reads anyway. */
#include "command/command.h"

#include "os/clock.h"

/* Every hash of a marked stripe, whatever its state, is of the old function: so all with a hash are marked,
 * also those in the middle of a sync that were never good. Returns how many. */
static stripe_t mark_stripes(struct array *array)
{
	struct bitmap *files = array_file_stripes(array);
	stripe_t end = bitmap_end(files);
	int64_t now = os_wall_seconds();
	stripe_t count = 0;
	stripe_t at;

	if (info_map_end(array->info) > end)
		end = info_map_end(array->info);
	for (at = 0; at < end; ++at) {
		struct info info;

		if (!info_get(array->info, at, &info)) {
			if (!bitmap_test(files, at))
				continue;
			info = (struct info){ .time = now, .just_synced = true };
		}
		info.rehash = true;
		info_set(array->info, at, &info);
		count++;
	}
	bitmap_free(files);
	return count;
}

int command_rehash(struct session *session)
{
	struct array *array = session->array;

	if (array->past_hash.kind != HASH_NONE) {
		report(EV_REHASH_RUNNING);
		report(EV_SHOW_EXIT, "already_in_progress");
		return 1;
	}
	if (array->hash.kind == hash_best()) {
		report(EV_REHASH_NOT_NEEDED, hash_name(array->hash.kind));
		report(EV_SHOW_EXIT, "not_required");
		return 1;
	}

	array->past_hash = array->hash;
	array->hash.kind = hash_best();
	os_random(array->hash.seed, sizeof(array->hash.seed));
	if (mark_stripes(array) == 0)
		array->past_hash = (struct hash_key){ .kind = HASH_NONE };
	array->changed = true;
	if (session_save(session) < 0)
		return 1;
	report(EV_REHASH_SET, hash_name(array->hash.kind), hash_name(array->past_hash.kind));
	report(EV_SHOW_EXIT, "scheduled");
	return 0;
}
