/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array/disk.h"
#include "base/mem.h"
#include "base/path.h"
#include "io/draft.h"
#include "report/report.h"

#define EXAMPLES 3
#define EXAMPLE_BYTES 60	/* with what stands before it a line of 80 columns */

/* All things of one kind and reason. */
struct row {
	enum outcome_kind kind;
	char *why;		/* "": none */
	uint64_t count;
	char *example[EXAMPLES];
};

struct outcomes {
	struct row *row;
	size_t count, room;
	char **full_disk;	/* names of those that were said to be full */
	size_t full_count, full_room;
};

struct outcomes *outcomes_new(void)
{
	return mem_zalloc(sizeof(struct outcomes));
}

void outcomes_free(struct outcomes *outcomes)
{
	if (outcomes == NULL)
		return;
	for (size_t i = 0; i < outcomes->count; i++) {
		free(outcomes->row[i].why);
		for (unsigned e = 0; e < EXAMPLES; e++)
			free(outcomes->row[i].example[e]);
	}
	for (size_t i = 0; i < outcomes->full_count; i++)
		free(outcomes->full_disk[i]);
	free(outcomes->row);
	free(outcomes->full_disk);
	free(outcomes);
}

static struct row *find_or_add_row(struct outcomes *outcomes, enum outcome_kind kind, const char *why)
{
	struct row *row;

	for (size_t i = 0; i < outcomes->count; i++)
		if (outcomes->row[i].kind == kind && strcmp(outcomes->row[i].why, why) == 0)
			return &outcomes->row[i];
	mem_grow(&outcomes->row, outcomes->count, &outcomes->room, sizeof *outcomes->row);
	row = &outcomes->row[outcomes->count++];
	*row = (struct row){ .kind = kind, .why = mem_strdup(why) };
	return row;
}

/* DISK/PATH, of a long one the end, from the beginning of a character. */
static char *make_example(const char *disk, const char *path)
{
	char *whole = path_join(disk, path);
	size_t size = strlen(whole);
	const char *end;
	char *cut;

	if (size <= EXAMPLE_BYTES)
		return whole;
	end = whole + size - EXAMPLE_BYTES;
	while (((unsigned char)*end & 0xc0) == 0x80)
		end++;
	cut = mem_printf("...%s", end);
	free(whole);
	return cut;
}

void outcome_add(struct outcomes *outcomes, enum outcome_kind kind, const char *why, const char *disk, const char *path)
{
	struct row *row = find_or_add_row(outcomes, kind, why == NULL ? "" : why);

	if (row->count < EXAMPLES)
		row->example[row->count] = make_example(disk, path);
	row->count++;
}

static const struct reason {
	int error;
	const char *why, *advice;
} reasons[] = {
	{ EISDIR, "something else has its name", "move it away and run fix again" },
	{ EEXIST, "something else has its name", "move it away and run fix again" },
	{ ELOOP, "a link or a file is in the place of its directory", "move it away and run fix again" },
	{ ENOTDIR, "a link or a file is in the place of its directory", "move it away and run fix again" },
	{ DRAFT_RACED, "it changed while fix ran, and is left as it is",
	  "some of it may still be damaged, so run fix again before the next sync" },
	{ ENOSPC, "no space left on the disk", "free some and run fix again" },
	{ EDQUOT, "no space left for this user", "free some and run fix again" },
};

bool outcome_is_obstacle(int error)
{
	return error == EISDIR || error == EEXIST || error == ELOOP || error == ENOTDIR;
}

/* Was it said of this disk? It counts as said now. */
static bool full_was_told(struct outcomes *outcomes, const char *disk)
{
	for (size_t i = 0; i < outcomes->full_count; i++)
		if (strcmp(outcomes->full_disk[i], disk) == 0)
			return true;
	mem_grow(&outcomes->full_disk, outcomes->full_count, &outcomes->full_room, sizeof *outcomes->full_disk);
	outcomes->full_disk[outcomes->full_count++] = mem_strdup(disk);
	return false;
}

void outcome_failed(struct outcomes *outcomes, const char *disk, const char *path, const char *full, int error)
{
	const struct reason *reason = NULL;

	for (size_t i = 0; i < sizeof reasons / sizeof reasons[0] && reason == NULL; i++)
		if (reasons[i].error == error)
			reason = &reasons[i];
	outcome_add(outcomes, OUTCOME_SKIPPED, reason == NULL ? strerror(error) : reason->why, disk, path);
	if (reason == NULL)
		report(EV_FIX_FAILED, disk, path, full, strerror(error));
	else if (error != ENOSPC && error != EDQUOT)
		report(EV_FIX_IN_THE_WAY, disk, path, full, reason->why, reason->advice);
	else if (!full_was_told(outcomes, disk))
		report(EV_FIX_FULL, disk, path, full, reason->why, reason->advice);
}

static void report_row(const struct row *row)
{
	static const char *const kinds[] = { "recovered", "unrecoverable", "skipped" };

	if (row->kind == OUTCOME_RECOVERED) {
		report(EV_OUTCOME_RECOVERED, kinds[row->kind], row->count);
		return;
	}
	report(EV_OUTCOME, kinds[row->kind], row->count, row->why);
	for (unsigned i = 0; i < EXAMPLES && i < row->count; i++)
		report(EV_OUTCOME_EXAMPLE, row->example[i]);
	if (row->count > EXAMPLES)
		report(EV_OUTCOME_MORE, row->count - EXAMPLES);
}

void outcomes_report(const struct outcomes *outcomes)
{
	bool all_well = true;

	for (size_t i = 0; i < outcomes->count; i++)
		all_well &= outcomes->row[i].kind == OUTCOME_RECOVERED;
	if (all_well)
		return;
	report(EV_TOTAL_BLANK);
	report(EV_OUTCOME_TITLE);
	for (enum outcome_kind kind = OUTCOME_RECOVERED; kind <= OUTCOME_SKIPPED; kind++)
		for (size_t i = 0; i < outcomes->count; i++)
			if (outcomes->row[i].kind == kind)
				report_row(&outcomes->row[i]);
}

char *outcome_path(const char *elsewhere, const struct disk *disk, const char *path)
{
	char *dir = elsewhere == NULL ? mem_strdup(disk->dir) : path_join(elsewhere, disk->name);
	char *full = path_join(dir, path);

	free(dir);
	return full;
}

static void report_aside(enum event event, const char *disk, const char *path, const struct aside *aside)
{
	char *from, *to;

	if (aside->length == 0)
		return;
	aside_paths(aside, path, &from, &to);
	report(event, disk, from, to);
	free(from);
	free(to);
}

void outcome_report_aside(const char *disk, const char *path, const struct aside *aside)
{
	report_aside(EV_FIX_ASIDE, disk, path, aside);
}

void outcome_report_earlier(const char *disk, const char *path, const struct aside *aside)
{
	report_aside(EV_FIX_EARLIER, disk, path, aside);
}
