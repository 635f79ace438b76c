/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of a .snapraidignore. behaviour.md 3.7; here a bad line does not hide the ones after it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "config/filter.h"
#include "config/glob.h"

struct ignore {
	struct glob **glob;
	size_t count, room;
};

/* One line, of `size` bytes. Blanks at its end are part of the pattern. */
static void add_line(struct ignore *ignore, const char *text, size_t size, unsigned line,
		     void (*bad)(void *argument, unsigned line, const char *pattern), void *argument)
{
	struct glob *glob = NULL;
	char *pattern;

	for (; size > 0 && (*text == ' ' || *text == '\t'); --size)
		++text;
	if (size > 0 && text[size - 1] == '\r')
		--size;
	if (size == 0 || *text == '#')
		return;
	pattern = mem_printf("%.*s", (int)size, text);
	if (strlen(pattern) == size)	/* else there is a NUL in it */
		glob = glob_compile(pattern, GLOB_PATTERN, NULL);
	if (glob != NULL) {
		mem_grow(&ignore->glob, ignore->count, &ignore->room, sizeof(struct glob *));
		ignore->glob[ignore->count++] = glob;
	} else {
		bad(argument, line, pattern);
	}
	free(pattern);
}

struct ignore *ignore_parse(const char *text, size_t size,
			    void (*bad)(void *argument, unsigned line, const char *pattern), void *argument)
{
	struct ignore *ignore = mem_zalloc(sizeof *ignore);
	const char *end = text + size;
	unsigned line = 0;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline != NULL ? newline : end;

		add_line(ignore, text, (size_t)(line_end - text), ++line, bad, argument);
		text = newline != NULL ? newline + 1 : end;
	}
	return ignore;
}

void ignore_free(struct ignore *ignore)
{
	if (ignore == NULL)
		return;
	for (size_t i = 0; i < ignore->count; ++i)
		glob_free(ignore->glob[i]);
	free(ignore->glob);
	free(ignore);
}

bool ignore_excludes(const struct ignore *ignore, const char *path, bool is_dir)
{
	for (size_t i = 0; i < ignore->count; ++i)
		if (glob_match(ignore->glob[i], path, is_dir))
			return true;
	return false;
}
