/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/wish.h"

#include <stdlib.h>
#include <string.h>

#include "config/filter.h"
#include "report/report.h"

/* One way to understand a text. */
struct reading {
	struct filter *anywhere;	/* by paths of any disk */
	struct filter *below;		/* by paths of the disk that the text begins with */
	bool matched;
};

struct wish {
	const char *text;
	const struct disk *disk;	/* the text is a path below its directory; NULL: of none */
	bool whole_disk;
	struct reading name, pattern, dir;	/* dir: the name of a directory, but for the slash at its end */
};

struct wishes {
	struct wish *wish;
	unsigned count;
};

static void reading_init(struct reading *reading, const struct wish *wish, const char *end, bool literal)
{
	char *text = mem_printf("%s%s", wish->text, end);
	bool (*add)(struct filter *, bool, const char *) = literal ? filter_add_literal : filter_add;

	/* What cannot be read that way is not added, and an empty filter fits nothing. */
	reading->anywhere = filter_new();
	reading->below = filter_new();
	add(reading->anywhere, true, text);
	if (wish->disk != NULL)		/* from the slash that the directory of the disk ends in */
		add(reading->below, true, text + strlen(wish->disk->dir) - 1);
	free(text);
}

static void reading_done(struct reading *reading)
{
	filter_free(reading->anywhere);
	filter_free(reading->below);
}

static bool reading_wants(const struct reading *reading, const struct wish *wish, const struct disk *disk,
			  const char *path, bool is_dir)
{
	return filter_match(reading->anywhere, path, is_dir, NULL) == FILTER_INCLUDE ||
	       (disk == wish->disk && filter_match(reading->below, path, is_dir, NULL) == FILTER_INCLUDE);
}

/* With or without the slash at the end. */
static bool is_dir_of(const struct disk *disk, const char *text)
{
	size_t length = strlen(disk->dir) - 1;

	return strncmp(disk->dir, text, length) == 0 && (text[length] == '\0' || strcmp(text + length, "/") == 0);
}

static void wish_init(struct wish *wish, const char *text, const struct array *array)
{
	*wish = (struct wish){ .text = text };
	for (unsigned i = 0; i < array->disk_count; i++) {
		const struct disk *disk = array->disk[i];

		wish->whole_disk = is_dir_of(disk, text);
		if (wish->whole_disk || strncmp(disk->dir, text, strlen(disk->dir)) == 0) {
			wish->disk = disk;
			break;
		}
	}
	if (wish->whole_disk)
		return;
	reading_init(&wish->name, wish, "", true);
	reading_init(&wish->pattern, wish, "", false);
	reading_init(&wish->dir, wish, "/", true);
}

static void wish_done(struct wish *wish)
{
	reading_done(&wish->name);
	reading_done(&wish->pattern);
	reading_done(&wish->dir);
}

struct wishes *wishes_new(const struct string_list *texts, const struct array *array)
{
	struct wishes *wishes = mem_alloc(sizeof(*wishes));

	wishes->count = texts->count;
	wishes->wish = mem_alloc(texts->count * sizeof(*wishes->wish));
	for (unsigned i = 0; i < texts->count; i++)
		wish_init(&wishes->wish[i], texts->text[i], array);
	return wishes;
}

void wishes_free(struct wishes *wishes)
{
	if (wishes == NULL)
		return;
	for (unsigned i = 0; i < wishes->count; i++)
		wish_done(&wishes->wish[i]);
	free(wishes->wish);
	free(wishes);
}

void wishes_see(struct wishes *wishes, const struct disk *disk, const char *path, bool is_dir)
{
	for (unsigned i = 0; i < wishes->count; i++) {
		struct wish *wish = &wishes->wish[i];
		struct reading *reading[] = { &wish->name, &wish->pattern, &wish->dir };

		if (wish->whole_disk) {
			wish->name.matched |= disk == wish->disk;
			continue;
		}
		for (unsigned r = 0; r < 3; r++)
			if (!reading[r]->matched)
				reading[r]->matched = reading_wants(reading[r], wish, disk, path, is_dir);
	}
}

int wishes_check(const struct wishes *wishes)
{
	/* A typing error must not look like a restore. */
	for (unsigned i = 0; i < wishes->count; i++) {
		const struct wish *wish = &wishes->wish[i];

		if (wish->name.matched || wish->pattern.matched)
			continue;
		report(wish->dir.matched ? EV_FIX_NO_FILE_BUT_DIR : EV_FIX_NO_FILE, wish->text);
		return -1;
	}
	return 0;
}

bool wishes_want(const struct wishes *wishes, const struct disk *disk, const char *path, bool is_dir)
{
	for (unsigned i = 0; i < wishes->count; i++) {
		const struct wish *wish = &wishes->wish[i];

		if (wish->whole_disk ? disk == wish->disk :
		    reading_wants(wish->name.matched ? &wish->name : &wish->pattern, wish, disk, path, is_dir))
			return true;
	}
	return wishes->count == 0;
}
