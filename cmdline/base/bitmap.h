/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of stripes. Grows as bits are set; a stripe beyond the end is not in it. Not thread safe. */
#ifndef BASE_BITMAP_H
#define BASE_BITMAP_H

#include "base/types.h"

struct bitmap;

struct bitmap *bitmap_new(void);
void bitmap_free(struct bitmap *map);			/* NULL is fine */
void bitmap_set(struct bitmap *map, stripe_t at);
void bitmap_set_run(struct bitmap *map, stripe_t at, stripe_t count);
bool bitmap_test(const struct bitmap *map, stripe_t at);
stripe_t bitmap_next(const struct bitmap *map, stripe_t from);	/* first member >= from; else STRIPE_NONE */
stripe_t bitmap_count(const struct bitmap *map);
stripe_t bitmap_end(const struct bitmap *map);		/* highest member + 1; 0 if empty */
void bitmap_and(struct bitmap *map, const struct bitmap *other);
void bitmap_or(struct bitmap *map, const struct bitmap *other);

#endif
