/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/term.h"

static struct {
	bool capable, colours;
	size_t columns;		/* of the last line of the moving text that is there; 0: none */
	unsigned lines;		/* above it */
} the;

void screen_open(void)
{
	const char *no_colour = getenv("NO_COLOR");

	the.capable = os_terminal_is_capable();
	the.colours = the.capable && (no_colour == NULL || *no_colour == '\0');
}

unsigned screen_moving_height(void)
{
	return the.capable ? os_terminal_height(STDOUT_FILENO) : 1;
}

void screen_erase(void)
{
	if (the.lines > 0)
		printf("\033[%uA\r\033[J", the.lines);
	else if (the.columns > 0)
		printf("\r%*s\r", (int)the.columns, "");
	the.lines = 0;
	the.columns = 0;
}

void screen_move(const char *text)
{
	/* In the last column the terminal would wrap, and CR would not come back to the start. */
	size_t width = os_terminal_width(STDOUT_FILENO) - 1, columns;
	unsigned lines = 0;
	const char *end;

	if (the.lines > 0)
		printf("\033[%uA\r", the.lines);
	for (; (end = strchr(text, '\n')) != NULL; text = end + 1, ++lines) {
		columns = (size_t)(end - text);
		printf("%.*s\033[K\n", (int)(columns < width ? columns : width), text);
	}
	columns = strlen(text) < width ? strlen(text) : width;
	printf("%.*s%*s\r", (int)columns, text, the.columns > columns ? (int)(the.columns - columns) : 0, "");
	the.columns = columns;
	the.lines = lines;
}

void screen_wrap(struct buf *out, size_t begin, unsigned width)
{
	size_t line = begin, blank = 0;

	for (size_t i = begin; i < out->size; ++i) {
		if (out->data[i] == '\n') {
			line = i + 1;
			blank = 0;
		} else if (out->data[i] == ' ' && i > line && out->data[i - 1] != '\\') {
			blank = i;	/* and not one of a name that is escaped for a shell */
		}
		if (i - line >= width && blank > line) {
			out->data[blank] = '\n';
			line = blank + 1;
			blank = 0;
		}
	}
}

#define RED	"31;1"
#define GREEN	"32"
#define YELLOW	"33"

void screen_colour(struct buf *out, size_t begin)
{
	static const struct {
		const char *words, *colour;
	} table[] = {
		{ "DANGER!", RED },
		{ "WARNING!", YELLOW },
		{ "Everything OK", GREEN },
		{ "No error detected.", GREEN },
		{ "unrecoverable ", RED },
	};
	const char *line = out->data + begin;
	char *plain;

	if (!the.colours || out->size <= begin)
		return;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); ++i) {
		if (strncmp(line, table[i].words, strlen(table[i].words)) != 0)
			continue;
		plain = mem_strdup(line);
		out->size = begin;
		buf_printf(out, "\033[%sm%s\033[0m", table[i].colour, plain);
		free(plain);
		return;
	}
}
