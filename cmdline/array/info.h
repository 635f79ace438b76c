/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per stripe: when it was last known good, and three flags. content-format.md 7.
 *
 * Stripes of equal info cost next to nothing, others 8 bytes each. */
#ifndef ARRAY_INFO_H
#define ARRAY_INFO_H

#include "base/types.h"

#define INFO_TIME_MIN	8

struct info {
	int64_t time;		/* seconds since 1970, a multiple of 8, and INFO_TIME_MIN at least */
	bool bad, rehash, just_synced;
};

struct info_map;

struct info_map *info_map_new(void);
void info_map_free(struct info_map *map);
bool info_get(const struct info_map *map, stripe_t at, struct info *info);	/* false: the stripe has none */
void info_set(struct info_map *map, stripe_t at, const struct info *info);	/* time is cut to a multiple of 8 */
void info_set_run(struct info_map *map, stripe_t at, stripe_t count, const struct info *info);
void info_clear_run(struct info_map *map, stripe_t at, stripe_t count);
/* Stripes from `at` on with the same info, or all with none: at least 1, and `most` at most. It looks no
 * further than that, so that a walk from run to run sees each stripe once. */
stripe_t info_run(const struct info_map *map, stripe_t at, stripe_t most);
/* Stripes from `at` on that have info: `most` at most. */
stripe_t info_run_timed(const struct info_map *map, stripe_t at, stripe_t most);
stripe_t info_map_end(const struct info_map *map);	/* beyond it there is none */

#endif
