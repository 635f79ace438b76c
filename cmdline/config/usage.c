/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The usage text, made of the tables. */
#include <string.h>

#include "base/buf.h"
#include "config/option_table.h"
#include "report/report.h"

#define COMMAND_WIDTH	10
#define OPTION_WIDTH	30

static const char *const group_title[GROUP_COUNT] = {
	[GROUP_GENERAL] = "Options",
	[GROUP_SYNC] = "For sync",
	[GROUP_SCRUB] = "For scrub",
	[GROUP_FIX] = "For check and fix",
	[GROUP_RUN] = "For sync, scrub, check and fix",
	[GROUP_FORCE] = "To go on where the program stops to protect the data",
	[GROUP_OTHER] = "Other",
	[GROUP_GUI] = "For programs that run this one",
};

static void pad_to(struct buf *line, size_t column)
{
	while (line->size < column)
		buf_char(line, ' ');
}

/* `line` with the help from `column` on, below it where there is no room; a newline in the help goes on in
 * the same column. */
static void print_row(struct buf *line, size_t column, const char *help)
{
	if (line->size >= column) {
		report(EV_USAGE, line->data);
		buf_clear(line);
	}
	for (;;) {
		size_t length = strcspn(help, "\n");

		pad_to(line, column);
		buf_add(line, help, length);
		report(EV_USAGE, line->data);
		buf_clear(line);
		if (help[length] == '\0')
			return;
		help += length + 1;
	}
}

static void print_group(struct buf *line, enum option_group group)
{
	report(EV_USAGE, "");
	buf_printf(line, "%s:", group_title[group]);
	report(EV_USAGE, line->data);
	buf_clear(line);
	for (size_t i = 0; i < option_count; ++i) {
		const struct option_row *row = &option_table[i];

		if (row->group != group || row->help == NULL)
			continue;
		if (row->letter != 0)
			buf_printf(line, "  -%c, --%s", row->letter, row->name);
		else
			buf_printf(line, "      --%s", row->name);
		if (row->argument != NULL)
			buf_printf(line, " %s", row->argument);
		print_row(line, OPTION_WIDTH, row->help);
	}
}

void usage_print(void)
{
	struct buf line = { 0 };

	report(EV_USAGE, "Usage: snapraid [OPTION]... COMMAND");
	report(EV_USAGE, "Keeps parity of the files of several disks, and restores what is lost.");
	report(EV_USAGE, "");
	report(EV_USAGE, "Commands:");
	for (size_t i = 0; i < command_count; ++i) {
		if (command_names[i].help == NULL)
			continue;
		buf_printf(&line, "  %s", command_names[i].name);
		print_row(&line, COMMAND_WIDTH + 2, command_names[i].help);
	}
	for (unsigned group = 0; group < GROUP_COUNT; ++group)
		print_group(&line, (enum option_group)group);
	report(EV_USAGE, "");
	report(EV_USAGE, "Every day: 'snapraid diff', then 'snapraid sync'; every week: 'snapraid scrub'.");
	report(EV_USAGE, "A disk is lost: replace it, then 'snapraid -d NAME fix'. See also snapraid(1).");
	buf_done(&line);
}
