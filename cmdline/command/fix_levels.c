/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/fix_levels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/parity.h"

/* The level came to the configuration after the last sync. */
static bool is_unknown(const struct array *array, level_t l)
{
	return array->level[0].recorded && !array->level[l].recorded;
}

static void tell_skipped(struct session *session, const struct level *level, unsigned split, int error)
{
	report(EV_PARITY_OPEN_SKIP, level->name, level->split[split].path, strerror(error));
	session->errors.soft++;
}

/* To be read only: what is there of it. */
static struct parity *open_as_source(struct session *session, struct level *level)
{
	unsigned split = 0;
	struct parity *parity = parity_open(level, session->array->block_size, PARITY_READ_PARTS, &split);

	if (parity == NULL || split < level->split_count)
		tell_skipped(session, level, split, parity == NULL ? errno : ENOENT);
	return parity;
}

/* Until a fix has made all of it. */
static void tell_short(struct fix_levels *levels, level_t l)
{
	report(EV_FIX_PARITY_SHORT, levels->session->array->level[l].name);
	levels->session->errors.soft++;
	levels->session->errors.unrecoverable++;
	levels->short_count++;
}

/* What is missing stays so, if anything was there. */
static bool only_mends(const struct fix_levels *levels)
{
	return levels->some && levels->from == STRIPE_NONE && array_used_count(levels->session->array) > 0;
}

static void open_level(struct fix_levels *levels, level_t l)
{
	struct session *session = levels->session;
	struct level *level = &session->array->level[l];
	enum parity_mode mode;
	unsigned split = 0;
	int error;

	/* With -D nobody expects a disk that is not there to be repaired. */
	levels->wanted[l] = levels->wanted[l] && !(levels->writing && session->level_missing[l]);
	if (!levels->writing || !levels->wanted[l]) {
		levels->parity[l] = open_as_source(session, level);
		return;
	}
	mode = only_mends(levels) ? PARITY_MEND : PARITY_CREATE;
	levels->parity[l] = parity_open(level, session->array->block_size, mode, &split);
	if (levels->parity[l] != NULL)
		return;
	error = errno;
	levels->wanted[l] = false;
	if (mode == PARITY_MEND && error == ENOENT) {
		tell_short(levels, l);
		return;
	}
	session->errors.unrecoverable++;
	/* A level to be written that may only be read, as on a disk which the kernel has made read-only after errors, is
	 * a source like another: now it is needed most. */
	if (error == EROFS || error == EACCES || error == EPERM)
		levels->parity[l] = open_as_source(session, level);
	else
		tell_skipped(session, level, split, error);
	if (levels->parity[l] != NULL) {
		report(EV_PARITY_READ_ONLY, level->name, level->split[split].path, strerror(error));
		session->errors.soft++;
	}
}

/* Is anything of it written? */
static bool is_repaired(const struct fix_levels *levels, level_t l)
{
	return levels->writing && levels->wanted[l] && levels->parity[l] != NULL;
}

/* Room for all stripes, so that what is missing can be written. */
static void grow_level(struct fix_levels *levels, level_t l)
{
	const struct session *session = levels->session;
	const struct level *level = &session->array->level[l];
	stripe_t count = array_stripe_count(session->array);
	int64_t reached = parity_reserve(levels->parity[l], count, session->options->test.parity_limit, l);

	if (reached < 0 || (stripe_t)reached < count)
		report(EV_FIX_RESIZE, level->name, level->split[0].path, strerror(errno));
}

/* `failed` with errno: said and counted. */
static void check_durable(const struct fix_levels *levels, level_t l, bool failed)
{
	struct session *session = levels->session;
	const struct level *level = &session->array->level[l];

	if (!failed)
		return;
	session->errors.io++;
	session->errors.unrecoverable++;
	report(EV_FIX_PARITY_SYNC, level->name, level->split[0].path, strerror(errno));
}

/* A run over some stripes goes on where the file ends, or not at all. */
static bool may_make(const struct fix_levels *levels, level_t l)
{
	uint64_t block = levels->session->array->block_size;

	return !levels->some || (levels->from != STRIPE_NONE && levels->from * block <= parity_usable_bytes(levels->parity[l]));
}

void fix_levels_open(struct fix_levels *levels)
{
	const struct array *array = levels->session->array;

	for (level_t l = 0; l < array->level_count; l++) {
		open_level(levels, l);
		if (!is_repaired(levels, l))
			continue;
		if (is_unknown(array, l))
			check_durable(levels, l, parity_unmark(&array->level[l]) < 0);
		levels->make[l] = may_make(levels, l);
		if (levels->make[l])
			grow_level(levels, l);
		parity_hold(levels->parity[l], array_used_count(array));
	}
}

/* For the sync, which would take half of it for all of it. */
static void mark_made(const struct fix_levels *levels)
{
	const struct session *session = levels->session;

	for (level_t l = 0; l < LEVEL_MAX; l++)
		if (is_repaired(levels, l) && is_unknown(session->array, l))
			check_durable(levels, l, parity_mark_made(&session->array->level[l], session->content_name) < 0);
}

/* The last block of what was missing comes last. */
static int complete(struct parity *parity)
{
	if (!parity_is_short(parity))
		return 0;
	return parity_release(parity) < 0 || parity_sync(parity) < 0 ? -1 : 0;
}

void fix_levels_close(struct fix_levels *levels, unsigned undone, bool all_done)
{
	for (level_t l = 0; l < LEVEL_MAX; l++) {
		struct parity *parity = levels->parity[l];
		bool whole = !levels->some && (undone & (1u << l)) == 0, failed;

		if (!is_repaired(levels, l))
			continue;
		failed = parity_cut_to_valid(parity) < 0 || parity_sync(parity) < 0 || (whole && complete(parity) < 0);
		check_durable(levels, l, failed);
		if (!failed && parity_is_short(parity))
			tell_short(levels, l);
		all_done &= !failed && !parity_is_short(parity);
	}
	if (all_done)
		mark_made(levels);
	session_close_parity(levels->parity);
}
