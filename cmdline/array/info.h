/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per stripe: when it was last known good, and three flags. content-format.md 7. */
#ifndef ARRAY_INFO_H
#define ARRAY_INFO_H

#include "base/types.h"

struct info {
	int64_t time;		/* seconds since 1970, a multiple of 8; 0 with no flag: no info */
	bool bad, rehash, just_synced;
};

struct info_map;

struct info_map *info_map_new(void);
void info_map_free(struct info_map *map);
bool info_get(const struct info_map *map, stripe_t at, struct info *info);	/* false: the stripe has none */
void info_set(struct info_map *map, stripe_t at, const struct info *info);	/* time is cut to a multiple of 8 */
void info_clear(struct info_map *map, stripe_t at);
stripe_t info_map_end(const struct info_map *map);	/* beyond it there is none */

#endif
